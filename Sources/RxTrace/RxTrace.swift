import CRx
import Rx

/// Questions about the reactive resources of this process.
public enum RxTrace {
    /// The resources that are alive after `body` has returned and were not before.
    ///
    ///     let news = PublishSubject<Int>()
    ///     let leaked = RxTrace.resources {
    ///         _ = news.subscribe()
    ///     }
    ///     print(leaked)  // total +2: sink +1, disposable +1
    ///
    /// It reads process-wide counts before and after: what other threads make meanwhile counts too, and so does what is
    /// made once and kept, so call `body` once beforehand. What `body` has left to schedulers counts while it is
    /// pending.
    ///
    /// - Parameter body: runs once, on this thread.
    /// - Returns: *unavailable* in a build that does not trace resources.
    /// - Throws: what `body` throws.
    public static func resources<Failure: Error>(
        leakedBy body: () throws(Failure) -> Void
    ) throws(Failure) -> ResourceDifference {
        let before = ResourceSnapshot()
        try body()
        return ResourceSnapshot().difference(from: before)
    }

    /// How many reactive resources are alive, again and again: the loop that prints them in a running app or service.
    ///
    ///     _ = RxTrace.resourceCounts(every: .seconds(20), scheduler: scheduler)
    ///         .map { $0.total! > 0 }.subscribe(onNext: { print($0) })  // true, true, true
    ///
    /// Sends without end. The subscription's own resources are in the counts, the same number each time. O(t) for *t*
    /// threads a reading.
    ///
    /// - Parameters:
    ///   - period: also passes before the first reading.
    ///   - scheduler: keeps the time, and is where readings are made and sent.
    /// - Returns: readings that say *unavailable* in a build that does not trace resources.
    public static func resourceCounts(
        every period: RxTimeInterval, scheduler: any SchedulerType
    ) -> Observable<ResourceSnapshot> {
        Observable<Int>.interval(period, scheduler: scheduler).map { _ in ResourceSnapshot() }
    }

    /// How much is traced of the resources that are made. Each level does what the ones before it do.
    public enum Level: Int, CaseIterable, Comparable, Sendable {
        /// Resources that are made now are not counted, whenever they go.
        case off
        /// Resources are counted by kind and type. The level at first, unless the environment says otherwise.
        case counts
        /// They are registered besides: which are alive, and what calls have made each.
        case stacks
        /// As `stacks`, for every resource whatever the sampling rate; and detections look through the heap for who
        /// holds what they find.
        case paranoid

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// How much is traced; `off` in a build that does not trace resources, where setting it does nothing.
    ///
    ///     RxTrace.level = .stacks
    ///     print(RxTrace.level)  // stacks
    ///     RxTrace.level = .counts
    ///
    /// It can be set at any time, from any thread: each resource is taken out of what it was put into, so that no count
    /// is wrong afterwards. The variable `RX_TRACE` sets it from outside, with a sampling rate where that is wanted:
    /// `RX_TRACE=stacks:0.1`. With `,exit` behind it a report of what is alive is written when the process exits, and
    /// with `,exit=1` it ends with that code if anything is.
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

    /// The share of resources that are registered at the level `stacks`, in 0...1; 1 unless something else was set.
    public static var samplingRate: Double {
        #if TRACE_RESOURCES
            rx_sampling_rate()
        #else
            1
        #endif
    }

    /// Sets how much is traced, and of how many resources stacks are recorded.
    ///
    /// - Parameters:
    ///   - level: how much is traced.
    ///   - samplingRate: in 0...1. Which resources are taken is left to chance.
    public static func setLevel(_ level: Level, samplingRate: Double) {
        precondition((0...1).contains(samplingRate), "A sampling rate of '\(samplingRate)' is impossible. Use 0...1.")
        #if TRACE_RESOURCES
            rx_level_set(UInt32(level.rawValue), samplingRate)
        #endif
    }

    /// Why the variable `RX_TRACE` was not heeded; `nil` if it is not set or was understood. The level is then
    /// `counts`.
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

    /// Whether it is recorded where errors come from, with functions, files and lines. Off at first.
    ///
    ///     RxTrace.recordsErrorOrigins = true
    ///     let failing = Observable.just("1o").map { text in try Int(text) ?? { throw RxError.noElements }() }
    ///     _ = failing.subscribe(onError: { error in
    ///         print(Hooks.origin(of: error)!.assembled.map(\.name))  // ["map(_:)", "just"]
    ///     })
    ///     RxTrace.recordsErrorOrigins = false
    ///
    /// Turns `Hooks.recordCallStackOnError` on, so that `Hooks.origin(of:)` knows an error's stacks, and names the
    /// calls in them; and `RxTrace.level` up to `stacks`, so that each operator made from now on is known by where it
    /// was put into its chain. Turning it off puts both back. Process-wide.
    ///
    /// Naming takes up to some milliseconds an error, on the thread where it arrives: for finding a fault, not for a
    /// service under load.
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

    /// The level that holds where origins are not recorded; `nil` while they are not.
    private static let levelBefore = Guarded<Level?>(nil)
}

extension ErrorOrigin {
    /// The calls that threw the error, in words.
    public var thrownStack: CallStack { CallStack(addresses: thrown) }

    /// Names calls by function, file and line. Only those of the program itself, unless there are none.
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
    /// A number of things in words: `1 run`, `2 runs`.
    package static func counted(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
