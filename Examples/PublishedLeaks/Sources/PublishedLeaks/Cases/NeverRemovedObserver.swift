extension PublishedLeak {
    /// A common report about hand-written notification centres: observers are added to a dictionary of a singleton and
    /// never removed. The published mend removes the observer when the screen closes.
    static let neverRemovedObserver = PublishedLeak(
        name: "never-removed-observer",
        expected: Expectation(
            "AccountScreen", heldBy: "SessionMonitor.observers", change: "SessionMonitor.observers"),
        innocents: { count in
            (0..<count).map { index in
                let screen = AccountScreen()
                SessionMonitor.shared.add(screen)
                return screen
            }
        },
        replacesInnocents: false,
        leaky: .synchronous {
            let screen = AccountScreen()
            screen.open()
            SessionMonitor.shared.userName = "ada"
        },
        fixed: .synchronous {
            let screen = AccountScreen()
            screen.open()
            SessionMonitor.shared.userName = "ada"
            screen.close()
        })
}

private protocol SessionObserver: AnyObject {
    func sessionDidChange(userName: String)
}

private final class SessionMonitor {
    static let shared = SessionMonitor()

    var userName = "guest" {
        didSet { observers.values.forEach { $0.sessionDidChange(userName: userName) } }
    }
    private var observers: [ObjectIdentifier: any SessionObserver] = [:]

    func add(_ observer: any SessionObserver) { observers[ObjectIdentifier(observer)] = observer }

    func remove(_ observer: any SessionObserver) { observers[ObjectIdentifier(observer)] = nil }
}

private final class AccountScreen: SessionObserver {
    private var title = ""

    func open() { SessionMonitor.shared.add(self) }

    func close() { SessionMonitor.shared.remove(self) }

    func sessionDidChange(userName: String) { title = "Account of \(userName)" }
}
