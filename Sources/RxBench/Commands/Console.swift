import Foundation

/// Writes results to standard output and everything else to standard error.
enum Console {
    /// A line of result.
    static func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// A line of progress or warning.
    static func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    /// An error's sentence.
    static func complain(_ message: String) { note("Error: \(message)") }

    /// A warning that must not be overlooked.
    static func warn(_ message: String) {
        note(isColoured(2) ? "\u{1B}[1;33mWarning: \(message)\u{1B}[0m" : "Warning: \(message)")
    }

    /// The last line of a verb: green when all is well, red when it is not.
    static func verdict(_ text: String, outcome: Outcome, toErrors: Bool = false) {
        let colour = outcome == .fine ? "32" : outcome == .inconclusive ? "33" : "31"
        let line = isColoured(toErrors ? 2 : 1) ? "\u{1B}[1;\(colour)m\(text)\u{1B}[0m" : text
        if toErrors { note(line) } else { print(line) }
    }

    /// Replaces the last line of a terminal; the line ends up empty when `text` is.
    static func replaceLine(_ text: String) { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }

    /// Whether standard error is a terminal, on which a line may be replaced.
    static var hasLiveErrors: Bool { isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    private static func isColoured(_ descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
