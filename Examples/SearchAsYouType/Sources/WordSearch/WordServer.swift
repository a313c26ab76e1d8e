import FlyingFox
import FlyingSocks
import Foundation
import Rx
import RxFoundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server on a free port of this machine that looks up words. It fails at regular intervals.
public final class WordServer: Sendable {
    public static let words = [
        "observable", "observer", "subject", "subscribe", "subscription", "scheduler", "sequence", "share", "signal",
        "single", "throttle", "timer", "trait",
    ]

    private let server: HTTPServer
    private let running: Task<Void, any Error>
    private let port: UInt16

    /// - Parameter failing: The interval of failing requests: with 3, every third request fails; 0 disables failures.
    public init(failing: Int) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        let requests = Requests()
        await server.appendRoute("/words") { request in
            if failing > 0, requests.next().isMultiple(of: failing) {
                return HTTPResponse(statusCode: .internalServerError)
            }
            let text = request.query["text"] ?? ""
            return HTTPResponse(
                statusCode: .ok, body: try JSONEncoder().encode(Self.words.filter { $0.hasPrefix(text) }))
        }
        running = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
        self.server = server
        self.port = port
    }

    /// Returns the words that begin with a text. Each subscription sends one request.
    public func find(_ text: String, in session: URLSession) -> Observable<[String]> {
        var address = URLComponents()
        (address.scheme, address.host, address.port, address.path) = ("http", "127.0.0.1", Int(port), "/words")
        address.queryItems = [URLQueryItem(name: "text", value: text)]
        guard let url = address.url else { return .error(URLError(.badURL)) }
        return session.rx.data(request: URLRequest(url: url)).decode(type: [String].self, decoder: JSONDecoder())
    }

    public func stop() async {
        await server.stop()
        running.cancel()
    }
}

/// The number of requests.
private final class Requests: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
