#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A signal that can ask for a report.
public struct ReportSignal: RawRepresentable, Hashable, Sendable {
    /// The system's number of the signal.
    public let rawValue: Int32

    /// The signal of a number of the system's.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// `SIGUSR1`.
    public static let usr1 = ReportSignal(rawValue: SIGUSR1)
    /// `SIGUSR2`.
    public static let usr2 = ReportSignal(rawValue: SIGUSR2)

    /// Signals that end or stop a process whatever it does, or that come of a fault of the program itself.
    var isReserved: Bool { [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP].contains(rawValue) }
}

/// Why a report signal was not installed, or a report not written.
public struct ReportSignalError: Error, Hashable, CustomStringConvertible {
    /// What happened, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}
