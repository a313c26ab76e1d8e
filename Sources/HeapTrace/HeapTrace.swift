import CRx

/// Finds objects and memory that your code does not release, and what holds them.
///
///     let report = HeapTrace.detectGrowth(named: "parsing") { _ = Array("1,2,3".split(separator: ",")) }
///     print(report.outcome)  // clean
///
/// It works in any program. In a program that contains `Rx` it counts the live resources of `Rx`, too.
public enum HeapTrace {
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

    /// The amount of tracing; `off` where `Rx` is built without tracing, and where setting it has no effect.
    ///
    ///     HeapTrace.level = .stacks
    ///     print(HeapTrace.level)  // stacks
    ///     HeapTrace.level = .counts
    ///
    /// It can be set at any time, from any thread. Each resource is removed from the counts that it was added to, so
    /// that no count is wrong afterwards. The variable `RX_TRACE` sets it from outside, with an optional sampling rate:
    /// `RX_TRACE=stacks:0.1`. With the suffix `,exit` a report of the live resources is written when the process exits.
    /// With `,exit=1` the process exits with that code if any resource is alive.
    public static var level: Level {
        get {
            // Every level that is ever set is one of these.
            TracedResources.areCountedOrAbsent ? Level(rawValue: Int(rx_level_now())) ?? .counts : .off
        }
        set { setLevel(newValue, samplingRate: samplingRate) }
    }

    /// The share of resources that are registered at the level `stacks`, in 0...1. The default is 1.
    public static var samplingRate: Double {
        TracedResources.areCountedOrAbsent ? rx_sampling_rate() : 1
    }

    /// Sets the amount of tracing, and the share of resources whose stacks are recorded.
    ///
    /// - Parameters:
    ///   - level: the amount of tracing.
    ///   - samplingRate: the share of resources, in 0...1. The resources are selected at random.
    public static func setLevel(_ level: Level, samplingRate: Double) {
        precondition((0...1).contains(samplingRate), "A sampling rate of '\(samplingRate)' is impossible. Use 0...1.")
        if TracedResources.areCountedOrAbsent { rx_level_set(UInt32(level.rawValue), samplingRate) }
    }

    /// The reason why the variable `RX_TRACE` was ignored, in which case the level is `counts`; `nil` if the variable
    /// is not set or is valid.
    public static var environmentWarning: String? {
        guard TracedResources.areCountedOrAbsent else { return nil }
        return rx_environment_refused().map { warning(aboutEnvironment: String(cString: $0)) }
    }

    static func warning(aboutEnvironment value: String) -> String {
        """
        RX_TRACE is '\(value)'. Use off, counts, stacks or paranoid, with a sampling rate in 0...1 and ',exit' for \
        a report at exit if you like: RX_TRACE=stacks:0.1,exit.
        """
    }
}

extension String {
    /// A number of things as text: `1 run`, `2 runs`.
    package static func counted(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
