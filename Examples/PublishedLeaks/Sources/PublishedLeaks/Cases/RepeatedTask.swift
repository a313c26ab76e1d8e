import NIOCore
import NIOPosix

extension PublishedLeak {
    /// A common report about SwiftNIO: a repeated task of an event loop captures `self` and is never cancelled. The
    /// published mend cancels it when the connection closes.
    static let repeatedTask = PublishedLeak(
        name: "repeated-task",
        expected: Expectation("KeepAlive", heldBy: "RepeatedTask", "EventLoop", change: "closure in KeepAlive.start()"),
        innocents: { count in
            (0..<count).map { _ in
                let keepAlive = KeepAlive(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
                keepAlive.start()
                return keepAlive
            }
        },
        replacesInnocents: false,
        leaky: .synchronous {
            let keepAlive = KeepAlive(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
            keepAlive.start()
        },
        fixed: .synchronous {
            let keepAlive = KeepAlive(eventLoop: MultiThreadedEventLoopGroup.singleton.next())
            keepAlive.start()
            try keepAlive.stop()
        })
}

private final class KeepAlive: @unchecked Sendable {
    private let eventLoop: any EventLoop
    private var task: RepeatedTask?
    private var pings = 0

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func start() {
        task = eventLoop.scheduleRepeatedTask(initialDelay: .hours(1), delay: .hours(1)) { _ in self.ping() }
    }

    func stop() throws {
        let cancelled = eventLoop.makePromise(of: Void.self)
        task?.cancel(promise: cancelled)
        task = nil
        try cancelled.futureResult.wait()
    }

    private func ping() { pings += 1 }
}
