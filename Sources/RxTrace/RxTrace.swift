@_exported import HeapTrace
import Rx

/// `HeapTrace`, with what only programs with `Rx` have: live resources by kind, origins of errors, reports on a signal.
public typealias RxTrace = HeapTrace

extension HeapTrace {
    /// Returns the resources that are alive after `body` has returned and were not before.
    ///
    ///     let news = PublishSubject<Int>()
    ///     let leaked = RxTrace.resources {
    ///         _ = news.subscribe()
    ///     }
    ///     print(leaked)  // total +2: sink +1, disposable +1
    ///
    /// Reads process-wide counts before and after. Resources that other threads make in this time are included. So are
    /// resources that are made once and kept; call `body` once beforehand to exclude these. Work that `body` has
    /// scheduled is included while it is pending.
    ///
    /// - Parameter body: runs once, on this thread.
    /// - Returns: *unavailable* in a build that does not trace resources.
    /// - Throws: the error that `body` throws.
    public static func resources<Failure: Error>(
        leakedBy body: () throws(Failure) -> Void
    ) throws(Failure) -> ResourceDifference {
        let before = ResourceSnapshot()
        try body()
        return ResourceSnapshot().difference(from: before)
    }

    /// Repeatedly counts the live reactive resources, for example to print them in a running app or service.
    ///
    ///     _ = RxTrace.resourceCounts(every: .seconds(20), scheduler: scheduler)
    ///         .map { $0.total! > 0 }.subscribe(onNext: { print($0) })  // true, true, true
    ///
    /// The sequence never ends. The counts include the same number of the subscription's own resources each time. Each
    /// reading takes O(t) for *t* threads.
    ///
    /// - Parameters:
    ///   - period: the time between readings, which also passes before the first reading.
    ///   - scheduler: the scheduler that keeps the time, and on which readings are taken and sent.
    /// - Returns: the readings, which are *unavailable* in a build that does not trace resources.
    public static func resourceCounts(
        every period: RxTimeInterval, scheduler: any SchedulerType
    ) -> Observable<ResourceSnapshot> {
        Observable<Int>.interval(period, scheduler: scheduler).map { _ in ResourceSnapshot() }
    }

    // MARK: Errors

    /// Whether the origins of errors are recorded, with functions, files and lines. The default is `false`.
    ///
    ///     RxTrace.recordsErrorOrigins = true
    ///     let failing = Observable.just("1o").map { text in try Int(text) ?? { throw RxError.noElements }() }
    ///     _ = failing.subscribe(onError: { error in
    ///         print(Hooks.origin(of: error)!.assembled.map(\.name))  // ["map(_:)", "just"]
    ///     })
    ///     RxTrace.recordsErrorOrigins = false
    ///
    /// Turns `Hooks.recordCallStackOnError` on, so that `Hooks.origin(of:)` has an error's stacks, and names the
    /// calls in them. Raises `RxTrace.level` to `stacks`, so that operators that are made afterwards are known by the
    /// place where they were added to the chain. Turning it off restores both. Process-wide.
    ///
    /// Naming can take some milliseconds for each error, on the thread where the error arrives. Use it to find a fault,
    /// and not in a service under load.
    public static var recordsErrorOrigins: Bool {
        get { levelBefore.withLock { $0 } != nil }
        set {
            let before = levelBefore.withLock { before in
                defer { before = newValue ? before ?? level : nil }
                return before
            }
            if newValue { level = max(level, .stacks) } else if let before { level = before }
            CallNames.current = newValue ? ErrorOrigin.namer : nil
            Hooks.recordCallStackOnError = newValue
        }
    }

    /// The level to restore when the recording of origins ends; `nil` while origins are not recorded.
    private static let levelBefore = Guarded<Level?>(nil)
}

extension ErrorOrigin {
    /// The calls that threw the error, with their names.
    public var thrownStack: CallStack { CallStack(addresses: thrown) }

    /// Names calls by function, file and line. If the stack contains calls of the program, only these are named.
    fileprivate static let namer = CallNames.Namer(
        lines: { addresses in
            let stack = CallStack(addresses: addresses)
            let own = stack.framesOfYours
            return (own.isEmpty ? stack.frames : own).map(\.description)
        },
        place: { addresses in
            CallStack(addresses: addresses).framesOfYours.first.map { $0.place ?? $0.function }
        })
}
