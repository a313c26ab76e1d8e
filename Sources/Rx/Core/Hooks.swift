import class Foundation.Thread
import Synchronization

/// What the whole process does when an error reaches nobody.
///
/// Process-wide: a test that sets one of these puts the old value back.
public enum Hooks {
    /// Receives the call stack of the subscription (empty unless `recordCallStackOnError`) and the error.
    public typealias DefaultErrorHandler = (_ subscriptionCallStack: [String], _ error: any Error) -> Void

    /// Captures the call stack at subscription.
    public typealias CustomCaptureSubscriptionCallstack = () -> [String]

    private struct Values {
        var errorHandler: DefaultErrorHandler = { stack, error in
#if DEBUG
            let origin = stack.isEmpty ? "" : "\n------ Subscribed at:\n" + stack.joined(separator: "\n")
            print("Unhandled error happened: \(error)\(origin)")
#endif
        }
        var captureCallstack: CustomCaptureSubscriptionCallstack = {
#if DEBUG
            Thread.callStackSymbols
#else
            []
#endif
        }
    }

    private static let values = Guarded(Values())
    // Apart from the others, as every subscription without `onError` reads it.
    private static let recordsCallStack = Atomic<Bool>(false)

    /// Whether `subscribe` records its call stack, to name it when an error is not handled. Capturing costs more than subscribing. Off at first.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set { recordsCallStack.store(newValue, ordering: .relaxed) }
    }

    /// Called with an error that a subscription without `onError` receives. Prints in debug builds at first, and does nothing in release builds.
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { values.withLock { $0.errorHandler } }
        set { values.exchange(\.errorHandler, newValue) }
    }

    /// How a call stack is captured; `Thread.callStackSymbols` in debug builds at first.
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { values.withLock { $0.captureCallstack } }
        set { values.exchange(\.captureCallstack, newValue) }
    }
}
