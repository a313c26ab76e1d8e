import Dispatch
import Rx

/// A client that keeps connections open for the next request.
// @unchecked: everything but the constants is used on the queue alone.
public final class Client: @unchecked Sendable {
    /// A request that the server would not serve.
    public struct Refused: Error {}

    /// A connection, with the request that it is waiting for.
    private final class Connection {
        var socket: FrameSocket?
        var completion: ((Result<Int64, any Error>) -> Void)?

        func end(_ result: Result<Int64, any Error>) {
            let completion = completion
            self.completion = nil
            completion?(result)
        }
    }

    private let queue = DispatchQueue(label: "requests.client", qos: .userInitiated)
    /// Runs work between the client's answers, and not beside them.
    let scheduler: SerialDispatchQueueScheduler
    private let port: UInt16
    private var idle: [Connection] = []

    /// A client of the server at `port`, without connections yet.
    public init(port: UInt16) {
        self.port = port
        scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "requests.client.scheduler")
    }

    /// Ends the connections that wait for a request.
    public func close() {
        queue.sync {
            for connection in idle { connection.socket?.end() }
            idle = []
        }
    }

    /// A token for the requests, asked for anew by each subscription.
    public var token: Observable<Int64> { exchange(Frame(id: Frame.tokenID, word: 0)) }

    /// The request `id`, sent by each subscription: its ID once it has been served.
    ///
    /// Disposed before, it ends its connection, as an answer may still come over it.
    public func request(_ id: Int, token: Int64) -> Observable<Int> {
        exchange(Frame(id: Int64(id), word: token)).map { word in
            guard Answer(rawValue: word) == .served else { throw Refused() }
            return id
        }
    }

    private func exchange(_ frame: Frame) -> Observable<Int64> {
        .create { observer in
            let cancel = self.send(frame) { result in
                switch result {
                case .success(let word):
                    observer.onNext(word)
                    observer.onCompleted()
                case .failure(let error): observer.onError(error)
                }
            }
            return Disposables.create(with: cancel)
        }
    }

    /// Sends a request, and calls `completion` on the client's queue with the answer's word.
    func send(_ id: Int, token: Int64, _ completion: @escaping @Sendable (Result<Int64, any Error>) -> Void) {
        _ = send(Frame(id: Int64(id), word: token), completion)
    }

    /// Asks for a token.
    func sendForToken(_ completion: @escaping @Sendable (Result<Int64, any Error>) -> Void) {
        _ = send(Frame(id: Frame.tokenID, word: 0), completion)
    }

    /// Returns a closure that gives the request up.
    private func send(
        _ frame: Frame, _ completion: @escaping @Sendable (Result<Int64, any Error>) -> Void
    ) -> @Sendable () -> Void {
        let request = Request(completion)
        queue.async { self.start(request, frame) }
        return { self.queue.async { self.giveUp(request) } }
    }

    /// A request under way.
    // @unchecked: used on the client's queue alone.
    private final class Request: @unchecked Sendable {
        let completion: @Sendable (Result<Int64, any Error>) -> Void
        var connection: Connection?
        var isGivenUp = false

        init(_ completion: @escaping @Sendable (Result<Int64, any Error>) -> Void) { self.completion = completion }
    }

    private func start(_ request: Request, _ frame: Frame) {
        guard !request.isGivenUp else { return }
        do {
            let connection = try idle.popLast() ?? connect()
            request.connection = connection
            connection.completion = { [unowned self] result in
                request.connection = nil
                if case .success = result { idle.append(connection) }
                request.completion(result)
            }
            connection.socket?.send(frame)
        } catch {
            request.completion(.failure(error))
        }
    }

    private func giveUp(_ request: Request) {
        request.isGivenUp = true
        guard let connection = request.connection else { return }
        request.connection = nil
        connection.completion = nil
        connection.socket?.end()
    }

    private func connect() throws -> Connection {
        let connection = Connection()
        connection.socket = FrameSocket(try Loopback.connect(to: port), queue: queue) { [unowned connection] frame in
            connection.end(.success(frame.word))
        } end: { [unowned connection] in
            connection.end(.failure(SocketError(call: "read", code: 0)))
        }
        return connection
    }
}
