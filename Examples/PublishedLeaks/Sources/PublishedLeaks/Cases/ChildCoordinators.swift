extension PublishedLeak {
    /// A common report about the coordinator pattern: a coordinator is added to its parent's children and not removed
    /// when its flow ends. The published mend removes it in the delegate call `didFinish`.
    static let childCoordinators = PublishedLeak(
        name: "child-coordinators",
        expected: Expectation(
            "CheckoutCoordinator", heldBy: "AppCoordinator.children", change: "AppCoordinator.children"),
        innocents: { count in (0..<count).map { CheckoutCoordinator(navigator: Navigator(), orderNumber: $0) } },
        leaky: .synchronous {
            let checkout = AppCoordinator.shared.startCheckout(orderNumber: 7)
            checkout.finish()
        },
        fixed: .synchronous {
            let checkout = AppCoordinator.shared.startCheckout(orderNumber: 7)
            checkout.delegate = AppCoordinator.shared
            checkout.finish()
        })
}

private final class Navigator {
    private(set) var path: [String] = []

    func push(_ screen: String) { path.append(screen) }

    func popToRoot() { path.removeAll() }
}

private class Coordinator {
    let navigator: Navigator

    init(navigator: Navigator) { self.navigator = navigator }
}

private protocol CheckoutCoordinatorDelegate: AnyObject {
    func didFinish(_ coordinator: CheckoutCoordinator)
}

private final class CheckoutCoordinator: Coordinator {
    weak var delegate: (any CheckoutCoordinatorDelegate)?
    private let orderNumber: Int

    init(navigator: Navigator, orderNumber: Int) {
        self.orderNumber = orderNumber
        super.init(navigator: navigator)
    }

    func start() { navigator.push("Order \(orderNumber)") }

    func finish() {
        navigator.popToRoot()
        delegate?.didFinish(self)
    }
}

private final class AppCoordinator: Coordinator, CheckoutCoordinatorDelegate {
    static let shared = AppCoordinator(navigator: Navigator())

    private var children: [Coordinator] = []

    func startCheckout(orderNumber: Int) -> CheckoutCoordinator {
        let child = CheckoutCoordinator(navigator: navigator, orderNumber: orderNumber)
        children.append(child)
        child.start()
        return child
    }

    func didFinish(_ coordinator: CheckoutCoordinator) { children.removeAll { $0 === coordinator } }
}
