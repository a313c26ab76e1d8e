import Dispatch
import Rx

extension MainScheduler {
    /// The scheduler of the main queue.
    @available(*, deprecated, renamed: "instance")
    public static var sharedInstance: MainScheduler { instance }
}

extension ConcurrentMainScheduler {
    /// The scheduler of the main queue that runs work immediately if it is called on the main thread.
    @available(*, deprecated, renamed: "instance")
    public static var sharedInstance: ConcurrentMainScheduler { instance }
}

/// The global dispatch queue that a scheduler uses.
@available(*, deprecated, message: "Use 'DispatchQoS', such as '.background'.")
public enum DispatchQueueSchedulerQOS: Sendable {
    /// For work that the user waits for at this moment.
    case userInteractive
    /// For work that the user has requested.
    case userInitiated
    /// For work without a specific class.
    case `default`
    /// For work that may take a long time.
    case utility
    /// For work that the user does not wait for.
    case background

    /// The version 2 name of this case.
    public static var UserInteractive: DispatchQueueSchedulerQOS { .userInteractive }
    /// The version 2 name of this case.
    public static var UserInitiated: DispatchQueueSchedulerQOS { .userInitiated }
    /// The version 2 name of this case.
    public static var Default: DispatchQueueSchedulerQOS { .default }
    /// The version 2 name of this case.
    public static var Utility: DispatchQueueSchedulerQOS { .utility }
    /// The version 2 name of this case.
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
    /// Creates a scheduler on a global dispatch queue.
    @available(*, deprecated, message: "Use 'ConcurrentDispatchQueueScheduler(qos: .background)'.")
    public convenience init(globalConcurrentQueueQOS: DispatchQueueSchedulerQOS) {
        self.init(qos: globalConcurrentQueueQOS.qos)
    }
}

extension SerialDispatchQueueScheduler {
    /// Creates a scheduler on a new serial queue whose work runs on a global dispatch queue.
    @available(*, deprecated, message: "Use 'SerialDispatchQueueScheduler(qos: .background)'.")
    public convenience init(
        globalConcurrentQueueQOS: DispatchQueueSchedulerQOS,
        internalSerialQueueName: String = "rx.global_dispatch_queue.serial"
    ) { self.init(qos: globalConcurrentQueueQOS.qos, internalSerialQueueName: internalSerialQueueName) }
}
