import Dispatch
import Synchronization

/// Ensures that only one search counts at a time.
///
/// A search that blocks its thread may hold a thread that an asynchronous search needs, because tasks run on as many
/// threads as there are processors. Therefore it precedes waiting asynchronous searches, and interrupts a running
/// asynchronous search. The interrupted search ends at its next reading, or after the current run, and starts again
/// later. A run may take long, or may need the blocked thread. Therefore the blocking search waits for `graceSeconds`
/// at most, and then takes the turn while that run continues.
final class Turn: Sendable {
    static let shared = Turn()

    /// Identifies an asynchronous search that has received the turn.
    struct Ticket: Equatable { fileprivate let number: Int }

    private enum Holder: Equatable {
        case blocking
        case asynchronous(Ticket)
    }
    private struct State {
        var holder: Holder?
        var tickets = 0
        /// The number of asynchronous searches that have lost the turn during a run, and have not ended yet.
        var strays = 0
        var blocking: [DispatchSemaphore] = []
        var asynchronous: [CheckedContinuation<Ticket, Never>] = []

        mutating func ticket() -> Ticket {
            tickets += 1
            let ticket = Ticket(number: tickets)
            holder = .asynchronous(ticket)
            return ticket
        }
    }
    private let state = Mutex(State())
    private let graceSeconds: Double

    init(graceSeconds: Double = 2) { self.graceSeconds = graceSeconds }

    /// The number of waiting searches, for tests.
    var waiting: Int { state.withLock { $0.blocking.count + $0.asynchronous.count } }

    /// Blocks this thread until it is its turn.
    ///
    /// - Returns: false if a run of an asynchronous search has not ended, so that it may work at the same time.
    func take() -> Bool {
        let turn = DispatchSemaphore(value: 0)
        let holder = state.withLock { state in
            let holder = state.holder
            if holder == nil { state.holder = .blocking } else { state.blocking.append(turn) }
            return holder
        }
        switch holder {
        case nil: break
        case .blocking: turn.wait()
        case .asynchronous(let ticket):
            if turn.wait(timeout: .now() + graceSeconds) == .timedOut { takeAway(from: ticket, turn) }
        }
        return state.withLock { $0.strays == 0 }
    }

    /// Takes the turn from an asynchronous search that has not ended. Waits for the turn if that search no longer has
    /// it.
    private func takeAway(from ticket: Ticket, _ turn: DispatchSemaphore) {
        let isTaken = state.withLock { state in
            guard state.holder == .asynchronous(ticket) else { return false }
            state.holder = .blocking
            state.strays += 1
            state.blocking.removeAll { $0 === turn }
            return true
        }
        if !isTaken { turn.wait() }
    }

    /// Suspends until it is this task's turn.
    nonisolated(nonsending) func taken() async -> Ticket {
        // Searches that block their threads, and that were started before this search, receive the turn first.
        // Otherwise they would interrupt this search.
        try? await Task.sleep(for: .milliseconds(5))
        return await withCheckedContinuation { continuation in
            let ticket: Ticket? = state.withLock { state in
                if state.holder == nil { return state.ticket() }
                state.asynchronous.append(continuation)
                return nil
            }
            if let ticket { continuation.resume(returning: ticket) }
        }
    }

    /// Whether an asynchronous search must end, because a blocking search waits for the turn or has it.
    func isInterrupted(_ ticket: Ticket) -> Bool {
        state.withLock { $0.holder != .asynchronous(ticket) || !$0.blocking.isEmpty }
    }

    /// Whether an asynchronous search still has the turn.
    func isHeld(by ticket: Ticket) -> Bool { state.withLock { $0.holder == .asynchronous(ticket) } }

    /// Whether a blocking search waits for the turn, or has it.
    var isWantedByBlocking: Bool { state.withLock { $0.holder == .blocking || !$0.blocking.isEmpty } }

    /// Ends the turn of the search that has it.
    ///
    /// - Parameter ticket: the ticket of an asynchronous search, which may have lost the turn.
    func pass(_ ticket: Ticket? = nil) {
        let next: (DispatchSemaphore?, CheckedContinuation<Ticket, Never>?, Ticket?) = state.withLock { state in
            if let ticket, state.holder != .asynchronous(ticket) {
                state.strays -= 1
                return (nil, nil, nil)
            }
            if !state.blocking.isEmpty {
                state.holder = .blocking
                return (state.blocking.removeFirst(), nil, nil)
            }
            state.holder = nil
            if state.asynchronous.isEmpty { return (nil, nil, nil) }
            return (nil, state.asynchronous.removeFirst(), state.ticket())
        }
        next.0?.signal()
        if let ticket = next.2 { next.1?.resume(returning: ticket) }
    }
}
