extension PublishedLeak {
    /// A common report about `guard let self` in tasks: it precedes a loop that does not end, so that the weak
    /// capture is of no use. The published mend unwraps `self` inside the loop.
    static let guardBeforeLoop = PublishedLeak(
        name: "guard-before-loop",
        expected: Expectation(
            "PresenceModel", heldBy: "Task", "PresenceModel.updates", change: "PresenceModel.follow(_:)"),
        innocents: { count in
            (0..<count).map { _ in
                let model = PresenceModel()
                model.followWeakly(PresenceFeed())
                return model
            }
        },
        leaky: .asynchronous {
            let feed = PresenceFeed()
            let model = PresenceModel()
            model.follow(feed)
            feed.send("ada is here")
            await model.firstUpdate()
        },
        fixed: .asynchronous {
            let feed = PresenceFeed()
            let model = PresenceModel()
            model.followWeakly(feed)
            feed.send("ada is here")
            await model.firstUpdate()
        })
}

private final class PresenceFeed: Sendable {
    private let events = AsyncStream<String>.makeStream()

    var stream: AsyncStream<String> { events.stream }

    func send(_ event: String) { events.continuation.yield(event) }
}

private final class PresenceModel: @unchecked Sendable {
    private var online: [String] = []
    private var updates: Task<Void, Never>?
    private let shown = AsyncStream<Int>.makeStream()

    deinit { updates?.cancel() }

    func follow(_ feed: PresenceFeed) {
        updates = Task { [weak self] in
            guard let self else { return }
            for await event in feed.stream { self.show(event) }
        }
    }

    func followWeakly(_ feed: PresenceFeed) {
        updates = Task { [weak self] in
            for await event in feed.stream {
                guard let self else { return }
                self.show(event)
            }
        }
    }

    /// Waits until the first event is shown.
    func firstUpdate() async { for await _ in shown.stream { break } }

    private func show(_ event: String) {
        online.append(event)
        shown.continuation.yield(online.count)
    }
}
