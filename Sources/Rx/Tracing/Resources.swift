#if TRACE_RESOURCES
    import CRx
#endif

#if TRACE_RESOURCES
    import CRx
    import Synchronization

    /// The number of live reactive resources in this process: observables, sinks, subjects, disposables and
    /// connections.
    ///
    /// A resource is counted when it is created and when it is deallocated, never per event. Resources are counted only
    /// in builds with `TRACE_RESOURCES`: debug builds, and any build with the package trait of that name. In other
    /// builds, uses of the counters compile with a warning and return 0. `isTracing` distinguishes the two at run
    /// time.
    ///
    ///     let before = Resources.total
    ///     let held = Observable.just(1)
    ///     print(Resources.total - before)  // 1
    ///
    /// The counters are process-wide. Compare two readings in one test, and run such tests one after another.
    public enum Resources {
        /// The kinds of resources that are counted.
        public typealias Kind = ResourceKind

        /// Whether this build counts resources.
        public static let isTracing = true

        /// The number of live resources. O(t) for *t* threads. You can read it from any thread.
        ///
        /// Exact after you have waited for the threads that created and released resources.
        public static var total: Int32 {
            Int32(
                truncatingIfNeeded: (1..<rx_types_end()).reduce(0) {
                    rx_parts_of($1).kind < Kind.allCases.count ? $0 + rx_counted($1) : $0
                })
        }

        /// Returns the number of live resources of one kind. O(t) for *t* threads. You can call it from any thread.
        public static func count(of kind: Kind) -> Int {
            (1..<rx_types_end()).reduce(0) { rx_parts_of($1).kind == kind.rawValue ? $0 + rx_counted($1) : $0 }
        }

        /// The number of live observables that `observe(on:)` has created for serial dispatch queues, including the
        /// main queue.
        public static var numberOfSerialDispatchQueueObservables: Int32 {
            Int32(truncatingIfNeeded: serialObservables.load(ordering: .relaxed))
        }

        /// Counts a resource of your own, and returns the new total. Pair it with `decrementTotal()`.
        @discardableResult
        public static func incrementTotal() -> Int32 {
            rx_count(unnamed(.disposable), 1)
            return total
        }

        /// Reverts one `incrementTotal()`, and returns the new total.
        @discardableResult
        public static func decrementTotal() -> Int32 {
            rx_count(unnamed(.disposable), -1)
            return total
        }

        // Each thread has its own counts, and reading adds them up. Counting orders no memory accesses, so tracing
        // cannot hide the races that it should show. It takes a tenth of the time of locked additions.

        // Takes an identity and not a reference: the compiler retains an object that is passed as a parameter, which
        // takes longer than counting.

        /// Counts a resource under the given type. Returns the tag to pass to `gone` when the resource is deallocated.
        @inlinable @inline(__always)
        package static func made(_ type: UInt32, at resource: ObjectIdentifier) -> UInt32 {
            rx_made(type, address(resource))
        }

        /// Counts a resource that is named only by its class. Returns the tag to pass to `gone` when the resource is
        /// deallocated.
        @inlinable @inline(__always)
        package static func made(_ kind: Kind, at resource: ObjectIdentifier) -> UInt32 {
            made(rx_type_of_class(rx_class_of(address(resource)), UInt32(truncatingIfNeeded: kind.index)), at: resource)
        }

        @inlinable @inline(__always)
        static func address(_ resource: ObjectIdentifier) -> UnsafeRawPointer {
            // No object has the address 0.
            UnsafeRawPointer(bitPattern: UInt(bitPattern: resource)).unsafelyUnwrapped
        }

        /// Removes a deallocated resource from the counts.
        @inlinable @inline(__always)
        package static func gone(_ tag: UInt32) { rx_gone(tag) }

        /// Changes the type under which a resource is counted to `type`. Returns its new tag.
        @inlinable @inline(__always)
        package static func retyped(_ tag: UInt32, _ type: UInt32) -> UInt32 { rx_retyped(tag, type) }

        /// Returns the type under which a resource is counted.
        ///
        /// - Parameters:
        ///   - name: the name of the resource's operator, if it is more informative than the class.
        ///   - source: the observable that feeds the resource.
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
    /// The number of live reactive resources in this process: observables, sinks, subjects, disposables and
    /// connections.
    ///
    /// A resource is counted when it is created and when it is deallocated, never per event. Resources are counted only
    /// in builds with `TRACE_RESOURCES`: debug builds, and any build with the package trait of that name. In other
    /// builds, uses of the counters compile with a warning and return 0. `isTracing` distinguishes the two at run
    /// time.
    ///
    ///     let before = Resources.total
    ///     let held = Observable.just(1)
    ///     print(Resources.total - before)  // 1
    ///
    /// The counters are process-wide. Compare two readings in one test, and run such tests one after another.
    public typealias Resources = TracingOff

    /// `Resources` in a build that does not count them. It has another name and is inlined into the client, so that no
    /// symbol of it remains.
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
    /// The raw value, in a form that other modules can use without a call.
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
    /// Counts the pending work of schedulers that use real time, so that code that waits for them knows how long to
    /// wait.
    ///
    /// It counts once per piece of work, which makes two allocations in any case. The ticks of a timer are not counted.
    /// `Resources.gone` removes each piece of work from the count.
    enum Pending {
        /// Counts a piece of work that a scheduler will run after `seconds`. Returns its tag.
        @inline(__always) static func work(_ item: ObjectIdentifier, after seconds: Double) -> UInt32 {
            rx_scheduled(UInt32(rx_pending_work), Resources.address(item), seconds)
        }

        /// Counts a timer that runs until it is disposed. Returns its tag.
        @inline(__always) static func timer(_ item: ObjectIdentifier, after seconds: Double) -> UInt32 {
            rx_scheduled(UInt32(rx_pending_timers), Resources.address(item), seconds)
        }
    }
#endif

// The creator of a sink counts it with one of these methods, because only the creator knows the name that users know.
// Counting a sink in `init` and then again as something else took twice as long. The methods are emitted into the
// caller, so that no trace of them remains in a build that does not trace.

extension Sink {
    /// Counts this sink as a sink of the operator that created `observable`.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSink(of observable: ObservableBase) {
        #if TRACE_RESOURCES
            tag = Resources.made(rx_sink_type_of(observable.resourceType), at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this sink under the type of `coordinator`, which it belongs to.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsInput(of coordinator: Sink) {
        #if TRACE_RESOURCES
            let type = rx_type_of_tag(coordinator.tag)
            // A coordinator that was created while counting was off has no type.
            tag = Resources.made(type == 0 ? UInt32(rx_unnamed + 2) : type, at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this sink as the subscriber of a sequence.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSubscriber() {
        #if TRACE_RESOURCES
            tag = Resources.made(UInt32(rx_subscribe), at: ObjectIdentifier(self))
        #endif
    }

    /// Counts this sink under its own class and a name that users know.
    @_alwaysEmitIntoClient @inline(__always)
    final func count(as name: StaticString, _ kind: ResourceKind = .sink) {
        #if TRACE_RESOURCES
            tag = Resources.made(
                Resources.type(of: ObjectIdentifier(self), kind, named: name), at: ObjectIdentifier(self))
        #endif
    }
}
