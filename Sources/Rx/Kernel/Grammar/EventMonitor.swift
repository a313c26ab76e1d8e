#if DEBUG
    import CRx
    import Synchronization

    /// Watches, in debug builds, that the events sent to one observer do not overlap.
    ///
    /// A thread that finds another one inside leaves a mark, captures its stack and goes on, so that nothing is
    /// different from a release build; the thread inside finds the mark when it is done, and then captures its own: the
    /// callers are still the same.
    @usableFromInline
    final class EventMonitor: Sendable {
        /// The identity of the thread inside (even), plus 1 once another one has come; 0 while nobody is inside.
        private let owner = Atomic<UInt>(0)
        /// Set together with the mark, and taken with it.
        private let encounter = Guarded<Encounter?>(nil)

        @usableFromInline init() {}

        /// An event arrives. What this returns is told when it was delivered.
        ///
        /// - Parameters:
        ///   - observer: the type of the observer, asked where two threads have met: code that is not specialised looks
        ///     a generic type up.
        ///   - isOpen: whether something comes of events; asked there too, so that nothing is ordered where no two have
        ///     met.
        @usableFromInline
        func enter(_ observer: () -> Any.Type, while isOpen: () -> Bool) -> Visit {
            if Hooks.grammarChecks == .silent { return Visit(monitor: nil) }
            let me = UInt(rx_thread_identity())
            while true {
                // Orders nothing: what it should find are threads that nothing orders. Two that take turns see each
                // other's store through what orders them.
                let seen = owner.compareExchange(expected: 0, desired: me, ordering: .relaxed)
                if seen.exchanged { return Visit(monitor: self) }
                // Its own thread, or one more where two have met: their report is enough.
                if seen.original & ~1 == me || seen.original & 1 != 0 || !isOpen() { return Visit(monitor: nil) }
                if let encounter = meet(seen.original, observer()) {
                    encounter.tell(\.second, CallStack.capture())
                    return Visit(monitor: nil)
                }
            }
        }

        /// Marks that two have met; `nil` if the other has just left.
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
            met?.tell(\.first, CallStack.capture())
        }

        /// One event's stay.
        @usableFromInline
        struct Visit {
            fileprivate let monitor: EventMonitor?

            @usableFromInline
            init(monitor: EventMonitor?) { self.monitor = monitor }

            @usableFromInline
            func end() { monitor?.leave() }
        }
    }

    /// Two threads in one observer: reported once both have told where they come from.
    final class Encounter: Sendable {
        struct Stacks {
            var first: CallStack?
            var second: CallStack?
        }

        private let observer: Any.Type
        private let stacks = Guarded(Stacks())

        init(with observer: Any.Type) { self.observer = observer }

        func tell(_ which: WritableKeyPath<Stacks, CallStack?>, _ stack: CallStack) {
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

    /// Which pairs of places were reported. Two levels, as naming a stack takes milliseconds and comparing its
    /// addresses none.
    enum ReportedSites {
        struct Known {
            var stacks: Set<Set<Int>> = []
            var sites: Set<Set<String>> = []
        }

        private static let known = Guarded(Known())

        static func isNew(_ first: CallStack, _ second: CallStack) -> Bool {
            known.withLock { known in
                // Stacks of one place can differ endlessly, in recursions for instance.
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
        /// An event for the subject arrives.
        @usableFromInline
        final func visit(_ subject: @autoclosure () -> Any.Type) -> EventMonitor.Visit {
            monitor.enter(subject) { lock.withLock { isOpen } }
        }
    }

    extension Sink {
        /// An event for an observer that feeds this sink arrives.
        @usableFromInline
        final func visit(_ monitor: EventMonitor?, _ observer: @autoclosure () -> Any.Type) -> EventMonitor.Visit {
            guard let monitor else { return EventMonitor.Visit(monitor: nil) }
            return monitor.enter(observer) {
                token._withUnsafeGuaranteedRef { $0.flags.load(ordering: .relaxed) } & SegmentState.refusing == 0
            }
        }
    }
#endif
