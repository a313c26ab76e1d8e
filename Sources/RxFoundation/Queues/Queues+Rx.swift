import Dispatch
import Foundation
import Rx

#if !canImport(Darwin)
    /// A dispatch queue has a reactive side; elsewhere it has one as an `NSObject`.
    extension DispatchQueue: ReactiveCompatible {}
#endif

extension Reactive where Base: DispatchQueue {
    /// A scheduler that runs work on the queue, one piece after another in the order in which it was scheduled, on a
    /// concurrent queue too.
    ///
    ///     let queue = DispatchQueue(label: "parsing", attributes: .concurrent)
    ///     let parsed = lines.observe(on: queue.rx.serialScheduler()).map(parse)
    ///
    /// Each call makes a new serial queue that targets this one: keep the scheduler where work of several chains must
    /// not overlap.
    ///
    /// - Parameter leeway: how late timers may fire so that the system can join wake-ups.
    public func serialScheduler(leeway: DispatchTimeInterval = .nanoseconds(0)) -> SerialDispatchQueueScheduler {
        SerialDispatchQueueScheduler(queue: base, internalSerialQueueName: "rx.serial.\(base.label)", leeway: leeway)
    }

    /// A scheduler that runs work on the queue itself: pieces overlap if the queue lets them.
    ///
    ///     let queue = DispatchQueue(label: "images", attributes: .concurrent)
    ///     let thumbnails = images.flatMap {
    ///         Observable.just($0, scheduler: queue.rx.concurrentScheduler()).map(shrink)
    ///     }
    ///
    /// - Parameter leeway: how late timers may fire so that the system can join wake-ups.
    public func concurrentScheduler(leeway: DispatchTimeInterval = .nanoseconds(0)) -> ConcurrentDispatchQueueScheduler
    { ConcurrentDispatchQueueScheduler(queue: base, leeway: leeway) }

    /// The result of `work`, or the error that it throws, run on the queue once for each subscriber.
    ///
    ///     let queue = DispatchQueue(label: "answers")
    ///     _ = queue.rx.perform { 6 * 7 }.subscribe(onSuccess: { print($0) })  // 42
    ///
    /// Disposing the subscription before the work has begun prevents it; later it drops the result. The result is
    /// delivered on the queue.
    ///
    /// - Complexity: Three allocations per subscription, beside those of a turn of the queue and of `work`.
    public func perform<Value>(_ work: @escaping @Sendable () throws -> Value) -> Single<Value> {
        concurrentScheduler().perform(work)
    }
}

extension ImmediateSchedulerType {
    /// The result of `work`, or the error that it throws, run by the scheduler once for each subscriber.
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
    ) -> Single<Value> { scheduler(priority: priority).perform(work) }
}
