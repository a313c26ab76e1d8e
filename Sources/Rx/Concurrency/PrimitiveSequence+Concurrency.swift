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
