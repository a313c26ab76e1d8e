import Dispatch
import Foundation

/// The possible answers of a server.
public enum Answer: Int64, Sendable {
    /// The request was served.
    case served = 1
    /// The request failed and may be sent again.
    case failed = 2
}

/// The first attempts that a server spoils. It serves all later attempts.
public struct Faults: Sendable {
    /// The first attempt of a request fails if its ID is a multiple of this.
    public let failing: Int64
    /// The first attempt of a request gets no answer if its ID is a multiple of this.
    public let silent: Int64

    /// Every hundredth request fails, and every thousandth gets no answer.
    public static let usual = Faults(failing: 100, silent: 1_000)
    /// Each request is served on its first attempt.
    public static let none = Faults(failing: .max, silent: .max)

    /// Creates faults for multiples of the given IDs; `.max` disables a fault.
    public init(failing: Int64, silent: Int64) {
        self.failing = failing
        self.silent = silent
    }

    /// Returns whether the first attempt of a request is spoiled. The request with ID 0 is never spoiled.
    public func spoil(_ id: Int) -> Bool { id > 0 && (isSilent(Int64(id)) || isFailing(Int64(id))) }

    func isSilent(_ id: Int64) -> Bool { id > 0 && id % silent == 0 }
    func isFailing(_ id: Int64) -> Bool { id > 0 && id % failing == 0 }
}

/// A server on the loopback address that issues a token and serves requests that carry it.
// @unchecked: all variables are used on the queue only.
public final class Server: @unchecked Sendable {
    /// The requests that a server has received.
    public struct Journal: Sendable, Equatable {
        /// The number of times that each request arrived, by ID.
        public var attempts: [Int]
        /// The number of requests for a token.
        public var tokens = 0
        /// The number of requests without the right token.
        public var strangers = 0
    }

    /// The port on which the server listens.
    public let port: UInt16
    private static let token: Int64 = 0x746f_6b65_6e
    private let queue = DispatchQueue(label: "requests.server", qos: .userInitiated)
    private let faults: Faults
    private let listener: any DispatchSourceRead
    private var connections: [ObjectIdentifier: FrameSocket] = [:]
    private var journal: Journal

    /// Starts a server for `count` requests.
    public init(requests count: Int, faults: Faults) throws {
        let (descriptor, port) = try Loopback.listen()
        self.port = port
        self.faults = faults
        journal = Journal(attempts: Array(repeating: 0, count: count))
        listener = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        listener.setCancelHandler { close(descriptor) }
        listener.setEventHandler { [unowned self] in accept(from: descriptor) }
        listener.activate()
    }

    /// Ends all connections and stops the server.
    public func stop() {
        queue.sync {
            listener.cancel()
            for connection in connections.values { connection.end() }
            connections = [:]
        }
    }

    /// Returns and resets the journal since the last call.
    public func takeJournal() -> Journal {
        queue.sync {
            defer { journal = Journal(attempts: Array(repeating: 0, count: journal.attempts.count)) }
            return journal
        }
    }

    private func accept(from listener: Int32) {
        let descriptor = Foundation.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        // Set below, before a frame can arrive: this code runs on the queue that receives frames.
        var answering: FrameSocket?
        let connection = FrameSocket(descriptor, queue: queue) { [unowned self] frame in
            if let answer = answer(to: frame) { answering?.send(Frame(id: frame.id, word: answer)) }
        } end: { [unowned self] in
            if let ended = answering { connections[ObjectIdentifier(ended)] = nil }
            answering = nil
        }
        answering = connection
        connections[ObjectIdentifier(connection)] = connection
    }

    /// Returns the answer's word, or `nil` to send no answer.
    private func answer(to frame: Frame) -> Int64? {
        guard frame.id != Frame.tokenID else {
            journal.tokens += 1
            return Self.token
        }
        guard frame.word == Self.token, journal.attempts.indices.contains(Int(frame.id)) else {
            journal.strangers += 1
            return Answer.failed.rawValue
        }
        journal.attempts[Int(frame.id)] += 1
        guard journal.attempts[Int(frame.id)] == 1 else { return Answer.served.rawValue }
        if faults.isSilent(frame.id) { return nil }
        return (faults.isFailing(frame.id) ? Answer.failed : .served).rawValue
    }
}
