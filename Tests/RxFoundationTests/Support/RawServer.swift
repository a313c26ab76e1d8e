import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A server that handles one connection after the other as a test specifies, for answers that no correct server
/// sends.
///
/// Each read and each wait for a client ends after ten seconds, so that a faulty test fails and does not hang.
final class RawServer: Sendable {
    let url: URL
    private let listener: Int32
    private let isListening: Bool

    /// - Parameter handle: handles a connection on the server's thread; the connection is closed after that. Without it
    ///   the server does not listen, and connections are refused.
    init(handle: (@Sendable (RawConnection) -> Void)? = nil) {
        isListening = handle != nil
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
        listen(listener, 100)
        Thread {
            while true {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 { break }
                let connection = RawConnection(descriptor: descriptor)
                handle(connection)
                connection.close()
            }
            close(listener)
        }.start()
    }

    deinit {
        // Ends the wait for a connection. This ends the thread, which closes the socket.
        if isListening { shutdown(listener, RawServer.both) } else { close(listener) }
    }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let both = Int32(SHUT_RDWR)
    #else
        private static let stream = SOCK_STREAM
        private static let both = SHUT_RDWR
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

    /// Sends the text, unless the client has closed the connection.
    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Self.sendQuietly(descriptor, $0.baseAddress, $0.count) }
    }

    // Does not use `write`, which raises SIGPIPE on a closed connection.
    private static func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
        #else
            Darwin.send(descriptor, bytes, count, 0)
        #endif
    }

    /// Waits until the client closes its end. Returns `false` after ten seconds.
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
