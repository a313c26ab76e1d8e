import Synchronization

/// How a subject has ended, once it has.
struct TerminalState: ~Copyable, Sendable {
    /// What a late subscriber gets: an error, or completion.
    struct Outcome { let error: (any Error)? }

    enum State { case open, ended(Outcome), disposed }

    private let isOpen = Atomic<Bool>(true)
    private let state = Guarded(State.open)

    /// With what later subscribers of `subject` end, if it has ended or was disposed.
    func outcome(of subject: AnyObject) -> Outcome? {
        // Acquiring: pairs with the store after the state was set.
        if isOpen.load(ordering: .acquiring) { return nil }
        return state.withLock { state in
            switch state {
            case .open: nil
            case .ended(let outcome): outcome
            // Made when asked for: kept in the subject, it would keep the subject.
            case .disposed: Outcome(error: RxError.disposed(object: subject))
            }
        }
    }

    var isDisposed: Bool {
        state.withLock { if case .disposed = $0 { true } else { false } }
    }

    /// `true` for the first stop event.
    func end(_ error: (any Error)?) -> Bool {
        let wins = state.withLock { state in
            guard case .open = state else { return false }
            state = .ended(Outcome(error: error))
            return true
        }
        // Releasing: who sees that it is closed sees the state.
        if wins { isOpen.store(false, ordering: .releasing) }
        return wins
    }

    func dispose() {
        state.withLock { $0 = .disposed }
        isOpen.store(false, ordering: .releasing)
    }
}
