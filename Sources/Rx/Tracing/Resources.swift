#if TRACE_RESOURCES
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

    /// The number of live resources. O(1); from any thread.
    public static var total: Int32 { Int32(truncatingIfNeeded: counters.total.load(ordering: .relaxed)) }

    /// The number of live resources of one kind. O(1); from any thread.
    public static func count(of kind: Kind) -> Int { counters[kind].load(ordering: .relaxed) }

    /// The number of subscriptions that `observe(on:)` holds on serial schedulers.
    public static var numberOfSerialDispatchQueueObservables: Int32 {
        Int32(truncatingIfNeeded: counters.serialObservers.load(ordering: .relaxed))
    }

    /// Counts a resource of your own, and returns the new total. Pair it with `decrementTotal()`.
    @discardableResult
    public static func incrementTotal() -> Int32 { increment(.disposable) }

    /// Takes back one `incrementTotal()`, and returns the new total.
    @discardableResult
    public static func decrementTotal() -> Int32 { decrement(.disposable) }

    // One relaxed add for the total and one for the kind: they order nothing, so tracing cannot hide the races it should show.
    @discardableResult @usableFromInline
    package static func increment(_ kind: Kind) -> Int32 {
        counters[kind].wrappingAdd(1, ordering: .relaxed)
        return Int32(truncatingIfNeeded: counters.total.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    @discardableResult @usableFromInline
    package static func decrement(_ kind: Kind) -> Int32 {
        counters[kind].wrappingSubtract(1, ordering: .relaxed)
        return Int32(truncatingIfNeeded: counters.total.wrappingSubtract(1, ordering: .relaxed).newValue)
    }

    package static func addSerialObserver(_ change: Int) { counters.serialObservers.wrappingAdd(change, ordering: .relaxed) }

    private static let counters = Counters()

    private final class Counters: Sendable {
        let total = Atomic<Int>(0)
        let serialObservers = Atomic<Int>(0)
        private let observable = Atomic<Int>(0)
        private let subject = Atomic<Int>(0)
        private let sink = Atomic<Int>(0)
        private let disposable = Atomic<Int>(0)
        private let connection = Atomic<Int>(0)
        private let scheduler = Atomic<Int>(0)

        subscript(kind: Kind) -> Atomic<Int> {
            _read {
                switch kind {
                case .observable: yield observable
                case .subject: yield subject
                case .sink: yield sink
                case .disposable: yield disposable
                case .connection: yield connection
                case .scheduler: yield scheduler
                }
            }
        }
    }
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
