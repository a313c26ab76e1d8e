#if DEBUG
    import Synchronization
#endif

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
        ------ Meanwhile, on another thread, came:
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
        private struct Values { var violationHandler: GrammarViolationHandler = { print($0) } }
        private static let values = Guarded(Values())
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
