import Synchronization

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The value, awaited by a task.
    ///
    ///     let page = try await load().value
    ///
    /// Subscribes on the caller's actor. Throws the sequence's error, or `CancellationError` if the task is cancelled,
    /// which disposes the subscription. If the task was cancelled before this call, and the sequence delivers its event
    /// synchronously while it is subscribed to, the task still receives that event.
    nonisolated(nonsending) public var value: Element {
        get async throws {
            guard let value = try await source.firstEvent(isolation: #isolation) else { throw RxError.noElements }
            return value
        }
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The value, awaited by a task, or `nil` if there is no value.
    ///
    ///     let row = try await cached.value ?? placeholder
    ///
    /// Subscribes on the caller's actor. Throws the sequence's error, or `CancellationError` if the task is cancelled,
    /// which disposes the subscription. If the task was cancelled before this call, and the sequence delivers its event
    /// synchronously while it is subscribed to, the task still receives that event.
    nonisolated(nonsending) public var value: Element? {
        get async throws { try await source.firstEvent(isolation: #isolation) }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The completion, awaited by a task.
    ///
    ///     try await saved.value
    ///
    /// Subscribes on the caller's actor. Throws the sequence's error, or `CancellationError` if the task is cancelled,
    /// which disposes the subscription. If the task was cancelled before this call, and the sequence delivers its event
    /// synchronously while it is subscribed to, the task still receives that event.
    nonisolated(nonsending) public var value: Void {
        get async throws { _ = try await source.firstEvent(isolation: #isolation) }
    }
}

extension Observable {
    /// Returns the first element, or `nil` if the sequence completes without one.
    ///
    /// - Parameter isolation: the actor on which the sequence is subscribed to.
    func firstEvent(isolation: isolated (any Actor)?) async throws -> Element? {
        let awaited = AwaitedEvent<Element>()
        return try await withTaskCancellationHandler {
            // Used here, so that this closure also runs on the actor.
            _ = isolation
            return try await withCheckedThrowingContinuation { awaited.wait(for: self, $0) }
        } onCancel: {
            awaited.cancel()
        }.value
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Creates a sequence of the value that `work` returns, or the error that it throws.
    ///
    ///     let page = Single.create { try await fetchPage() }
    ///
    /// Each subscription runs `work` again, in a separate task. The sequence delivers its events on the thread of that
    /// task. Disposing the subscription cancels the task.
    ///
    /// - Parameters:
    ///   - detached: whether the task inherits neither the priority nor the task-local values of the task that
    ///     subscribes.
    ///   - priority: the priority of the task. With `nil`, the task has the priority of the subscribing task, unless it
    ///     is detached.
    ///   - work: runs once for each subscriber, in a separate task.
    /// - Complexity: Nine allocations per subscription, including the allocations of its task, in addition to the
    ///   allocations of `work`.
    @_disfavoredOverload
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Element
    ) -> Single<Element> {
        create { single in
            let operation: @Sendable () async -> Void = {
                do { single(.success(try await work())) } catch { single(.failure(error)) }
            }
            let task =
                detached
                ? Task.detached(priority: priority, operation: operation)
                : Task(priority: priority, operation: operation)
            return Disposables.create { task.cancel() }
        }
    }
}

/// The state of one task that waits for the first event of a sequence.
///
/// The event, the disposal of its subscription and the cancellation of the task may happen at the same time, on three
/// threads. The first thread that takes the continuation resumes it.
final class AwaitedEvent<Element>: @unchecked Sendable {
    // @unchecked: `continuation` is written before the subscription is created. After that, only the thread that wins
    // `isResumed` accesses it.

    typealias Answer = UncheckedSendable<Element?>

    private let subscription = SingleAssignmentDisposable()
    private let isResumed = Atomic<Bool>(false)
    private var continuation: CheckedContinuation<Answer, any Error>?

    /// Subscribes, and resumes the continuation once.
    func wait(for source: Observable<Element>, _ continuation: CheckedContinuation<Answer, any Error>) {
        self.continuation = continuation
        // This also runs in a task that was cancelled earlier. Its subscription is then disposed as soon as it is
        // created, after a synchronous event.
        subscription.setDisposable(
            source.subscribe(
                onNext: { self.resume(with: .success(UncheckedSendable($0))) },
                onError: { self.resume(with: .failure($0)) },
                onCompleted: { self.resume(with: .success(UncheckedSendable(nil))) },
                // After an event this call has no effect. Without an event, the subscription was disposed.
                onDisposed: { self.resume(with: .failure(CancellationError())) }))
    }

    /// Disposes the subscription, even if it is set later.
    func cancel() { subscription.dispose() }

    private func resume(with answer: Result<Answer, any Error>) {
        // Relaxed: no memory is read that another winner could have written.
        guard !isResumed.exchange(true, ordering: .relaxed) else { return }
        let continuation = self.continuation
        self.continuation = nil
        continuation?.resume(with: answer)
    }
}

/// A value that is passed from the thread of an event to the task that waits for it.
// @unchecked: the sender releases the value, as it does for every element of a sequence that is observed on another
// scheduler. The code that builds the sequence decides whether both sides may use the value.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

extension AsyncSequence {
    /// Returns the elements as an observable.
    ///
    ///     let ticks = AsyncStream { continuation in
    ///         continuation.yield("tick")
    ///         continuation.finish()
    ///     }
    ///     _ = ticks.asObservable().subscribe { print($0) }  // next(tick), completed
    ///
    /// Each subscription iterates over the sequence in a separate task, which delivers the elements. The observable
    /// fails with the error that the sequence throws. A `CancellationError` completes it. Disposing the subscription
    /// cancels the task.
    ///
    /// - Parameter priority: the priority of the task. With `nil`, the task has the priority of the subscribing task.
    /// - Complexity: Seven allocations per subscription, including the allocations of its task. Each element adds the
    ///   allocations of the sequence.
    public func asObservable(priority: TaskPriority? = nil) -> Observable<Element> {
        SourceObservable { sink in
            let walk: AsyncWalk = AsyncSequenceWalk(self, sink: sink)
            let task = Task(priority: priority) { await walk.run() }
            sink.connect(Disposables.create { task.cancel() })
        }
    }
}

/// One subscription's iteration over an asynchronous sequence. The type does not depend on the sequence's type, so that
/// it can be passed to a task.
private class AsyncWalk: @unchecked Sendable {
    // @unchecked: created together with the subscription, and then used by only one task. If a program subscribes
    // twice, it decides whether its sequence allows several iterations.
    func run() async { fatalError("A walk overrides run().") }
}

private final class AsyncSequenceWalk<Elements: AsyncSequence>: AsyncWalk, @unchecked Sendable {
    // Kernel-internal: emit, emitEnd. A source, whose task sends the elements.
    private let sequence: Elements
    private let sink: Sink

    init(_ sequence: Elements, sink: Sink) {
        self.sequence = sequence
        self.sink = sink
    }

    override func run() async {
        do {
            for try await element in sequence {
                if sink.isStopped { return }
                var element = element
                sink.emit(&element)
            }
            end(nil)
        } catch {
            end(error is CancellationError ? nil : error)
        }
    }

    private func end(_ error: (any Error)?) {
        if !sink.isStopped { sink.emitEnd(error) }
    }
}

extension ObservableConvertibleType {
    /// The elements, as an asynchronous sequence.
    ///
    ///     for try await price in Observable.of(3, 4).values { print(price) }  // 3, 4
    ///
    /// Reading the property subscribes. Elements that arrive before the task requests them are buffered without limit.
    /// Use `values(bufferingPolicy:)` to limit the buffer. The loop ends when the sequence completes, and throws its
    /// error. Cancelling the task, or releasing the stream, disposes the subscription. In a cancelled task, the loop
    /// throws `CancellationError` after the buffered elements.
    ///
    /// - Complexity: Fourteen allocations, mostly by the stream. Each element adds the allocations of the stream's
    ///   buffer.
    public var values: AsyncThrowingStream<Element, any Error> { values(bufferingPolicy: .unbounded) }

    /// Returns the elements as an asynchronous sequence that drops some elements if the task is slower than the
    /// sequence.
    ///
    ///     let latest = Observable.of(1, 2, 3).values(bufferingPolicy: .bufferingNewest(1))
    ///     for try await value in latest { print(value) }  // 3
    ///
    /// The sequence otherwise behaves like `values`.
    ///
    /// - Parameter policy: the elements that are buffered until the task requests them: a number of the newest or
    ///   oldest elements, or all elements.
    /// - Complexity: The same as `values`.
    // Disfavoured, so that a sequence that cannot fail uses its own form.
    @_disfavoredOverload
    public func values(
        bufferingPolicy policy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy
    ) -> AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream(bufferingPolicy: policy) { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { termination in
                subscription.dispose()
                // The subscription may have ended already, before the stream is aware of it. The stream would otherwise
                // end as if it had completed.
                if case .cancelled = termination { continuation.finish(throwing: CancellationError()) }
            }
            subscription.setDisposable(
                asObservable().subscribe(
                    onNext: { element in
                        // Unsafe: same reason as `UncheckedSendable`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    onError: { continuation.finish(throwing: $0) },
                    onCompleted: { continuation.finish() },
                    // After an event this call has no effect. Without an event, the subscription was disposed.
                    onDisposed: { continuation.finish(throwing: CancellationError()) }))
        }
    }
}
