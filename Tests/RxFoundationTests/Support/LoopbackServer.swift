import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// An HTTP server on a free port of this machine, with one route for each kind of answer.
final class LoopbackServer: Sendable {
    /// The content of a request to `/echo`.
    struct Echo: Codable, Equatable {
        var method: String
        var body: String
        var headers: [String: String]
    }

    private let server: HTTPServer
    private let running: Task<Void, any Error>
    private let port: UInt16
    /// The number of requests that have arrived.
    let requests: Counter

    init() async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        let requests = Counter()
        await server.appendRoute("/hello") { _ in
            requests.increment()
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: Data("hello".utf8))
        }
        await server.appendRoute("/empty") { _ in HTTPResponse(statusCode: .noContent) }
        await server.appendRoute("/missing") { _ in
            HTTPResponse(statusCode: .notFound, body: Data("no such thing".utf8))
        }
        await server.appendRoute("/letter") { _ in HTTPResponse(statusCode: .notFound, body: Data("x".utf8)) }
        await server.appendRoute("/person") { _ in HTTPResponse(statusCode: .ok, body: Data(#"{"name":"Ada"}"#.utf8)) }
        await server.appendRoute("/fragment") { _ in HTTPResponse(statusCode: .ok, body: Data("42".utf8)) }
        await server.appendRoute("/malformed") { _ in HTTPResponse(statusCode: .ok, body: Data(#"{"name":"#.utf8)) }
        await server.appendRoute("/echo") { request in
            let headers = Dictionary(
                uniqueKeysWithValues: request.headers.map { ($0.key.rawValue.lowercased(), $0.value) })
            let echo = Echo(
                method: request.method.rawValue, body: String(decoding: try await request.bodyData, as: UTF8.self),
                headers: headers)
            return HTTPResponse(statusCode: .ok, body: try JSONEncoder().encode(echo))
        }
        running = Task { try await server.run() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port) = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
        self.server = server
        self.port = port
        self.requests = requests
    }

    func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

    func stop() async {
        await server.stop()
        running.cancel()
    }
}

/// A number that any thread may increment.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}
