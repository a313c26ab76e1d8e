import class Foundation.BlockOperation
import class Foundation.Operation
import class Foundation.OperationQueue

/// Runs work as operations of an operation queue. The queue's limits and priorities apply to the work.
public final class OperationQueueScheduler: ImmediateSchedulerType, ItemQueue, @unchecked Sendable {
    // @unchecked: immutable. An operation queue may be used from any thread.

    /// The queue on which the work runs.
    public let operationQueue: OperationQueue
    /// The priority of the operations.
    public let queuePriority: Operation.QueuePriority

    /// Creates a scheduler on `operationQueue`.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Adds `action` to the queue.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        enqueue(state, action: action)
    }

    func enqueue(_ item: ScheduledItem) {
        let operation = BlockOperation { item.run() }
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
    }
}
