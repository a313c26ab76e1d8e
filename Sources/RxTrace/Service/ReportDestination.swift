import Foundation

/// The destination of the reports of a running process.
public struct ReportDestination: Sendable {
    /// Receives a report. Runs on a separate queue, for one report at a time.
    let deliver: @Sendable (ProcessReport) -> Void

    /// A function that receives each report. It is called on a separate queue, for one report at a time.
    public static func function(_ deliver: @escaping @Sendable (ProcessReport) -> Void) -> ReportDestination {
        ReportDestination(deliver: deliver)
    }

    /// A file for each report. The file appears as a whole or not at all.
    ///
    /// - Parameters:
    ///   - path: the path of the file, in which `%p` is replaced by the process's identifier, `%n` by the report's
    ///     number from 1, `%t` by the time in UTC (`20260131T235959Z`), and `%%` by a `%`. An existing file is
    ///     replaced.
    ///   - onWritten: called after each report with its path, or with the error that prevented it.
    /// - Throws: `ReportSignalError` if the path has another letter after `%`, or its folder does not exist.
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

/// A path with places for a report's figures.
struct PathPattern {
    private let source: String

    init(_ source: String) throws(ReportSignalError) {
        let places = source.matches(of: #/%(.?)/#.dotMatchesNewlines())
        if let wrong = places.first(where: { !["p", "n", "t", "%"].contains($0.1) }) {
            throw ReportSignalError("The path '\(source)' has '\(wrong.0)'. Use '%p', '%n', '%t', or '%%' for a '%'.")
        }
        guard let last = source.last, last != "/" else {
            throw ReportSignalError("The path '\(source)' names no file. Add a name, such as 'report-%n.txt'.")
        }
        self.source = source
    }

    func path(of report: ProcessReport) -> String {
        source.replacing(#/%(.)/#) { place in
            switch place.1 {
            case "p": "\(report.processIdentifier)"
            case "n": "\(report.number)"
            case "t": report.date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
            default: "%"
            }
        }
    }

    /// The folder must exist when the reports are requested, because an error at the time of a signal has no reader.
    func checkFolder() throws(ReportSignalError) {
        let parent = (source as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        var isFolder: ObjCBool = false
        // A folder whose name depends on the report is known only when the report is written.
        guard !folder.contains("%"),
            !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue
        else { return }
        throw ReportSignalError("There is no folder '\(folder)'. Make it, or name another.")
    }
}

/// Files that exist completely or not at all.
enum WholeFile {
    /// Writes first to a hidden file in the same folder, which is flushed to the disk and then renamed.
    static func write(_ text: String, to path: String) throws(ReportSignalError) {
        let end = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let partial = "\(path[..<end]).\(path[end...]).\(getpid()).partial"
        guard fill(partial, Array(text.utf8)), rename(partial, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(partial)
            throw ReportSignalError(
                """
                The report '\(path)' was not written: \(reason). See to it that the folder is there and can be \
                written to.
                """)
        }
    }

    private static func fill(_ path: String, _ bytes: [UInt8]) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten =
            fwrite(bytes, 1, bytes.count, file) == bytes.count && fflush(file) == 0 && fsync(fileno(file)) == 0
        let code = errno
        let isClosed = fclose(file) == 0
        // The first error is reported.
        if !isWritten { errno = code }
        return isWritten && isClosed
    }
}
