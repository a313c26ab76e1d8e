import CRx
import Rx

/// Finds leaks and traces the reactive resources of this process.
public enum RxTrace {
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

    /// The amount of tracing. Each level includes the lower ones.
    public enum Level: Int, CaseIterable, Comparable, Sendable {
        /// Resources that are made at this level are never counted.
        case off
        /// Resources are counted by kind and type. This is the initial level, unless the environment sets another.
        case counts
        /// Resources are also registered, with the calls that made them.
        case stacks
        /// The same as `stacks`, for every resource regardless of the sampling rate. Detections also search the heap
        /// for the holders of leaks.
        case paranoid

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// The amount of tracing; `off` in a build that does not trace resources, where setting it has no effect.
    ///
    ///     RxTrace.level = .stacks
    ///     print(RxTrace.level)  // stacks
    ///     RxTrace.level = .counts
    ///
    /// It can be set at any time, from any thread. Each resource is removed from the counts that it was added to, so
    /// that no count is wrong afterwards. The variable `RX_TRACE` sets it from outside, with an optional sampling rate:
    /// `RX_TRACE=stacks:0.1`. With the suffix `,exit` a report of the live resources is written when the process exits.
    /// With `,exit=1` the process exits with that code if any resource is alive.
    public static var level: Level {
        get {
            #if TRACE_RESOURCES
                // Every level that is ever set is one of these.
                Level(rawValue: Int(rx_level_now())) ?? .counts
            #else
                .off
            #endif
        }
        set { setLevel(newValue, samplingRate: samplingRate) }
    }

    /// The share of resources that are registered at the level `stacks`, in 0...1. The default is 1.
    public static var samplingRate: Double {
        #if TRACE_RESOURCES
            rx_sampling_rate()
        #else
            1
        #endif
    }

    /// Sets the amount of tracing, and the share of resources whose stacks are recorded.
    ///
    /// - Parameters:
    ///   - level: the amount of tracing.
    ///   - samplingRate: the share of resources, in 0...1. The resources are selected at random.
    public static func setLevel(_ level: Level, samplingRate: Double) {
        precondition((0...1).contains(samplingRate), "A sampling rate of '\(samplingRate)' is impossible. Use 0...1.")
        #if TRACE_RESOURCES
            rx_level_set(UInt32(level.rawValue), samplingRate)
        #endif
    }

    /// The reason why the variable `RX_TRACE` was ignored, in which case the level is `counts`; `nil` if the variable
    /// is not set or is valid.
    public static var environmentWarning: String? {
        #if TRACE_RESOURCES
            rx_environment_refused().map { warning(aboutEnvironment: String(cString: $0)) }
        #else
            nil
        #endif
    }

    static func warning(aboutEnvironment value: String) -> String {
        """
        RX_TRACE is '\(value)'. Use off, counts, stacks or paranoid, with a sampling rate in 0...1 and ',exit' for \
        a report at exit if you like: RX_TRACE=stacks:0.1,exit.
        """
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

extension String {
    /// A number of things as text: `1 run`, `2 runs`.
    package static func counted(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
