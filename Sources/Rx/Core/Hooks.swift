import class Foundation.Thread
import CRx
import Synchronization
#if DEBUG
    import Synchronization
#endif

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
        #if DEBUG
            var violationHandler: GrammarViolationHandler = { print($0) }
        #endif
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

/// Events that two threads sent to one observer at the same time, as a debug build has found them.
///
/// The events of an observer come one after the other. Of overlapping ones, some are delivered out of order or after
/// the end, and operators that keep something, such as `scan`, lose some.
public struct GrammarViolation: Sendable, CustomStringConvertible {
    /// The type of what the events were sent to, such as `PublishSubject<Int>`.
    public let observer: String

    /// The thread that was inside the observer: its functions, the innermost first.
    public let firstCallStack: [String]

    /// The thread that came in meanwhile: its functions, the innermost first.
    public let secondCallStack: [String]

    /// A text: what happened, what it means, what to do, and both stacks.
    public var description: String {
        """
        Two threads sent events to one observer at the same time: '\(observer)'.
        The events of an observer come one after the other. Of overlapping ones, some are delivered out of order or \
        after the end, and operators that keep something, such as 'scan', lose some.
        Send from one thread, hold a lock around each send, or give each thread a subject of its own and join them \
        with 'merge'.
        ------ Inside the observer was:
        \(firstCallStack.joined(separator: "\n"))
        ------ At the same time, on another thread:
        \(secondCallStack.joined(separator: "\n"))
        """
    }
}

extension Hooks {
    /// The ways in which a debug build reacts when two threads send to one observer at the same time.
    public enum GrammarChecks: UInt8, Sendable {
        /// Tells `grammarViolationHandler`, once for each pair of places that send.
        case report
        /// Tells `grammarViolationHandler` and then ends the program.
        case fatal
        /// Does not look.
        case silent
    }

    /// Receives what a debug build has found.
    public typealias GrammarViolationHandler = (GrammarViolation) -> Void

    #if DEBUG
        private static let checks = Atomic<UInt8>(GrammarChecks.report.rawValue)
    #endif

    /// The reaction of a debug build when two threads send events to one observer at the same time: to a subject, a
    /// relay, or what `create` hands out. At first `report`.
    ///
    /// ```swift compiled
    /// // In the tests of an app:
    /// Hooks.grammarChecks = .fatal
    /// ```
    ///
    /// Looked at by debug builds alone; release builds have no trace of it and answer `silent`. The same thread may
    /// re-enter, threads may take turns, and events after the end do not count. Both stacks are known when the first of
    /// the two threads is done with its event: that is when the violation is reported, on the thread that is last to
    /// tell its stack.
    public static var grammarChecks: GrammarChecks {
        get {
            #if DEBUG
                GrammarChecks(rawValue: checks.load(ordering: .relaxed)) ?? .silent
            #else
                .silent
            #endif
        }
        set {
            #if DEBUG
                checks.store(newValue.rawValue, ordering: .relaxed)
            #endif
        }
    }

    /// Called with each violation, outside of locks, on one of its two threads. Prints it at first.
    ///
    /// Setting it begins anew: what was reported before is reported again.
    public static var grammarViolationHandler: GrammarViolationHandler {
        get {
            #if DEBUG
                values.withLock { $0 }.violationHandler
            #else
                { _ in }
            #endif
        }
        set {
            #if DEBUG
                values.change { $0.violationHandler = newValue }
                ReportedSites.forget()
            #endif
        }
    }
}
