import CRx
import Synchronization

import class Foundation.Thread

/// Settings of the whole process for errors that reach nobody.
///
/// Process-wide: a test that sets one of these puts the old value back.
public enum Hooks {
    /// Receives the call stack of the subscription (empty unless `recordCallStackOnError`) and the error.
    public typealias DefaultErrorHandler = (_ subscriptionCallStack: [String], _ error: any Error) -> Void

    /// Captures the call stack at subscription.
    public typealias CustomCaptureSubscriptionCallstack = () -> [String]

    private struct Values {
        var errorHandler: DefaultErrorHandler = { _, error in
            #if DEBUG
                let origin = Hooks.origin(of: error).map { "\n\($0)" } ?? ""
                print("Unhandled error happened: \(error)\(origin)")
            #endif
        }
        // Not an optional one: see `Guarded.change`.
        var captureCallstack: CustomCaptureSubscriptionCallstack = { Hooks.callStack }
        var isCaptureOfProgram = false
    }

    private static let values = Guarded(Values())
    // Apart from the others, as every subscription without `onError` reads it.
    private static let recordsCallStack = Atomic<Bool>(false)

    /// Whether the stacks are recorded that tell where an error came from: of its throw and of the subscription it
    /// ends. Off at first.
    ///
    /// `origin(of:)` has them for an error that arrives at a subscription without `onError`, at `debug` or in a failed
    /// `toBlocking()`. While on, a subscription costs more than twice as much, and the latest errors stay alive: it is
    /// for finding a fault. Turning it off forgets them.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set {
            recordsCallStack.store(newValue, ordering: .relaxed)
            rx_throws_record(newValue)
            if !newValue { ErrorOrigins.forget() }
        }
    }

    /// Called with an error that a subscription without `onError` receives; `origin(of:)` tells where it came from, if
    /// that is recorded.
    ///
    /// Prints in debug builds at first, and does nothing in release builds.
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { values.withLock { $0 }.errorHandler }
        set { values.change { $0.errorHandler = newValue } }
    }

    /// How a call stack is captured; `Thread.callStackSymbols` in debug builds at first.
    ///
    /// One of your own is called for each subscription that is recorded. Until one is set, a program that uses
    /// `RxTrace.recordErrorOrigins()` records addresses, which costs less and names files and lines.
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { values.withLock { $0 }.captureCallstack }
        set { values.change { ($0.captureCallstack, $0.isCaptureOfProgram) = (newValue, true) } }
    }

    /// Whether addresses are captured at a subscription: the program has not asked for something else, and something
    /// names them.
    static var capturesAddresses: Bool { values.withLock { !$0.isCaptureOfProgram } && CallNames.current != nil }

    /// The calls that led here, in words.
    private static var callStack: [String] {
        // Asked for like this, it was saved by a program that sets its own for a while, and was put back.
        if CallNames.current != nil { return CallNames.lines(of: CallNames.addresses()) }
        #if DEBUG
            return Thread.callStackSymbols
        #else
            return []
        #endif
    }
}
