import NIOCore
import NIOEmbedded

extension PublishedLeak {
    /// A common report about SwiftNIO: a connection attempt keeps a promise and adds a callback that captures the
    /// attempt to its future; an attempt that is given up never completes the promise. The published mend fails the
    /// promise.
    static let ownPromise = PublishedLeak(
        name: "own-promise",
        expected: Expectation(
            "ConnectionAttempt", heldBy: "ConnectionAttempt.connected",
            change: "closure in ConnectionAttempt.start()", "ConnectionAttempt.connected"),
        innocents: { count in
            (0..<count).map { _ in
                let attempt = ConnectionAttempt(eventLoop: ConnectionAttempt.loop)
                attempt.giveUp()
                return attempt
            }
        },
        leaky: .synchronous {
            let attempt = ConnectionAttempt(eventLoop: ConnectionAttempt.loop)
            attempt.start()
        },
        fixed: .synchronous {
            let attempt = ConnectionAttempt(eventLoop: ConnectionAttempt.loop)
            attempt.start()
            attempt.giveUp()
        })
}

private struct GivenUp: Error {}

private final class ConnectionAttempt: @unchecked Sendable {
    static let loop = EmbeddedEventLoop()

    private let connected: EventLoopPromise<Int>
    private var port: Int?

    init(eventLoop: any EventLoop) { connected = eventLoop.makePromise() }

    func start() {
        connected.futureResult.whenSuccess { port in self.port = port }
    }

    func giveUp() { connected.fail(GivenUp()) }
}
