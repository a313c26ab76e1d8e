import AsyncAlgorithms

extension PublishedLeak {
    /// A common report about `AsyncChannel` of swift-async-algorithms: `send` suspends until a consumer takes the
    /// element, and the consumer has gone. The published mend finishes the channel when the consumer goes.
    static let suspendedSend = PublishedLeak(
        name: "suspended-send",
        expected: Expectation(
            "SensorFeed", heldBy: "Task", "AsyncChannel", change: "closure in SensorFeed.send(_:)",
            "SensorFeed.channel"),
        innocents: { count in (0..<count).map { _ in SensorFeed() } },
        leaky: .asynchronous {
            let feed = SensorFeed()
            feed.send(SensorReading(celsius: 20))
            feed.send(SensorReading(celsius: 21))
            await feed.showFirst()
        },
        fixed: .asynchronous {
            let feed = SensorFeed()
            feed.send(SensorReading(celsius: 20))
            feed.send(SensorReading(celsius: 21))
            await feed.showFirst()
            feed.close()
        })
}

private final class SensorReading: Sendable {
    let celsius: Double

    init(celsius: Double) { self.celsius = celsius }
}

private final class SensorFeed: Sendable {
    private let channel = AsyncChannel<SensorReading>()

    func send(_ reading: SensorReading) { Task { await channel.send(reading) } }

    func showFirst() async { for await _ in channel { break } }

    func close() { channel.finish() }
}
