import Foundation

/// A path with places for a report's figures.
struct PathPattern {
    private enum Part {
        case text(String)
        case process, number, time
    }

    private let parts: [Part]
    private let source: String

    init(_ source: String) throws(ReportSignalError) {
        self.source = source
        var parts: [Part] = []
        var rest = source[...]
        while let index = rest.firstIndex(of: "%") {
            parts.append(.text(String(rest[..<index])))
            let letter = rest[rest.index(after: index)...].first
            switch letter {
            case "p": parts.append(.process)
            case "n": parts.append(.number)
            case "t": parts.append(.time)
            case "%": parts.append(.text("%"))
            default:
                throw ReportSignalError(
                    """
                    The path '\(source)' has '%\(letter.map(String.init) ?? "")'. Use '%p', '%n', '%t', or '%%' \
                    for a '%'.
                    """
                )
            }
            rest = rest[index...].dropFirst(2)
        }
        self.parts = parts + [.text(String(rest))]
        guard let last = source.last, last != "/" else {
            throw ReportSignalError("The path '\(source)' names no file. Add a name, such as 'report-%n.txt'.")
        }
    }

    func path(of report: ProcessReport) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .process: "\(report.processIdentifier)"
            case .number: "\(report.number)"
            case .time: report.date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
            }
        }.joined()
    }

    /// The folder has to be there when the reports are asked for: at the time of a signal there is nobody to tell.
    func checkFolder() throws(ReportSignalError) {
        let parent = (source as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        var isFolder: ObjCBool = false
        // A folder that is named after the report is known only then.
        guard !folder.contains("%"),
            !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue
        else { return }
        throw ReportSignalError("There is no folder '\(folder)'. Make it, or name another.")
    }
}
