import NIOCore
import NIOEmbedded

extension PublishedLeak {
    /// A common report about clients on SwiftNIO: the promises of requests are kept by their number, and a request that
    /// times out completes its promise without removing it. The published mend removes it in both cases.
    static let pendingPromises = PublishedLeak(
        name: "pending-promises",
        expected: Expectation(
            "EventLoopFuture<RPCReply>", heldBy: "RPCClient.pending", change: "RPCClient.pending"),
        innocents: { count in (0..<count).map { _ in EmbeddedEventLoop().makeSucceededFuture(RPCReply(text: "ok")) } },
        leaky: .synchronous { RPCClient.shared.call("list", removesLateCalls: false) },
        fixed: .synchronous { RPCClient.shared.call("list", removesLateCalls: true) })
}

private struct RPCTimeout: Error {}

private struct RPCReply: Sendable {
    let text: String
}

private final class RPCClient {
    static let shared = RPCClient()

    private let eventLoop = EmbeddedEventLoop()
    private var pending: [Int: EventLoopPromise<RPCReply>] = [:]
    private var lastID = 0

    func call(_ method: String, removesLateCalls: Bool) {
        lastID += 1
        let id = lastID
        let promise = eventLoop.makePromise(of: RPCReply.self)
        pending[id] = promise
        eventLoop.scheduleTask(in: .seconds(1)) { [unowned self] in
            promise.fail(RPCTimeout())
            if removesLateCalls { pending[id] = nil }
        }
        // The reply is lost, and the timeout comes.
        eventLoop.advanceTime(by: .seconds(2))
    }

    func receive(_ reply: RPCReply, for id: Int) { pending.removeValue(forKey: id)?.succeed(reply) }
}
