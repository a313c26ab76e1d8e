import Dispatch
import Rx

/// A client that keeps connections open for later requests.
// @unchecked: all variables are used on the queue only.
public final class Client: @unchecked Sendable {
    /// The error for a request that the server refused to serve.
    public struct Refused: Error {}

    /// A connection, and the completion of the request that waits for its answer.
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
    /// Runs work on the client's queue, so that it does not run concurrently with the client's answers.
    let scheduler: SerialDispatchQueueScheduler
    private let port: UInt16
    private var idle: [Connection] = []

    /// Creates a client of the server at `port`, without connections.
    public init(port: UInt16) {
        self.port = port
        scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "requests.client.scheduler")
    }

    /// Ends the idle connections.
    public func close() {
        queue.sync {
            for connection in idle { connection.socket?.end() }
            idle = []
        }
    }

    /// A token for the requests. Each subscription requests a new token.
    public var token: Observable<Int64> { exchange(Frame(id: Frame.tokenID, word: 0)) }

    /// The request `id`, which each subscription sends. Its element is the ID, sent when the request has been served.
    ///
    /// Disposal before the answer ends the connection, because the answer may still arrive over it.
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

    /// Requests a token.
    func sendForToken(_ completion: @escaping @Sendable (Result<Int64, any Error>) -> Void) {
        _ = send(Frame(id: Frame.tokenID, word: 0), completion)
    }

    /// Returns a closure that abandons the request.
    private func send(
        _ frame: Frame, _ completion: @escaping @Sendable (Result<Int64, any Error>) -> Void
    ) -> @Sendable () -> Void {
        let request = Request(completion)
        queue.async { self.start(request, frame) }
        return { self.queue.async { self.giveUp(request) } }
    }

    /// An outstanding request.
    // @unchecked: used on the client's queue only.
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
