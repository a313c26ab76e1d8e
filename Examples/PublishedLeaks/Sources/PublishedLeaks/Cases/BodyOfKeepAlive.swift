import NIOCore
import NIOEmbedded

extension PublishedLeak {
    /// A common report about HTTP servers on SwiftNIO: a handler collects the body of a request in a buffer and does
    /// not clear it for the next request of the same connection. The published mend clears it at the end of a request.
    static let bodyOfKeepAlive = PublishedLeak(
        name: "body-of-keep-alive",
        expected: Expectation("a block of", heldBy: "BodyCollector.body", change: "BodyCollector.body"),
        innocents: { count in (0..<count).map { _ in BodyCollector(clearsBody: true) } },
        leaky: .synchronous { try KeepAliveConnection.careless.post(String(repeating: "a", count: 700)) },
        fixed: .synchronous { try KeepAliveConnection.careful.post(String(repeating: "a", count: 700)) })
}

private final class BodyCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let clearsBody: Bool
    private var body = ByteBuffer()
    private(set) var requests = 0

    init(clearsBody: Bool) { self.clearsBody = clearsBody }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        body.writeBuffer(&part)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        requests += 1
        if clearsBody { body.clear() }
    }
}

private final class KeepAliveConnection {
    static let careless = KeepAliveConnection(clearsBody: false)
    static let careful = KeepAliveConnection(clearsBody: true)

    private let channel: EmbeddedChannel

    init(clearsBody: Bool) { channel = EmbeddedChannel(handler: BodyCollector(clearsBody: clearsBody)) }

    func post(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }
}
