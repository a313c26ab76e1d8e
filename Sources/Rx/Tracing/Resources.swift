#if TRACE_RESOURCES
    import CRx
#endif

#if TRACE_RESOURCES
    import CRx
    import Synchronization

    /// How many reactive resources are alive in this process: observables, sinks, subjects, disposables and
    /// connections.
    ///
    /// Counted when a resource is made and when it goes, never per event, and only in builds with
    /// `TRACE_RESOURCES`: debug builds, and any build with the package trait of that name. Asks in other
    /// builds compile, answer 0 and carry a warning; `isTracing` tells the two apart at run time.
    ///
    ///     let before = Resources.total
    ///     let held = Observable.just(1)
    ///     print(Resources.total - before)  // 1
    ///
    /// The counters are process-wide: compare two readings in one test, and run such tests one after another.
    public enum Resources {
        /// The kinds of resources that are counted.
        public typealias Kind = ResourceKind

        /// Whether this build counts resources.
        public static let isTracing = true

        /// The number of live resources. O(t) for *t* threads; from any thread.
        ///
        /// Exact once the threads that made and released resources have been waited for.
        public static var total: Int32 {
            Int32(
                truncatingIfNeeded: (1..<rx_types_end()).reduce(0) {
                    rx_parts_of($1).kind < Kind.allCases.count ? $0 + rx_counted($1) : $0
                })
        }

        /// The number of live resources of one kind. O(t) for *t* threads; from any thread.
        public static func count(of kind: Kind) -> Int {
            (1..<rx_types_end()).reduce(0) { rx_parts_of($1).kind == kind.rawValue ? $0 + rx_counted($1) : $0 }
        }

        /// The number of observables that `observe(on:)` has made for serial dispatch queues, the main one included,
        /// and that are alive.
        public static var numberOfSerialDispatchQueueObservables: Int32 {
            Int32(truncatingIfNeeded: serialObservables.load(ordering: .relaxed))
        }

        /// Counts a resource of your own, and returns the new total. Pair it with `decrementTotal()`.
        @discardableResult
        public static func incrementTotal() -> Int32 {
            rx_count(unnamed(.disposable), 1)
            return total
        }

        /// Takes back one `incrementTotal()`, and returns the new total.
        @discardableResult
        public static func decrementTotal() -> Int32 {
            rx_count(unnamed(.disposable), -1)
            return total
        }

        // Each thread counts for itself, and reading adds up: nothing is ordered by it, so that tracing cannot hide the
        // races it should show, and it takes a tenth of what locked adds would.

        // By identity and not by reference: for a parameter that is an object the compiler retains, which takes longer
        // than counting.

        /// Counts a resource as the given type; what to give `gone` when it goes.
        @inlinable @inline(__always)
        package static func made(_ type: UInt32, at resource: ObjectIdentifier) -> UInt32 {
            rx_made(type, address(resource))
        }

        /// Counts a resource that its class alone names; what to give `gone` when it goes.
        @inlinable @inline(__always)
        package static func made(_ kind: Kind, at resource: ObjectIdentifier) -> UInt32 {
            made(rx_type_of_class(rx_class_of(address(resource)), UInt32(truncatingIfNeeded: kind.index)), at: resource)
        }

        @inlinable @inline(__always)
        static func address(_ resource: ObjectIdentifier) -> UnsafeRawPointer {
            // No object lies at 0.
            UnsafeRawPointer(bitPattern: UInt(bitPattern: resource)).unsafelyUnwrapped
        }

        /// Counts that a resource has gone.
        @inlinable @inline(__always)
        package static func gone(_ tag: UInt32) { rx_gone(tag) }

        /// Counts as `type` what was counted as something else; its new tag.
        @inlinable @inline(__always)
        package static func retyped(_ tag: UInt32, _ type: UInt32) -> UInt32 { rx_retyped(tag, type) }

        /// Returns the type that a resource is counted as.
        ///
        /// - Parameters:
        ///   - name: of the operator it belongs to, if that says more than the class.
        ///   - source: what feeds it.
        @inlinable @inline(__always)
        package static func type(
            of resource: ObjectIdentifier, _ kind: Kind, named name: StaticString?, source: ObjectIdentifier? = nil
        ) -> UInt32 {
            rx_type_of(
                rx_class_of(address(resource)),
                name.map { UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self) },
                source.flatMap { rx_class_of(address($0)) },
                UInt32(truncatingIfNeeded: kind.index))
        }

        static func addSerialObservable(_ change: Int) { serialObservables.wrappingAdd(change, ordering: .relaxed) }

        private static func unnamed(_ kind: Kind) -> UInt32 { UInt32(rx_unnamed) + UInt32(kind.rawValue) }

        private static let serialObservables = Atomic<Int>(0)
    }
