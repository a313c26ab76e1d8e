import Foundation
import Synchronization

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

    /// Whether standard output is a terminal, for whose reader a picture is drawn.
    static var hasLiveResults: Bool { isatty(1) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Readies the standard streams: a reader that goes away must not end a run before its result is stored, and a stream that is closed must
    /// not hand its number to the next file that is opened, which would then receive the output.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }

    /// The system's error number of the first result that could not be written, or 0.
    private static let resultError = Atomic<Int32>(0)

    /// Why results are incomplete, in one sentence, or `nil`.
    static var complaint: String? {
        let code = resultError.load(ordering: .relaxed)
        return code == 0 ? nil : "Standard output cannot be written: \(String(cString: strerror(code))). What it holds is incomplete."
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if code != EINTR {
                // A reader that has gone away is no error of ours: `rxbench list | head` ends quietly.
                if descriptor == 1, code != EPIPE { _ = resultError.compareExchange(expected: 0, desired: code, ordering: .relaxed) }
                return
            }
        }
    }

    private static func isColoured(_ descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}
