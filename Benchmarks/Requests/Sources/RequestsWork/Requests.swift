import Dispatch
import Rx
import RxBench
import Synchronization

/// A server, its client, and the requests between them.
public final class Requests: Sendable {
    /// A request that was served.
    public struct Served: Sendable {
        /// The ID of the request.
        public let id: Int
        /// The time from the subscription to the answer, including all attempts.
        public let nanoseconds: UInt64

        /// Creates a served request with its duration.
        public init(id: Int, nanoseconds: UInt64) {
            self.id = id
            self.nanoseconds = nanoseconds
        }
    }

    /// The maximum number of concurrent requests.
    public static let concurrency = 32
    /// The timeout of an attempt. It is much longer than an answer takes, also on a busy machine.
    private static let timeout = RxTimeInterval.milliseconds(250)
    private static let attempts = 6

    /// The server.
    public let server: Server
    private let client: Client
    private let count: Int
    private let timers = SerialDispatchQueueScheduler(qos: .userInitiated)

    /// Starts a server for `count` requests.
    public init(count: Int, faults: Faults) throws {
        self.count = count
        server = try Server(requests: count, faults: faults)
        client = Client(port: server.port)
    }

    /// Closes all connections.
    public func stop() {
        client.close()
        server.stop()
    }

    /// All requests as streams. They share a token. Each has a timeout and retries, and `concurrency` run at a time.
    public var streams: Observable<Served> {
        let (client, timers) = (client, timers)
        let token = client.token.retry(Self.attempts).share(replay: 1, scope: .forever)
        return Observable.range(start: 0, count: count)
            .map { id in
                Observable.deferred {
                    let start = MonotonicClock.nanoseconds
                    return token.flatMap { client.request(id, token: $0) }
                        .timeout(Self.timeout, scheduler: timers)
                        .retry(Self.attempts)
                        .map { Served(id: $0, nanoseconds: MonotonicClock.nanoseconds - start) }
                }
            }
            .merge(maxConcurrent: Self.concurrency)
            // The first requests begin before the token arrives. A request that subscribed to the shared token on
            // another thread, just as it completed, would request a second token.
            .subscribe(on: client.scheduler)
    }

    /// Performs ``streams`` and returns the served requests.
    public func perform() throws -> [Served] {
        let served = Mutex<[Served]>([])
        let failure = Mutex<(any Error)?>(nil)
        let ended = DispatchSemaphore(value: 0)
        served.withLock { $0.reserveCapacity(count) }
        let subscription = streams.subscribe(
            onNext: { element in served.withLock { $0.append(element) } },
            onError: { error in failure.withLock { $0 = error } }, onDisposed: { ended.signal() })
        defer { subscription.dispose() }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Stalled() }
        if let error = failure.withLock({ $0 }) { throw error }
        return served.withLock { $0 }
    }

    /// Performs the same requests with hand-written code, without timeouts and retries. It has the same concurrency:
    /// each lane sends its next request in the answer to the previous one.
    public func performByHand() throws -> [Served] {
        let lanes = Lanes(client: client, count: count)
        return try lanes.perform(Self.concurrency)
    }

    /// Returns one sentence for each error in the served requests and in the server's journal.
    public static func problems(_ served: [Served], _ journal: Server.Journal, faults: Faults) -> [String] {
        var problems: [String] = []
        var answers = Array(repeating: 0, count: journal.attempts.count)
        for element in served { answers[element.id] += 1 }
        for (id, count) in answers.enumerated() where count != 1 {
            problems.append("Request \(id) was answered \(count) times.")
        }
        for (id, attempts) in journal.attempts.enumerated() {
            let fewest = faults.spoil(id) ? 2 : 1
            if attempts < fewest { problems.append("Request \(id) arrived \(attempts) times, not \(fewest).") }
        }
        if journal.tokens != 1 { problems.append("The token was asked for \(journal.tokens) times.") }
        if journal.strangers != 0 { problems.append("\(journal.strangers) requests had no token.") }
        return problems
    }
}

/// The error for requests that did not end.
struct Stalled: Error {}

/// The hand-written requests.
// @unchecked: used on the client's queue only, and by the waiting thread after it was signalled.
private final class Lanes: @unchecked Sendable {
    private let client: Client
    private let count: Int
    private var next = 0
    private var served: [Requests.Served] = []
    private var failure: (any Error)?
    private let ended = DispatchSemaphore(value: 0)

    init(client: Client, count: Int) {
        self.client = client
        self.count = count
        served.reserveCapacity(count)
    }

    func perform(_ lanes: Int) throws -> [Requests.Served] {
        client.sendForToken { token in
            switch token {
            case .success(let token): for _ in 0..<min(lanes, self.count) { self.step(token) }
            case .failure(let error): self.end(error)
            }
        }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Stalled() }
        if let failure { throw failure }
        return served
    }

    private func step(_ token: Int64) {
        guard next < count else { return }
        let id = next
        next += 1
        let start = MonotonicClock.nanoseconds
        client.send(id, token: token) { result in
            if case .failure(let error) = result { return self.end(error) }
            self.served.append(Requests.Served(id: id, nanoseconds: MonotonicClock.nanoseconds - start))
            if self.served.count == self.count { self.ended.signal() } else { self.step(token) }
        }
    }

    private func end(_ error: any Error) {
        failure = error
        ended.signal()
    }
}
