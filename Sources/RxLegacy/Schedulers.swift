import Dispatch
import Rx

extension MainScheduler {
    /// The main queue's scheduler.
    @available(*, deprecated, renamed: "instance")
    public static var sharedInstance: MainScheduler { instance }
}

extension ConcurrentMainScheduler {
    /// The main queue's scheduler that runs at once on the main thread.
    @available(*, deprecated, renamed: "instance")
    public static var sharedInstance: ConcurrentMainScheduler { instance }
}

/// Which of the system's queues a scheduler uses.
@available(*, deprecated, message: "Use 'DispatchQoS', such as '.background'.")
public enum DispatchQueueSchedulerQOS: Sendable {
    /// For work that a person waits for, at this moment.
    case userInteractive
    /// For work that a person has asked for.
    case userInitiated
    /// For work without a class of its own.
    case `default`
    /// For work that may take a while.
    case utility
    /// For work that no person waits for.
    case background

    /// The same under its name of version 2.
    public static var UserInteractive: DispatchQueueSchedulerQOS { .userInteractive }
    /// The same under its name of version 2.
    public static var UserInitiated: DispatchQueueSchedulerQOS { .userInitiated }
    /// The same under its name of version 2.
    public static var Default: DispatchQueueSchedulerQOS { .default }
    /// The same under its name of version 2.
    public static var Utility: DispatchQueueSchedulerQOS { .utility }
    /// The same under its name of version 2.
    public static var Background: DispatchQueueSchedulerQOS { .background }

    var qos: DispatchQoS {
        switch self {
        case .userInteractive: .userInteractive
        case .userInitiated: .userInitiated
        case .default: .default
        case .utility: .utility
        case .background: .background
        }
    }
}

extension ConcurrentDispatchQueueScheduler {
    /// A scheduler on one of the system's queues.
    @available(*, deprecated, message: "Use 'ConcurrentDispatchQueueScheduler(qos: .background)'.")
    public convenience init(globalConcurrentQueueQOS: DispatchQueueSchedulerQOS) {
        self.init(qos: globalConcurrentQueueQOS.qos)
    }
}

extension SerialDispatchQueueScheduler {
    /// A scheduler on a new serial queue whose work runs on one of the system's.
    @available(*, deprecated, message: "Use 'SerialDispatchQueueScheduler(qos: .background)'.")
    public convenience init(
        globalConcurrentQueueQOS: DispatchQueueSchedulerQOS,
        internalSerialQueueName: String = "rx.global_dispatch_queue.serial"
    ) { self.init(qos: globalConcurrentQueueQOS.qos, internalSerialQueueName: internalSerialQueueName) }
}
