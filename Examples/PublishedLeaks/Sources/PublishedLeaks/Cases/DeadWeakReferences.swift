extension PublishedLeak {
    /// A common report about lists of weak references: the objects go, and the boxes of the dead references stay in the
    /// dictionary. The published mend removes dead boxes at each insertion.
    static let deadWeakReferences = PublishedLeak(
        name: "dead-weak-references",
        expected: Expectation("WeakListener", heldBy: "EventBus.listeners", change: "EventBus.listeners"),
        innocents: { count in
            (0..<count).map { _ in
                let screen = NewsScreen()
                EventBus.shared.add(screen)
                return screen
            }
        },
        replacesInnocents: false,
        leaky: .synchronous {
            let screen = NewsScreen()
            EventBus.shared.add(screen)
            EventBus.shared.post("refresh")
        },
        fixed: .synchronous {
            let screen = NewsScreen()
            EventBus.shared.removeDeadListeners()
            EventBus.shared.add(screen)
            EventBus.shared.post("refresh")
        })
}

private final class NewsScreen {
    private var lastEvent = ""

    func receive(_ event: String) { lastEvent = event }
}

private final class WeakListener {
    weak var screen: NewsScreen?

    init(_ screen: NewsScreen) { self.screen = screen }
}

private final class EventBus {
    static let shared = EventBus()

    private var listeners: [Int: WeakListener] = [:]
    private var lastID = 0

    func add(_ screen: NewsScreen) {
        lastID += 1
        listeners[lastID] = WeakListener(screen)
    }

    func removeDeadListeners() { listeners = listeners.filter { $0.value.screen != nil } }

    func post(_ event: String) { listeners.values.forEach { $0.screen?.receive(event) } }
}
