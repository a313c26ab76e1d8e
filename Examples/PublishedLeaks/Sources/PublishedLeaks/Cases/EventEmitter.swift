extension PublishedLeak {
    /// A common report about event emitters: `on(_:)` without `off(_:)`, so that the list of one event grows. The
    /// published mend removes the listeners of an owner when it closes.
    static let eventEmitter = PublishedLeak(
        name: "event-emitter",
        expected: Expectation(
            "CheckoutWidget", heldBy: "EventEmitter.listeners",
            change: "EventEmitter.listeners", "closure in CheckoutWidget.open()"),
        innocents: { count in
            (0..<count).map { _ in
                let widget = CheckoutWidget()
                widget.open()
                return widget
            }
        },
        replacesInnocents: false,
        leaky: .synchronous {
            let widget = CheckoutWidget()
            widget.open()
            EventEmitter.shared.emit("price", 3)
        },
        fixed: .synchronous {
            let widget = CheckoutWidget()
            widget.open()
            EventEmitter.shared.emit("price", 3)
            widget.close()
        })
}

private final class EventEmitter {
    static let shared = EventEmitter()

    private struct Listener {
        let owner: ObjectIdentifier
        let call: (Int) -> Void
    }

    private var listeners: [String: [Listener]] = [:]

    func on(_ event: String, owner: AnyObject, _ call: @escaping (Int) -> Void) {
        listeners[event, default: []].append(Listener(owner: ObjectIdentifier(owner), call: call))
    }

    func off(owner: AnyObject) {
        for event in listeners.keys { listeners[event]?.removeAll { $0.owner == ObjectIdentifier(owner) } }
    }

    func emit(_ event: String, _ value: Int) { listeners[event]?.forEach { $0.call(value) } }
}

private final class CheckoutWidget {
    private var price = 0
    private var stock = 0

    func open() {
        EventEmitter.shared.on("price", owner: self) { self.price = $0 }
        EventEmitter.shared.on("stock", owner: self) { self.stock = $0 }
    }

    func close() { EventEmitter.shared.off(owner: self) }
}
