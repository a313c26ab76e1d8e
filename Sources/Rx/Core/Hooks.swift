import class Foundation.Thread
import CRx
import Synchronization
#if DEBUG
    import Synchronization
#endif

/// Process-wide settings for errors that no subscriber handles.
///
/// A test that changes one of these settings restores the old value.
public enum Hooks {
    /// A closure that receives the call stack of the subscription (empty unless `recordCallStackOnError` is set) and
    /// the error.
    public typealias DefaultErrorHandler = (_ subscriptionCallStack: [String], _ error: any Error) -> Void

    /// A closure that captures the call stack at subscription.
    public typealias CustomCaptureSubscriptionCallstack = () -> [String]

    private struct Values {
        var errorHandler: DefaultErrorHandler = { _, error in
            #if DEBUG
                let origin = Hooks.origin(of: error).map { "\n\($0)" } ?? ""
                print("Unhandled error happened: \(error)\(origin)")
            #endif
        }
        // Not optional: see `Guarded.change`.
        var captureCallstack: CustomCaptureSubscriptionCallstack = { Hooks.callStack }
        var isCaptureOfProgram = false
        #if DEBUG
            var violationHandler: GrammarViolationHandler = { print($0) }
        #endif
    }

    private static let values = Guarded(Values())
    // Separate from the other settings, because every subscription without `onError` reads it.
    private static let recordsCallStack = Atomic<Bool>(false)

    /// Whether the call stacks that show the origin of an error are recorded: the stack of the throw and the stack of
    /// the subscription that the error ends. The default is `false`.
    ///
    /// `origin(of:)` returns them for an error that arrives at a subscription without `onError`, at `debug` or in a
    /// failed `toBlocking()`. While recording is on, a subscription costs more than twice as much, and the latest
    /// errors stay alive. Use it to find a fault. Turning it off discards the recorded stacks.
    public static var recordCallStackOnError: Bool {
        get { recordsCallStack.load(ordering: .relaxed) }
        set {
            recordsCallStack.store(newValue, ordering: .relaxed)
            rx_throws_record(newValue)
            if !newValue { ErrorOrigins.forget() }
        }
    }

    /// Called with an error that a subscription without `onError` receives. `origin(of:)` returns the error's origin,
    /// if it is recorded.
    ///
    /// By default, it prints the error in debug builds and does nothing in release builds.
    public static var defaultErrorHandler: DefaultErrorHandler {
        get { values.withLock { $0 }.errorHandler }
        set { values.change { $0.errorHandler = newValue } }
    }

    /// The closure that captures a call stack. The default is `Thread.callStackSymbols` in debug builds.
    ///
    /// A closure that you set is called for each recorded subscription. Until you set one, a program that uses
    /// `RxTrace.recordErrorOrigins()` records addresses, which costs less and provides file names and lines.
    public static var customCaptureSubscriptionCallstack: CustomCaptureSubscriptionCallstack {
        get { values.withLock { $0 }.captureCallstack }
        set { values.change { ($0.captureCallstack, $0.isCaptureOfProgram) = (newValue, true) } }
    }

    /// Whether a subscription captures addresses: the program has not set another closure, and a namer can name
    /// addresses.
    static var capturesAddresses: Bool { values.withLock { !$0.isCaptureOfProgram } && CallNames.current != nil }

    /// The current call stack, as text.
    private static var callStack: [String] {
        // This happens after a program has saved this closure, replaced it temporarily, and restored it.
        if CallNames.current != nil { return CallNames.lines(of: CallNames.addresses()) }
        #if DEBUG
            return Thread.callStackSymbols
        #else
            return []
        #endif
    }
}

/// Events that two threads sent to one observer at the same time, as detected by a debug build.
///
/// The events of an observer must come one after the other. If events overlap, some are delivered out of order or after
/// the end, and operators that keep state, such as `scan`, lose some.
public struct GrammarViolation: Sendable, CustomStringConvertible {
    /// The type of the observer that received the events, such as `PublishSubject<Int>`.
    public let observer: String

    /// The call stack of the thread that was inside the observer, innermost function first.
    public let firstCallStack: [String]

    /// The call stack of the thread that entered in the meantime, innermost function first.
    public let secondCallStack: [String]

    /// A description of the violation, its consequence and its remedy, with both stacks.
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
        /// Calls `grammarViolationHandler`, once for each pair of places that send events.
        case report
        /// Calls `grammarViolationHandler` and then ends the program.
        case fatal
        /// Does not check.
        case silent
    }

    /// A closure that receives the violations that a debug build detects.
    public typealias GrammarViolationHandler = (GrammarViolation) -> Void

    #if DEBUG
        private static let checks = Atomic<UInt8>(GrammarChecks.report.rawValue)
    #endif

    /// The reaction of a debug build when two threads send events to one observer at the same time. The observer is a
    /// subject, a relay, or the observer that `create` passes to its closure. The default is `report`.
    ///
    /// ```swift compiled
    /// // In the tests of an app:
    /// Hooks.grammarChecks = .fatal
    /// ```
    ///
    /// Only debug builds check. Release builds contain no code for the check and return `silent`. The same thread may
    /// re-enter, threads may take turns, and events after the end do not count. Both stacks are known when the first of
    /// the two threads has finished with its event. The violation is reported at that point, on the thread that is the
    /// last to supply its stack.
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

    /// Called with each violation, outside of locks, on one of its two threads. The default prints the violation.
    ///
    /// Setting it resets the record of reported violations, so earlier violations are reported again.
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
