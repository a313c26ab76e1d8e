#if TRACE_RESOURCES
import CPlatform
import Synchronization

/// How many reactive resources are alive in this process: observables, sinks, subjects, disposables and connections.
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
    /// What kind of resource is counted.
    public typealias Kind = ResourceKind

    /// Whether this build counts resources.
    public static let isTracing = true

    /// The number of live resources. O(t) for *t* threads; from any thread.
    ///
    /// Exact once the threads that made and released resources have been waited for.
    public static var total: Int32 { Int32(truncatingIfNeeded: Kind.allCases.reduce(0) { $0 + count(of: $1) }) }

    /// The number of live resources of one kind. O(t) for *t* threads; from any thread.
    public static func count(of kind: Kind) -> Int { rx_counted(kind.rawValue) }

    /// The number of subscriptions that `observe(on:)` holds on serial schedulers.
    public static var numberOfSerialDispatchQueueObservables: Int32 {
        Int32(truncatingIfNeeded: serialObservers.load(ordering: .relaxed))
    }

    /// Counts a resource of your own, and returns the new total. Pair it with `decrementTotal()`.
    @discardableResult
    public static func incrementTotal() -> Int32 {
        increment(.disposable)
        return total
    }

    /// Takes back one `incrementTotal()`, and returns the new total.
    @discardableResult
    public static func decrementTotal() -> Int32 {
        decrement(.disposable)
        return total
    }

    // Each thread counts for itself, and reading adds up: nothing is ordered by it, so that tracing cannot hide the races
    // it should show, and subscribing and disposing cost 2 % more where locked adds cost 18.
    @inlinable @inline(__always)
    package static func increment(_ kind: Kind) { rx_count(kind.index, 1) }

    @inlinable @inline(__always)
    package static func decrement(_ kind: Kind) { rx_count(kind.index, -1) }

    /// Counts as `kind` what its superclass has counted as `general`.
    @inlinable
    package static func specialise(_ general: Kind, as kind: Kind) {
        decrement(general)
        increment(kind)
    }

    package static func addSerialObserver(_ change: Int) { serialObservers.wrappingAdd(change, ordering: .relaxed) }

    private static let serialObservers = Atomic<Int>(0)
}
#else
/// How many reactive resources are alive in this process: observables, sinks, subjects, disposables and connections.
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

/// `Resources` in a build that does not count them: under another name and inlined into the client, so that no symbol of it is left.
public enum TracingOff {
    /// What kind of resource is counted.
    public typealias Kind = ResourceKind

    /// Whether this build counts resources.
    @_alwaysEmitIntoClient public static var isTracing: Bool { false }

    /// Always 0 in this build.
    @available(*, deprecated, message: "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
    @_alwaysEmitIntoClient public static var total: Int32 { 0 }

    /// Always 0 in this build.
    @available(*, deprecated, message: "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
    @_alwaysEmitIntoClient public static func count(of kind: ResourceKind) -> Int { 0 }

    /// Always 0 in this build.
    @available(*, deprecated, message: "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
    @_alwaysEmitIntoClient public static var numberOfSerialDispatchQueueObservables: Int32 { 0 }

    /// Does nothing in this build and returns 0.
    @available(*, deprecated, message: "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
    @discardableResult @_alwaysEmitIntoClient public static func incrementTotal() -> Int32 { 0 }

    /// Does nothing in this build and returns 0.
    @available(*, deprecated, message: "This build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
    @discardableResult @_alwaysEmitIntoClient public static func decrementTotal() -> Int32 { 0 }
}
#endif
