import Dispatch
import Foundation

/// A message on the wire: 16 bytes in either direction.
struct Frame: Equatable {
    /// The ID of the request.
    var id: Int64
    /// The client's token in a request; an ``Answer`` in an answer.
    var word: Int64

    static let size = MemoryLayout<Frame>.size
    /// The request for a token.
    static let tokenID: Int64 = -1
}

/// A connection that sends and receives frames. It is used on its queue only.
final class FrameSocket {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var bytes: [UInt8] = []
    private var receive: ((Frame) -> Void)?
    private var ended: (() -> Void)?

    /// Takes ownership of `descriptor`.
    ///
    /// - Parameters:
    ///   - queue: The serial queue on which all work of the connection runs.
    ///   - receive: Called for each frame.
    ///   - end: Called when the other side has ended the connection.
    init(
        _ descriptor: Int32, queue: DispatchQueue, receive: @escaping (Frame) -> Void, end: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.receive = receive
        ended = end
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [unowned self] in readable() }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Sends a frame. The frame fits the system's buffer, because a connection has one outstanding request.
    func send(_ frame: Frame) {
        withUnsafeBytes(of: frame) { _ = write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Ends the connection. Frames that arrive later are not received.
    func end() {
        receive = nil
        ended = nil
        source.cancel()
    }

    private func readable() {
        guard let receive else { return }
        var buffer = Frame(id: 0, word: 0)
        let received = withUnsafeMutableBytes(of: &buffer) { buffer in
            let count = read(descriptor, buffer.baseAddress, Frame.size - bytes.count)
            if count > 0 { bytes.append(contentsOf: buffer.prefix(count)) }
            return count
        }
        guard received > 0 else {
            let ended = ended
            end()
            ended?()
            return
        }
        guard bytes.count == Frame.size else { return }
        let frame = bytes.withUnsafeBytes { $0.loadUnaligned(as: Frame.self) }
        bytes.removeAll(keepingCapacity: true)
        receive(frame)
    }
}

/// The error for a failed socket call.
struct SocketError: Error {
    let call: String
    let code: Int32

    static func check(_ result: Int32, _ call: String) throws(SocketError) -> Int32 {
        guard result >= 0 else { throw SocketError(call: call, code: errno) }
        return result
    }
}

/// Sockets on the loopback address.
enum Loopback {
    #if os(Linux)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    /// Creates a listening socket and returns it with its port.
    static func listen() throws(SocketError) -> (descriptor: Int32, port: UInt16) {
        // An answer to a client that has disconnected must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let descriptor = try SocketError.check(socket(AF_INET, stream, 0), "socket")
        _ = try SocketError.check(withAddress(port: 0) { bind(descriptor, $0, $1) }, "bind")
        _ = try SocketError.check(Foundation.listen(descriptor, 128), "listen")
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = try SocketError.check(
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }, "getsockname")
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Opens a connection to `port`.
    static func connect(to port: UInt16) throws(SocketError) -> Int32 {
        let descriptor = try SocketError.check(socket(AF_INET, stream, 0), "socket")
        do throws(SocketError) {
            _ = try SocketError.check(withAddress(port: port) { Foundation.connect(descriptor, $0, $1) }, "connect")
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func withAddress(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
