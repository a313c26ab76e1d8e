import Foundation
import Logging

extension PublishedLeak {
    /// A common report about logging back ends: loggers are cached by their label, and the label contains the number of
    /// the request. The published mend keeps the label constant and adds the number as metadata.
    static let loggerCache = PublishedLeak(
        name: "logger-cache",
        expected: Expectation("FileLogWriter", heldBy: "LogBackend.writers", change: "LogBackend.writers"),
        innocents: { count in (0..<count).map { FileLogWriter(label: "job \($0)") } },
        leaky: .synchronous {
            let request = UUID()
            let logger = Logger(label: "api.\(request)", factory: LogBackend.shared.makeHandler)
            logger.info("Handled")
        },
        fixed: .synchronous {
            let request = UUID()
            var logger = Logger(label: "api", factory: LogBackend.shared.makeHandler)
            logger[metadataKey: "request"] = "\(request)"
            logger.info("Handled")
        })
}

private final class FileLogWriter {
    let label: String
    private var lastLine = ""

    init(label: String) { self.label = label }

    func write(_ line: String) { lastLine = line }
}

private final class LogBackend {
    static let shared = LogBackend()

    private let lock = NSLock()
    private var writers: [String: FileLogWriter] = [:]

    func makeHandler(label: String) -> any LogHandler {
        lock.withLock {
            let writer = writers[label] ?? FileLogWriter(label: label)
            writers[label] = writer
            return FileLogHandler(writer: writer)
        }
    }
}

private struct FileLogHandler: LogHandler {
    let writer: FileLogWriter
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(writer: FileLogWriter) { self.writer = writer }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { writer.write("\(writer.label) \(event.level): \(event.message) \(metadata)") }
}
