import Foundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A server of one connection that does with it what a test says: for answers that no proper server gives.
///
/// Every read and the wait for a client end after ten seconds, so that a test that goes wrong fails and does not hang.
final class RawServer: Sendable {
    let url: URL
    private let listener: Int32

    /// - Parameter handle: what to do with the connection, on a thread of its own. Without it the server does not listen: connections are refused.
    init(handle: (@Sendable (RawConnection) -> Void)? = nil) {
        listener = socket(AF_INET, RawServer.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
        }
        url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")!
        guard let handle else { return }
        RawConnection.limitWaiting(of: listener)
        listen(listener, 1)
        Thread {
            let connection = RawConnection(descriptor: accept(listener, nil, nil))
            handle(connection)
            connection.close()
        }.start()
    }

    deinit { close(listener) }

#if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
#else
    private static let stream = SOCK_STREAM
#endif
}

/// The server's end of a connection.
struct RawConnection {
    fileprivate let descriptor: Int32

    fileprivate init(descriptor: Int32) {
        self.descriptor = descriptor
        Self.limitWaiting(of: descriptor)
    }

    fileprivate static func limitWaiting(of descriptor: Int32) {
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns when the head of a request has arrived.
    func readRequest() {
        var seen: [UInt8] = []
        var byte: UInt8 = 0
        while seen.suffix(4) != [13, 10, 13, 10], read(descriptor, &byte, 1) == 1 { seen.append(byte) }
    }

    func send(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }

    /// Returns when the client closes its end: `false` if it has not after ten seconds.
    func waitUntilClientCloses() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }

    fileprivate func close() {
#if canImport(Glibc)
        Glibc.close(descriptor)
#else
        Darwin.close(descriptor)
#endif
    }
}
