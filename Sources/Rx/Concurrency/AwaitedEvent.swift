import Synchronization

/// One task that waits for the first event of a sequence.
///
/// The event, its subscription's disposal and the cancellation of the task may come at the same time, on three threads:
/// the first to take the continuation resumes it.
final class AwaitedEvent<Element>: @unchecked Sendable {
    // @unchecked: `continuation` is written before the subscription is made, and then touched only by the one that wins
    // `isResumed`.

    typealias Answer = UncheckedSendable<Element?>

    private let subscription = SingleAssignmentDisposable()
    private let isResumed = Atomic<Bool>(false)
    private var continuation: CheckedContinuation<Answer, any Error>?

    /// Subscribes, and resumes the continuation once.
    func wait(for source: Observable<Element>, _ continuation: CheckedContinuation<Answer, any Error>) {
        self.continuation = continuation
        // Also in a task that was cancelled before it came here: its subscription is disposed as soon as it is made,
        // after a synchronous answer.
        subscription.setDisposable(
            source.subscribe(
                onNext: { self.resume(with: .success(UncheckedSendable($0))) },
                onError: { self.resume(with: .failure($0)) },
                onCompleted: { self.resume(with: .success(UncheckedSendable(nil))) },
                // After an event this comes second; otherwise the subscription was disposed before one.
                onDisposed: { self.resume(with: .failure(CancellationError())) }))
    }

    /// Disposes the subscription, which may be yet to come.
    func cancel() { subscription.dispose() }

    private func resume(with answer: Result<Answer, any Error>) {
        // Relaxed: nothing is read that another winner could have written.
        guard !isResumed.exchange(true, ordering: .relaxed) else { return }
        let continuation = self.continuation
        self.continuation = nil
        continuation?.resume(with: answer)
    }
}

/// A value on its way from the thread of an event to the task that waits for it.
// @unchecked: the sender lets go of it, as it does with every element of a sequence that is observed on another
// scheduler. Whether it may be used on both sides is decided where the sequence is built.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
