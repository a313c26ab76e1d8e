import CRxTrace
import Foundation
import Rx

extension RxTrace {
    /// Makes a signal write a report of the live resources, while the process continues: `kill -USR1 <pid>`.
    ///
    /// ```swift compiled
    /// try RxTrace.installReportSignal(.usr1, to: .file("/var/log/app/rx-%p-%n.txt"))
    /// ```
    ///
    /// The signal's handler only writes a byte to a pipe. The report is made on a separate queue, so that a signal is
    /// safe at any moment and none of your threads waits. An existing handler is called as well. Signals that arrive
    /// while a report is being made lead to one more report. A forked child's signals do not report to its parent.
    ///
    /// - Parameters:
    ///   - signal: the signal. Another call for the same signal replaces the destination.
    ///   - destination: the destination of reports: `.file` or `.function`.
    /// - Returns: a disposable that uninstalls the signal. If it is not disposed, the signal stays installed for the
    ///   life of the process.
    /// - Throws: `ReportSignalError` for a signal that cannot be used for reports.
    @discardableResult
    public static func installReportSignal(
        _ signal: ReportSignal = .usr1, to destination: ReportDestination
    ) throws(ReportSignalError) -> any Disposable { try ReportSignals.shared.install(signal, destination) }
}

/// A signal that can request a report.
public struct ReportSignal: RawRepresentable, Hashable, Sendable {
    /// The system's number of the signal.
    public let rawValue: Int32

    /// Creates a signal from the system's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// `SIGUSR1`.
    public static let usr1 = ReportSignal(rawValue: SIGUSR1)
    /// `SIGUSR2`.
    public static let usr2 = ReportSignal(rawValue: SIGUSR2)

    /// Whether the signal always ends or stops a process, or is raised by a fault of the program itself.
    var isReserved: Bool { [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP].contains(rawValue) }
}

/// The reason why a report signal was not installed, or why a report was not written.
public struct ReportSignalError: Error, Hashable, CustomStringConvertible {
    /// The reason, and the remedy.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The report signals of this process.
final class ReportSignals: Sendable {
    static let shared = ReportSignals()

    struct Installation {
        let identity: Int
        let destination: ReportDestination
    }

    struct State {
        var pipe: (reading: Int32, writing: Int32)?
        var source: (any DispatchSourceRead)?
        var installations: [Int32: Installation] = [:]
        var lastIdentity = 0
        var reports = 0
    }

    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "RxTrace.reports", qos: .utility)

    func install(_ signal: ReportSignal, _ destination: ReportDestination) throws(ReportSignalError) -> any Disposable {
        guard !signal.isReserved else { throw .reserved(signal) }
        let installed = state.withLock { state -> Result<(identity: Int, replaced: Installation?), ReportSignalError> in
            guard let writing = writingEnd(&state) else { return .failure(.noDescriptor) }
            let code = rxtrace_signal_install(signal.rawValue, writing)
            guard code == 0 else { return .failure(.refused(signal, code)) }
            state.lastIdentity += 1
            let new = Installation(identity: state.lastIdentity, destination: destination)
            return .success((new.identity, state.installations.updateValue(new, forKey: signal.rawValue)))
        }
        // The replaced installation ends here, outside the lock.
        let identity = try installed.get().identity
        return Disposables.create { [self] in remove(signal, identity) }
    }

    private func remove(_ signal: ReportSignal, _ identity: Int) {
        let removed = state.withLock { state -> Installation? in
            guard state.installations[signal.rawValue]?.identity == identity else { return nil }
            rxtrace_signal_remove(signal.rawValue)
            return state.installations.removeValue(forKey: signal.rawValue)
        }
        withExtendedLifetime(removed) {}
    }

    /// The end of the pipe that signals write to. The pipe is made once and never closed, because a handler that runs
    /// late must not write into another file.
    private func writingEnd(_ state: inout State) -> Int32? {
        if let pipe = state.pipe { return pipe.writing }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            // Reads and writes do not block, and programs that this process starts do not inherit the pipe.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        state.pipe = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: queue)
        source.setEventHandler { [self, reading = ends[0]] in report(signals: drain(reading)) }
        source.activate()
        state.source = source
        return ends[1]
    }

    /// Reads the signals that have arrived since the last call.
    private func drain(_ descriptor: Int32) -> Set<Int32> {
        var signals: Set<Int32> = []
        var bytes = [UInt8](repeating: 0, count: 64)
        while case let count = read(descriptor, &bytes, bytes.count), count > 0 {
            for byte in bytes.prefix(count) { signals.insert(Int32(byte)) }
        }
        return signals
    }

    private func report(signals: Set<Int32>) {
        for signal in signals.sorted() {
            let due = state.withLock { state -> (number: Int, destination: ReportDestination)? in
                guard let installation = state.installations[signal] else { return nil }
                state.reports += 1
                return (state.reports, installation.destination)
            }
            if let due { due.destination.deliver(ProcessReport(number: due.number)) }
        }
    }

    /// Returns a number for a report that no signal has requested.
    func takeNumber() -> Int {
        state.withLock { state in
            state.reports += 1
            return state.reports
        }
    }
}

extension ReportSignalError {
    fileprivate static let noDescriptor = Self(
        "There is no file descriptor left for the report signal's pipe. Close files, or raise 'ulimit -n'.")

    fileprivate static func reserved(_ signal: ReportSignal) -> Self {
        Self(
            "Signal '\(signal.rawValue)' cannot ask for reports: it ends or stops the process. Use '.usr1' or '.usr2'.")
    }

    fileprivate static func refused(_ signal: ReportSignal, _ code: Int32) -> Self {
        Self("Signal '\(signal.rawValue)' was refused: \(String(cString: strerror(code))). Use '.usr1' or '.usr2'.")
    }
}
