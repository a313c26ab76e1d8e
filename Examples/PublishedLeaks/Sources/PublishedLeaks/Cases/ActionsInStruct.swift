extension PublishedLeak {
    /// A common report about structures with closures: a presenter keeps a structure of actions, and its closures
    /// capture the presenter. The published mend is `[weak self]` in each of them.
    static let actionsInStruct = PublishedLeak(
        name: "actions-in-struct",
        expected: Expectation(
            "OrderPresenter", heldBy: "OrderPresenter.actions", "actions.cancel", "actions.confirm",
            change: "closure in OrderPresenter.present()"),
        innocents: { count in
            (0..<count).map { index in
                let presenter = OrderPresenter(number: index)
                presenter.presentWeakly()
                return presenter
            }
        },
        leaky: .synchronous {
            let presenter = OrderPresenter(number: 7)
            presenter.present()
            presenter.confirm()
        },
        fixed: .synchronous {
            let presenter = OrderPresenter(number: 7)
            presenter.presentWeakly()
            presenter.confirm()
        })
}

private struct OrderActions {
    var title = "Confirm?"
    var confirm: () -> Void = {}
    var cancel: (() -> Void)?
}

private final class OrderPresenter {
    private let number: Int
    private var isConfirmed = false
    private var actions = OrderActions()

    init(number: Int) { self.number = number }

    func present() {
        actions = OrderActions(
            title: "Confirm order \(number)?",
            confirm: { [weak self] in self?.isConfirmed = true },
            cancel: { self.isConfirmed = false })
    }

    func presentWeakly() {
        actions = OrderActions(
            title: "Confirm order \(number)?",
            confirm: { [weak self] in self?.isConfirmed = true },
            cancel: { [weak self] in self?.isConfirmed = false })
    }

    func confirm() { actions.confirm() }
}
