extension PublishedLeak {
    /// A common report about analytics: a singleton appends each event for a debug screen that is never opened. The
    /// published mend keeps the last hundred events.
    static let eventsOfSingleton = PublishedLeak(
        name: "events-of-singleton",
        expected: Expectation("AnalyticsEvent", heldBy: "Analytics.history", change: "Analytics.history"),
        innocents: { count in (0..<count).map { AnalyticsEvent("launch \($0)", parameters: [:]) } },
        leaky: .synchronous { Analytics.keepingAll.track("tap", parameters: ["button": "buy"]) },
        fixed: .synchronous { Analytics.keepingSome.track("tap", parameters: ["button": "buy"]) })
}

private final class AnalyticsEvent {
    let name: String
    let parameters: [String: String]

    init(_ name: String, parameters: [String: String]) { (self.name, self.parameters) = (name, parameters) }
}

private final class Analytics {
    static let keepingAll = Analytics(limit: .max)
    static let keepingSome = Analytics(limit: 10)

    private let limit: Int
    private var queue: [AnalyticsEvent] = []
    private var history: [AnalyticsEvent] = []

    init(limit: Int) { self.limit = limit }

    func track(_ name: String, parameters: [String: String]) {
        let event = AnalyticsEvent(name, parameters: parameters)
        queue.append(event)
        history.append(event)
        if history.count > limit { history.removeFirst(history.count - limit) }
        flush()
    }

    private func flush() { queue.removeAll() }
}
