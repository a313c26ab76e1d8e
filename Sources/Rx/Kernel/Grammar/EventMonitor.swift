#if DEBUG
    import CRx
    import Synchronization

    /// Checks, in debug builds, that the events sent to one observer do not overlap.
    ///
    /// A thread that finds another thread inside leaves a mark, captures its stack and continues, so that the behaviour
    /// does not differ from a release build. The thread inside finds the mark when it leaves, and then captures its own
    /// stack. Its callers have not changed by then.
    @usableFromInline
    final class EventMonitor: Sendable {
        /// The identity of the thread inside (even), plus 1 after another thread has arrived, or 0 while no thread is
        /// inside.
        private let owner = Atomic<UInt>(0)
        /// Set together with the mark, and taken together with it.
        private let encounter = Guarded<Encounter?>(nil)

        @usableFromInline init() {}

        /// Records the arrival of an event. Call `end()` on the result after the event was delivered.
        ///
        /// - Parameters:
        ///   - observer: the type of the observer. Evaluated only where two threads have met, because code that is not
        ///     specialised has to look up a generic type.
        ///   - isOpen: whether the observer still handles events. Also evaluated only there, so that this check orders
        ///     no threads where no two have met.
        @usableFromInline
        func enter(_ observer: () -> Any.Type, while isOpen: () -> Bool) -> Visit {
            if Hooks.grammarChecks == .silent { return Visit(monitor: nil) }
            let me = UInt(rx_thread_identity())
            while true {
                // Relaxed, so that it orders nothing: it is meant to find threads that nothing orders. Two threads that
                // take turns see each other's store through the synchronisation that orders them.
                let seen = owner.compareExchange(expected: 0, desired: me, ordering: .relaxed)
                if seen.exchanged { return Visit(monitor: self) }
                // The thread itself re-enters, or a further thread arrives after two have met. The report about those
                // two is sufficient.
                if seen.original & ~1 == me || seen.original & 1 != 0 || !isOpen() { return Visit(monitor: nil) }
                if let encounter = meet(seen.original, observer()) {
                    encounter.note(\.second, CallStack.capture())
                    return Visit(monitor: nil)
                }
            }
        }

        /// Marks that two threads have met. Returns `nil` if the other thread has just left.
        private func meet(_ other: UInt, _ observer: Any.Type) -> Encounter? {
            let met = Encounter(with: observer)
            return encounter.withLock { encounter in
                guard owner.compareExchange(expected: other, desired: other | 1, ordering: .relaxed).exchanged else {
                    return nil
                }
                encounter = met
                return met
            }
        }

        fileprivate func leave() {
            let me = UInt(rx_thread_identity())
            if owner.compareExchange(expected: me, desired: 0, ordering: .relaxed).exchanged { return }
            let met = encounter.withLock { encounter in
                defer { encounter = nil }
                owner.store(0, ordering: .relaxed)
                return encounter
            }
            met?.note(\.first, CallStack.capture())
        }

        /// The presence of one event in the observer.
        @usableFromInline
        struct Visit {
            fileprivate let monitor: EventMonitor?

            @usableFromInline
            init(monitor: EventMonitor?) { self.monitor = monitor }

            @usableFromInline
            func end() { monitor?.leave() }
        }
    }

    /// Two threads in one observer. Reported once both threads have supplied their stacks.
    final class Encounter: Sendable {
        struct Stacks {
            var first: CallStack?
            var second: CallStack?
        }

        private let observer: Any.Type
        private let stacks = Guarded(Stacks())

        init(with observer: Any.Type) { self.observer = observer }

        func note(_ which: WritableKeyPath<Stacks, CallStack?>, _ stack: CallStack) {
            let told = stacks.withLock { stacks in
                stacks[keyPath: which] = stack
                return stacks
            }
            if let first = told.first, let second = told.second { report(first, second) }
        }

        private func report(_ first: CallStack, _ second: CallStack) {
            guard ReportedSites.isNew(first, second) else { return }
            let (firstLines, secondLines) = (first.described, second.described)
            guard ReportedSites.isNew(firstLines.site, secondLines.site) else { return }
            let violation = GrammarViolation(
                observer: "\(observer)", firstCallStack: firstLines.lines, secondCallStack: secondLines.lines)
            Hooks.grammarViolationHandler(violation)
            if Hooks.grammarChecks == .fatal { fatalError(violation.description) }
        }
    }

    /// The pairs of places that were reported. There are two levels, because naming a stack takes milliseconds and
    /// comparing its addresses takes almost no time.
    enum ReportedSites {
        struct Known {
            var stacks: Set<Set<Int>> = []
            var sites: Set<Set<String>> = []
        }

        private static let known = Guarded(Known())

        static func isNew(_ first: CallStack, _ second: CallStack) -> Bool {
            known.withLock { known in
                // Stacks from one place can differ without limit, for example in recursions.
                if known.stacks.count > 4_096 { known.stacks = [] }
                return known.stacks.insert([first.digest, second.digest]).inserted
            }
        }

        static func isNew(_ first: String, _ second: String) -> Bool {
            known.withLock { $0.sites.insert([first, second]).inserted }
        }

        static func forget() { known.withLock { $0 = Known() } }
    }

    extension SubjectObservers {
        /// Records the arrival of an event for the subject.
        @usableFromInline
        final func visit(_ subject: @autoclosure () -> Any.Type) -> EventMonitor.Visit {
            monitor.enter(subject) { lock.withLock { isOpen } }
        }
    }

    extension Sink {
        /// Records the arrival of an event for an observer that feeds this sink.
        @usableFromInline
        final func visit(_ monitor: EventMonitor?, _ observer: @autoclosure () -> Any.Type) -> EventMonitor.Visit {
            guard let monitor else { return EventMonitor.Visit(monitor: nil) }
            return monitor.enter(observer) {
                token._withUnsafeGuaranteedRef { $0.flags.load(ordering: .relaxed) } & SegmentState.refusing == 0
            }
        }
    }
#endif
