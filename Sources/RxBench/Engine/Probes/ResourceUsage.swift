#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The operating system's counts for this process.
struct ResourceUsage: Codable, Sendable, Equatable {
    var voluntarySwitches = 0
    var involuntarySwitches = 0
    var minorFaults = 0
    var majorFaults = 0
    var peakResidentBytes = 0

    /// Returns the counts since the process was started, or `nil` if the system refuses.
    static func now() -> ResourceUsage? {
        var usage = rusage()
        // RUSAGE_SELF is 0 on every system, but its type differs between systems.
        guard getrusage(0, &usage) == 0 else { return nil }
        #if canImport(Darwin)
            let residentUnit = 1
        #else
            let residentUnit = 1024
        #endif
        return ResourceUsage(
            voluntarySwitches: Int(usage.ru_nvcsw), involuntarySwitches: Int(usage.ru_nivcsw),
            minorFaults: Int(usage.ru_minflt),
            majorFaults: Int(usage.ru_majflt), peakResidentBytes: Int(usage.ru_maxrss) * residentUnit)
    }

    /// Returns the counts since `start`. The peak is the peak of the whole process.
    func since(_ start: ResourceUsage) -> ResourceUsage {
        ResourceUsage(
            voluntarySwitches: voluntarySwitches - start.voluntarySwitches,
            involuntarySwitches: involuntarySwitches - start.involuntarySwitches,
            minorFaults: minorFaults - start.minorFaults,
            majorFaults: majorFaults - start.majorFaults, peakResidentBytes: peakResidentBytes)
    }
}
