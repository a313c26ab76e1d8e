import NIOCore
import NIOEmbedded

extension PublishedLeak {
    /// A common report about SwiftNIO: each request adds a callback to the close future of a connection that lives
    /// long, and the callback keeps the request. The published mend adds one callback for each connection, which fails
    /// the requests that are still open.
    static let closeFutureCallbacks = PublishedLeak(
        name: "close-future-callbacks",
        expected: Expectation(
            "PooledRequest", heldBy: "EventLoopFuture", "EmbeddedChannelCore", "Connection.channel",
            change: "closure in PooledConnection.send(_:)"),
        innocents: { count in (0..<count).map { PooledRequest(path: "/health/\($0)") } },
        leaky: .synchronous { PooledConnection.shared.send(PooledRequest(path: "/items")) },
        fixed: .synchronous { PooledConnection.shared.sendWithOneCallback(PooledRequest(path: "/items")) })
}

private final class PooledRequest {
    let path: String
    private(set) var isFailed = false
    private var attempts = 1

    init(path: String) { self.path = path }

    func fail() { isFailed = true }
}

private final class PooledConnection {
    static let shared = PooledConnection()

    private let channel = EmbeddedChannel()
    private var open: [ObjectIdentifier: PooledRequest] = [:]

    init() {
        channel.closeFuture.whenComplete { [unowned self] _ in open.values.forEach { $0.fail() } }
    }

    func send(_ request: PooledRequest) {
        channel.closeFuture.whenComplete { _ in request.fail() }
        exchange(request)
    }

    func sendWithOneCallback(_ request: PooledRequest) {
        open[ObjectIdentifier(request)] = request
        exchange(request)
        open[ObjectIdentifier(request)] = nil
    }

    private func exchange(_ request: PooledRequest) {
        do {
            try channel.writeOutbound(ByteBuffer(string: request.path))
            _ = try channel.readOutbound(as: ByteBuffer.self)
        } catch {
            request.fail()
        }
    }
}