#else
    /// How many reactive resources are alive in this process: observables, sinks, subjects, disposables and
    /// connections.
    ///
    /// Counted when a resource is made and when it goes, never per event, and only in builds with
    /// `TRACE_RESOURCES`: debug builds, and any build with the package trait of that name. Asks in other
    /// builds compile, answer 0 and carry a warning; `isTracing` tells the two apart at run time.
    ///
    ///     let before = Resources.total
    ///     let held = Observable.just(1)
    ///     print(Resources.total - before)  // 1
    ///
    /// The counters are process-wide: compare two readings in one test, and run such tests one after another.
    public typealias Resources = TracingOff

    /// `Resources` in a build that does not count them: under another name and inlined into the client, so that no
    /// symbol of it is left.
    public enum TracingOff {
        /// The kinds of resources that are counted.
        public typealias Kind = ResourceKind

        /// Whether this build counts resources.
        @_alwaysEmitIntoClient public static var isTracing: Bool { false }

        /// Always 0 in this build.
        @available(
            *, deprecated,
            message:
                "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        )
        @_alwaysEmitIntoClient public static var total: Int32 { 0 }

        /// Always 0 in this build.
        @available(
            *, deprecated,
            message:
                "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        )
        @_alwaysEmitIntoClient public static func count(of kind: ResourceKind) -> Int { 0 }

        /// Always 0 in this build.
        @available(
            *, deprecated,
            message:
                "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        )
        @_alwaysEmitIntoClient public static var numberOfSerialDispatchQueueObservables: Int32 { 0 }

        /// Does nothing in this build and returns 0.
        @available(
            *, deprecated,
            message:
                "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        )
        @discardableResult @_alwaysEmitIntoClient public static func incrementTotal() -> Int32 { 0 }

        /// Does nothing in this build and returns 0.
        @available(
            *, deprecated,
            message:
                "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        )
        @discardableResult @_alwaysEmitIntoClient public static func decrementTotal() -> Int32 { 0 }
    }
#endif

/// The kinds of live resources that are counted.
@frozen
public enum ResourceKind: Int, CaseIterable, Sendable {
    /// An `Observable` of any operator or source.
    case observable
    /// A subject or relay.
    case subject
    /// One operator or observer within one live subscription.
    case sink
    /// A disposable, `DisposeBag` included.
    case disposable
    /// The shared subscription of `share`, `refCount` or a connected observable.
    case connection
    /// A virtual-time scheduler.
    case scheduler
}

extension ResourceKind {
    /// The raw value as code in other modules may use it without a call.
    @inlinable @inline(__always)
    package var index: Int {
        switch self {
        case .observable: 0
        case .subject: 1
        case .sink: 2
        case .disposable: 3
        case .connection: 4
        case .scheduler: 5
        }
    }
}

#if TRACE_RESOURCES
    /// Counts what schedulers that keep real time have before them, so that code that waits for them knows how long.
    ///
    /// Once per piece of work, which takes two allocations anyway; a timer's ticks are not counted. `Resources.gone`
    /// takes each out again.
    enum Pending {
        /// A scheduler has taken a piece of work, to do it after `seconds`; its tag.
        @inline(__always) static func work(_ item: ObjectIdentifier, after seconds: Double) -> UInt32 {
            rx_scheduled(UInt32(rx_pending_work), Resources.address(item), seconds)
        }

        /// A timer has begun to run, until it is disposed; its tag.
        @inline(__always) static func timer(_ item: ObjectIdentifier, after seconds: Double) -> UInt32 {
            rx_scheduled(UInt32(rx_pending_timers), Resources.address(item), seconds)
        }
    }
#endif

// The maker of a sink counts it, by one of these: it alone knows what its user calls it. Counting it in `init` and
// then as something else took twice as long. Emitted into the caller, so that nothing is left of them in a build that
// does not trace.

extension Sink {
    /// Counts this as a sink of the operator that made `observable`.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSink(of observable: ObservableBase) {
        #if TRACE_RESOURCES
            tag = Resources.made(rx_sink_type_of(observable.resourceType), at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this as what `coordinator` is counted as, which it belongs to.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsInput(of coordinator: Sink) {
        #if TRACE_RESOURCES
            let type = rx_type_of_tag(coordinator.tag)
            // A coordinator that was made while nothing was counted has none.
            tag = Resources.made(type == 0 ? UInt32(rx_unnamed + 2) : type, at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this as the subscriber of a sequence.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSubscriber() {
        #if TRACE_RESOURCES
            tag = Resources.made(UInt32(rx_subscribe), at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this under its own class and a name that users know.
    @_alwaysEmitIntoClient @inline(__always)
    final func count(as name: StaticString, _ kind: ResourceKind = .sink) {
        #if TRACE_RESOURCES
            tag = Resources.made(
                Resources.type(of: ObjectIdentifier(self), kind, named: name), at: ObjectIdentifier(self))
        #endif
    }
}
