import Foundation
import Rx

extension Reactive where Base: OperationQueue {
    /// A scheduler that runs work as operations of the queue, whose `maxConcurrentOperationCount` and `isSuspended`
    /// then hold for it.
    ///
    ///     let queue = OperationQueue()
    ///     let loaded = urls.observe(on: queue.rx.scheduler(priority: .low)).map(load)
    ///
    /// - Parameter priority: the priority of the operations.
    public func scheduler(priority: Operation.QueuePriority = .normal) -> OperationQueueScheduler {
        OperationQueueScheduler(operationQueue: base, queuePriority: priority)
    }

    /// The result of `work`, or the error that it throws, run as an operation of the queue once for each subscriber.
    ///
    ///     let queue = OperationQueue()
    ///     _ = queue.rx.perform(priority: .high) { 6 * 7 }.subscribe(onSuccess: { print($0) })  // 42
    ///
    /// Disposing the subscription before the work has begun prevents it; later it drops the result. The result is
    /// delivered by the operation.
    ///
    /// - Parameters:
    ///   - priority: the priority of the operation.
    ///   - work: run in an operation of the queue.
    /// - Complexity: As `perform(_:)` of a dispatch queue, with an operation in place of the turn.
    public func perform<Value>(
        priority: Operation.QueuePriority = .normal, _ work: @escaping @Sendable () throws -> Value
    ) -> Single<Value> {
        scheduler(priority: priority).perform(work)
    }
}
