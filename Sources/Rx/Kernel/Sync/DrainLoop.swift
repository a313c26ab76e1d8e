import Synchronization

/// Turns recursion into a loop: the first to ask runs the work, and a request meanwhile only adds a round.
///
/// An inner sequence that ends synchronously asks for its successor from inside the call that
/// subscribed it. Through a drain loop that request returns at once and the outer call makes another
/// round, so that 100,000 synchronous inners need one stack frame.
@usableFromInline
struct DrainLoop: ~Copyable, Sendable {
    private let rounds = Atomic<Int>(0)

    @usableFromInline init() {}

    /// Runs `round` once for this request, and for each that arrives while it runs.
    @usableFromInline
    func request(_ round: () -> Void) {
        // Acquiring and releasing: a round sees what every request before it wrote.
        guard rounds.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat { round() } while rounds.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
