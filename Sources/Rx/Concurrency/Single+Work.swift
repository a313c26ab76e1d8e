extension PrimitiveSequenceType where Trait == SingleTrait {
    /// What `work` returns, or the error that it throws.
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
