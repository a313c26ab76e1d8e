import NIOCore
import NIOEmbedded

extension PublishedLeak {
    /// A common report about SwiftNIO: a handler keeps its context, and the context keeps the handler. The published
    /// mend clears the context in `handlerRemoved(context:)`.
    static let handlerKeepsContext = PublishedLeak(
        name: "handler-keeps-context",
        expected: Expectation("EchoHandler", heldBy: "EchoHandler.context", change: "EchoHandler.context"),
        innocents: { count in (0..<count).map { _ in EchoHandler(clearsContext: true) } },
        leaky: .synchronous { try EchoServer(clearsContext: false).roundTrip("ping") },
        fixed: .synchronous { try EchoServer(clearsContext: true).roundTrip("ping") })
}

private struct EchoServer {
    let clearsContext: Bool

    func roundTrip(_ text: String) throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(EchoHandler(clearsContext: clearsContext))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 7)).wait()
        try channel.writeInbound(ByteBuffer(string: text))
        _ = try channel.readOutbound(as: ByteBuffer.self)
        _ = try channel.finish()
    }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let clearsContext: Bool
    private var context: ChannelHandlerContext?
    private var echoed = 0

    init(clearsContext: Bool) { self.clearsContext = clearsContext }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        if clearsContext { self.context = nil }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        echoed += 1
        send(unwrapInboundIn(data))
    }

    private func send(_ buffer: ByteBuffer) { context?.writeAndFlush(wrapOutboundOut(buffer), promise: nil) }
}
