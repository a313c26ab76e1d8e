import CRx
import Rx

extension RxTrace {
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
        a report at exit 
        """
            + "if you like: RX_TRACE=stacks:0.1,exit."
    }
}
