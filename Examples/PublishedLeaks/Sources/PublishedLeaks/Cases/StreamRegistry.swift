import Foundation

extension PublishedLeak {
    /// A common report about broadcasting with `AsyncStream`: the continuation of each subscriber is kept in a
    /// dictionary, and nothing removes it. The published mend removes it in `onTermination`.
    static let streamRegistry = PublishedLeak(
        name: "stream-registry",
        expected: Expectation(
            "LocationBuffer", heldBy: "LocationHub.continuations", change: "LocationHub.continuations"),
        innocents: { count in (0..<count).map { LocationBuffer(meters: $0) } },
        leaky: .asynchronous {
            let locations = LocationHub.shared.locations()
            LocationHub.shared.publish(LocationBuffer(meters: 7))
            for await _ in locations { break }
        },
        fixed: .asynchronous {
            let locations = LocationHub.shared.locationsUntilTermination()
            LocationHub.shared.publish(LocationBuffer(meters: 7))
            for await _ in locations { break }
        })
}

private final class LocationBuffer: Sendable {
    let meters: Int

    init(meters: Int) { self.meters = meters }
}

private final class LocationHub: @unchecked Sendable {
    static let shared = LocationHub()

    private let lock = NSLock()
    private var continuations: [UUID: AsyncStream<LocationBuffer>.Continuation] = [:]

    func locations() -> AsyncStream<LocationBuffer> {
        AsyncStream { continuation in
            lock.withLock { continuations[UUID()] = continuation }
        }
    }

    func locationsUntilTermination() -> AsyncStream<LocationBuffer> {
        AsyncStream { continuation in
            let id = UUID()
            lock.withLock { continuations[id] = continuation }
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                lock.withLock { self.continuations[id] = nil }
            }
        }
    }

    func publish(_ location: LocationBuffer) {
        let all = lock.withLock { Array(continuations.values) }
        all.forEach { $0.yield(location) }
    }
}
