import Rx

extension RxTrace {
    /// Makes a signal write a report of what is alive, in a process that goes on meanwhile: `kill -USR1 <pid>`.
    ///
    /// ```swift compiled
    /// try RxTrace.installReportSignal(.usr1, to: .file("/var/log/app/rx-%p-%n.txt"))
    /// ```
    ///
    /// The signal's handler only writes a byte to a pipe; the report is made on a queue of its own, so that a signal is
    /// safe at any moment and no thread of yours waits. A handler that was there before is called as well. Signals that
    /// come while a report is being made lead to one more. A forked child's signals do not report to its parent.
    ///
    /// - Parameters:
    ///   - signal: which one. Another call for the same signal takes the destination's place.
    ///   - destination: where reports go: `.file` or `.function`.
    /// - Returns: what takes the signal back, once it is disposed; without that, it stays for the life of the process.
    /// - Throws: `ReportSignalError` for a signal that cannot be used so.
    @discardableResult
    public static func installReportSignal(
        _ signal: ReportSignal = .usr1, to destination: ReportDestination
    ) throws(ReportSignalError) -> any Disposable {
        try ReportSignals.shared.install(signal, destination)
    }
}
