import Foundation

extension PublishedLeak {
    /// A common report about request and reply over a socket: the continuation of a request is kept by its number, and
    /// is never resumed if the reply is lost. The published mend resumes all pending requests when the connection
    /// closes.
    static let neverResumedContinuation = PublishedLeak(
        name: "never-resumed-continuation",
        expected: Expectation(
            "QuoteRequest", heldBy: "QuoteSocket.pending", "Task", change: "QuoteSocket.pending", "QuoteClient.quote("),
        innocents: { count in (0..<count).map { QuoteRequest(symbol: "S\($0)") } },
        leaky: .asynchronous {
            let client = QuoteClient(socket: .shared)
            client.start(QuoteRequest(symbol: "AAPL"))
            await QuoteSocket.shared.waitForRequest()
        },
        fixed: .asynchronous {
            let client = QuoteClient(socket: .shared)
            client.start(QuoteRequest(symbol: "AAPL"))
            await QuoteSocket.shared.waitForRequest()
            await QuoteSocket.shared.close()
        })
}

private final class QuoteRequest: Sendable {
    let id = UUID()
    let symbol: String

    init(symbol: String) { self.symbol = symbol }
}

private actor QuoteSocket {
    static let shared = QuoteSocket()

    struct Closed: Error {}

    private var pending: [UUID: CheckedContinuation<Double, any Error>] = [:]
    private let sent = AsyncStream<UUID>.makeStream()

    func send(_ request: QuoteRequest) async throws -> Double {
        try await withCheckedThrowingContinuation { continuation in
            pending[request.id] = continuation
            sent.continuation.yield(request.id)
        }
    }

    func receive(_ price: Double, for id: UUID) { pending.removeValue(forKey: id)?.resume(returning: price) }

    /// Waits until a request has been sent.
    func waitForRequest() async { for await _ in sent.stream { break } }

    func close() {
        pending.values.forEach { $0.resume(throwing: Closed()) }
        pending.removeAll()
    }
}

private final class QuoteClient: Sendable {
    private let socket: QuoteSocket

    init(socket: QuoteSocket) { self.socket = socket }

    func start(_ request: QuoteRequest) { Task { await self.quote(request) } }

    private func quote(_ request: QuoteRequest) async -> Double? {
        let price = try? await socket.send(request)
        return price.map { $0 * Double(request.symbol.count) }
    }
}
