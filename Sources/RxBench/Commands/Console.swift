import Foundation

#if canImport(Darwin)
    import Darwin
    private let systemWrite = Darwin.write
#elseif canImport(Glibc)
    import Glibc
    private let systemWrite = Glibc.write
#elseif canImport(Musl)
    import Musl
    private let systemWrite = Musl.write
#endif

/// Writes results to standard output and everything else to standard error.
enum Console {
    /// A line of result.
    static func print(_ line: String) { write(Array((line + "\n").utf8), to: 1) }

    /// A whole document of result.
    static func print(_ bytes: [UInt8]) { write(bytes, to: 1) }

    /// A line of progress or warning.
    static func note(_ line: String) { write(Array((line + "\n").utf8), to: 2) }

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
    static func replaceLine(_ text: String) { write(Array("\r\u{1B}[K\(text)".utf8), to: 2) }

    /// Whether standard error is a terminal, on which a line may be replaced.
    static var hasLiveErrors: Bool { isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// A reader that has gone away is no error of ours: `rxbench list | head` ends quietly, even where SIGPIPE is ignored.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    private static func isColoured(_ descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
