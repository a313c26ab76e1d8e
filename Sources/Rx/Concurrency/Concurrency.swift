import Synchronization

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The value, for a task to wait for.
    ///
    ///     let page = try await load().value
    ///
    /// Subscribes on the caller's actor. Throws the sequence's error, or `CancellationError` once the task is
    /// cancelled, which disposes the subscription; a task that was cancelled before still has the answer of a sequence
    /// that answers while it is subscribed to.
    nonisolated(nonsending) public var value: Element {
        get async throws {
            guard let value = try await source.firstEvent(isolation: #isolation) else { throw RxError.noElements }
            return value
        }
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The value, for a task to wait for; `nil` if there is none.
    ///
    ///     let row = try await cached.value ?? placeholder
    ///
    /// Subscribes on the caller's actor. Throws the sequence's error, or `CancellationError` once the task is
    /// cancelled, which disposes the subscription; a task that was cancelled before still has the answer of a sequence
    /// that answers while it is subscribed to.
    nonisolated(nonsending) public var value: Element? {
        get async throws { try await source.firstEvent(isolation: #isolation) }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The completion, for a task to wait for.
    ///
    ///     try await saved.value
    ///
    /// Subscribes on the caller's actor. Throws the sequence's error, or `CancellationError` once the task is
    /// cancelled, which disposes the subscription; a task that was cancelled before still has the answer of a sequence
    /// that answers while it is subscribed to.
    nonisolated(nonsending) public var value: Void {
        get async throws { _ = try await source.firstEvent(isolation: #isolation) }
    }
}

extension Observable {
    /// The first element, or `nil` if the sequence completes without one.
    ///
    /// - Parameter isolation: the actor on which the sequence is subscribed to.
    func firstEvent(isolation: isolated (any Actor)?) async throws -> Element? {
        let awaited = AwaitedEvent<Element>()
        return try await withTaskCancellationHandler {
            // Named, so that this closure stays on the actor too.
            _ = isolation
            return try await withCheckedThrowingContinuation { awaited.wait(for: self, $0) }
        } onCancel: {
            awaited.cancel()
        }.value
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The value that `work` returns, or the error that it throws.
    ///
    ///     let page = Single.create { try await fetchPage() }
    ///
    /// Each subscription runs it anew, in a task of its own, on which thread the sequence goes on. Disposing the
    /// subscription cancels the task.
    ///
    /// - Parameters:
    ///   - detached: whether the task inherits nothing of the one that subscribes: neither priority nor task-local
    ///     values.
    ///   - priority: that of the task; with `nil`, that of the task which subscribes, unless it is detached.
    ///   - work: run once for each subscriber, in a task of its own.
    /// - Complexity: Nine allocations per subscription, those of its task among them, beside those of `work`.
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

extension AsyncSequence {
    /// The elements, as an observable.
    ///
    ///     let ticks = AsyncStream { continuation in
    ///         continuation.yield("tick")
    ///         continuation.finish()
    ///     }
    ///     _ = ticks.asObservable().subscribe { print($0) }  // next(tick), completed
    ///
    /// Each subscription goes through the sequence in a task of its own, where its elements are delivered. The
    /// observable fails with what the sequence throws; a `CancellationError` completes it. Disposing the subscription
    /// cancels the task.
    ///
    /// - Parameter priority: that of the task; with `nil`, that of the task which subscribes.
    /// - Complexity: Seven allocations per subscription, those of its task among them; per element those of the
    ///   sequence.
    public func asObservable(priority: TaskPriority? = nil) -> Observable<Element> {
        SourceObservable { sink in
            let walk: AsyncWalk = AsyncSequenceWalk(self, sink: sink)
            let task = Task(priority: priority) { await walk.run() }
            sink.connect(Disposables.create { task.cancel() })
        }
    }
}

/// One subscription's way through an asynchronous sequence, without the sequence's type, so that a task can be handed
/// it.
private class AsyncWalk: @unchecked Sendable {
    // @unchecked: made where the subscription is, and then used by one task alone. A program that subscribes twice
    // decides whether its sequence allows several.
    func run() async { fatalError("A walk overrides run().") }
}

private final class AsyncSequenceWalk<Elements: AsyncSequence>: AsyncWalk, @unchecked Sendable {
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
        if !sink.isStopped { sink.end(error) }
    }
}

extension ObservableConvertibleType {
    /// The elements, for a task to go through.
    ///
    ///     for try await price in Observable.of(3, 4).values { print(price) }  // 3, 4
    ///
    /// Reading the property subscribes: elements that come before the task asks for them are kept, however many they
    /// are; `values(bufferingPolicy:)` bounds them. The loop ends when the sequence completes, and throws its error.
    /// Cancelling the task, or letting go of the stream, disposes the subscription; in a cancelled task the loop throws
    /// `CancellationError` after the elements that were kept.
    ///
    /// - Complexity: Fourteen allocations, most of them the stream's; per element those of the stream's buffer.
    public var values: AsyncThrowingStream<Element, any Error> { values(bufferingPolicy: .unbounded) }

    /// The elements, for a task to go through, of which some are dropped if the task is slower than the sequence.
    ///
    ///     let latest = Observable.of(1, 2, 3).values(bufferingPolicy: .bufferingNewest(1))
    ///     for try await value in latest { print(value) }  // 3
    ///
    /// As `values`.
    ///
    /// - Parameter policy: which elements are kept until the task asks for them: the newest or the oldest of a number,
    ///   or all.
    /// - Complexity: As `values`.
    // Disfavoured, so that a sequence that cannot fail has the form of its own.
    @_disfavoredOverload
    public func values(
        bufferingPolicy policy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy
    ) -> AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream(bufferingPolicy: policy) { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { termination in
                subscription.dispose()
                // The subscription may be at its end already, of which the stream has not heard: it would end as if it
                // had completed.
                if case .cancelled = termination { continuation.finish(throwing: CancellationError()) }
            }
            subscription.setDisposable(
                asObservable().subscribe(
                    onNext: { element in
                        // Unsafe: as `UncheckedSendable`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    onError: { continuation.finish(throwing: $0) },
                    onCompleted: { continuation.finish() },
                    // After an event this changes nothing; otherwise the subscription was disposed before one.
                    onDisposed: { continuation.finish(throwing: CancellationError()) }))
        }
    }
}
