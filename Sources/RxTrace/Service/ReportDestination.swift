/// Where the reports of a running process go.
public struct ReportDestination: Sendable {
    /// Takes one report; runs on a queue of the reports' own, one at a time.
    let deliver: @Sendable (ProcessReport) -> Void

    /// A function of yours. It is called on a queue of the reports' own, one report at a time.
    public static func function(_ deliver: @escaping @Sendable (ProcessReport) -> Void) -> ReportDestination {
        ReportDestination(deliver: deliver)
    }

    /// A file for each report, which is there as a whole or not at all.
    ///
    /// - Parameters:
    ///   - path: its path, where `%p` stands for the process's identifier, `%n` for the report's number from 1, `%t`
    ///     for the time in UTC
    ///     (`20260131T235959Z`), and `%%` for a `%`. What is there already under that name is replaced.
    ///   - onWritten: called after each report with its path, or with what has prevented it.
    /// - Throws: `ReportSignalError` if the path has another letter after `%`, or its folder is not there.
    public static func file(
        _ path: String, onWritten: (@Sendable (Result<String, ReportSignalError>) -> Void)? = nil
    ) throws(ReportSignalError) -> ReportDestination {
        let pattern = try PathPattern(path)
        try pattern.checkFolder()
        return ReportDestination { report in
            let path = pattern.path(of: report)
            let result = Result { () throws(ReportSignalError) in
                try WholeFile.write("\(report)\n", to: path)
                return path
            }
            onWritten?(result)
        }
    }
}
