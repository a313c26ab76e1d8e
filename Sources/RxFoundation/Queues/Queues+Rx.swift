import Dispatch
import Foundation
import Rx

#if !canImport(Darwin)
    /// Gives a dispatch queue the `rx` property. On Apple platforms, a dispatch queue has it as an `NSObject`.
    extension DispatchQueue: ReactiveCompatible {}
#endif

extension Reactive where Base: DispatchQueue {
    /// Returns a scheduler that runs work on the queue serially, in the order in which it was scheduled, even on a
    /// concurrent queue.
    ///
    ///     let queue = DispatchQueue(label: "parsing", attributes: .concurrent)
    ///     let parsed = lines.observe(on: queue.rx.serialScheduler()).map(parse)
    ///
    /// Each call creates a new serial queue that targets this queue. Store the scheduler if work of several chains must
    /// not overlap.
    ///
    /// - Parameter leeway: the maximum delay of timers, which allows the system to coalesce wake-ups.
    public func serialScheduler(leeway: DispatchTimeInterval = .nanoseconds(0)) -> SerialDispatchQueueScheduler {
        SerialDispatchQueueScheduler(queue: base, internalSerialQueueName: "rx.serial.\(base.label)", leeway: leeway)
    }

    /// Returns a scheduler that runs work directly on the queue. Work items overlap if the queue is concurrent.
    ///
    ///     let queue = DispatchQueue(label: "images", attributes: .concurrent)
    ///     let thumbnails = images.flatMap {
    ///         Observable.just($0, scheduler: queue.rx.concurrentScheduler()).map(shrink)
    ///     }
    ///
    /// - Parameter leeway: the maximum delay of timers, which allows the system to coalesce wake-ups.
    public func concurrentScheduler(leeway: DispatchTimeInterval = .nanoseconds(0)) -> ConcurrentDispatchQueueScheduler
    { ConcurrentDispatchQueueScheduler(queue: base, leeway: leeway) }

    /// Runs `work` on the queue once for each subscriber, and delivers its result or the error that it throws.
    ///
    ///     let queue = DispatchQueue(label: "answers")
    ///     _ = queue.rx.perform { 6 * 7 }.subscribe(onSuccess: { print($0) })  // 42
    ///
    /// If the subscription is disposed before the work has begun, the work does not run. If it is disposed later, the
    /// result is dropped. The result is delivered on the queue.
    ///
    /// - Complexity: Three allocations per subscription, plus the allocations of a turn of the queue and of `work`.
    public func perform<Value>(_ work: @escaping @Sendable () throws -> Value) -> Single<Value> {
        concurrentScheduler().perform(work)
    }
}

extension ImmediateSchedulerType {
    /// Runs `work` on the scheduler once for each subscriber, and delivers its result or the error that it throws.
    func perform<Value>(_ work: @escaping @Sendable () throws -> Value) -> Single<Value> {
        .create { single in
            self.schedule(()) {
                single(Result(catching: work))
                return Disposables.create()
            }
        }
    }
}

extension Reactive where Base: OperationQueue {
    /// Returns a scheduler that runs work as operations of the queue. The `maxConcurrentOperationCount` and
    /// `isSuspended` of the queue apply to the work.
    ///
    ///     let queue = OperationQueue()
    ///     let loaded = urls.observe(on: queue.rx.scheduler(priority: .low)).map(load)
    ///
    /// - Parameter priority: the priority of the operations.
    public func scheduler(priority: Operation.QueuePriority = .normal) -> OperationQueueScheduler {
        OperationQueueScheduler(operationQueue: base, queuePriority: priority)
    }

    /// Runs `work` as an operation of the queue once for each subscriber, and delivers its result or the error that it
    /// throws.
    ///
    ///     let queue = OperationQueue()
    ///     _ = queue.rx.perform(priority: .high) { 6 * 7 }.subscribe(onSuccess: { print($0) })  // 42
    ///
    /// If the subscription is disposed before the work has begun, the work does not run. If it is disposed later, the
    /// result is dropped. The operation delivers the result.
    ///
    /// - Parameters:
    ///   - priority: the priority of the operation.
    ///   - work: the closure that the operation runs.
    /// - Complexity: The same as `perform(_:)` on a dispatch queue, with an operation instead of the turn.
    public func perform<Value>(
        priority: Operation.QueuePriority = .normal, _ work: @escaping @Sendable () throws -> Value
    ) -> Single<Value> { scheduler(priority: priority).perform(work) }
}
