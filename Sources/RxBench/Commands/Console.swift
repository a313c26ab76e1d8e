import ArgumentParser
import Foundation
import RxBench
import RxBenchEngine
import Synchronization

/// Writes results to standard output and everything else to standard error.
enum Console {
    /// Prints a line or a table of results to standard output. Terminal control characters in names are shown as
    /// printable characters.
    static func print(_ line: String) { send(Array((line.printableLines + "\n").utf8), to: 1) }

    /// Prints a sentence of a result. On a terminal the sentence is wrapped between words to the terminal's width.
    static func print(sentence: String) {
        let sentence = ownCalls(in: sentence)
        print(resultColumns.map { TextTable.wrapped(sentence.printable, to: $0) } ?? sentence)
    }

    /// Returns `sentence` with the commands in it renamed to this tool's own name. A tool that users build for their
    /// own suites is not called `rxbench`.
    private static func ownCalls(in sentence: String) -> String {
        sentence.replacing("'rxbench ", with: "'\(RxBenchMain.name) ")
    }

    /// Prints a result as JSON, with its keys sorted.
    static func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        print(Array(try encoder.encode(value)) + Array("\n".utf8))
    }

    /// Prints a table followed by an empty line, unless the table has no rows. If the terminal is too narrow, the
    /// columns named in `spare` are left out, starting with the first.
    static func print(_ table: TextTable, fitting spare: [String] = [], markdown: Bool = false) {
        guard !table.rows.isEmpty else { return }
        guard !markdown, let columns = resultColumns else {
            return print((markdown ? table.markdown : table.text) + "\n")
        }
        print(table.text(fitting: columns, dropping: spare, isGrouped: false) + "\n")
    }

    /// Prints notes that a reader needs in order to understand a table.
    static func print(notes: [String], markdown: Bool) {
        guard !notes.isEmpty else { return }
        if markdown { return print(MarkdownReport.list(notes) + "\n") }
        for note in notes { print(sentence: "note: \(note)") }
    }

    /// Prints a complete document to standard output.
    static func print(_ bytes: [UInt8]) { send(bytes, to: 1) }

    /// Prints a line of progress or a warning to standard error. On a terminal the line is wrapped between words.
    static func note(_ line: String) { send(Array((errorLines(ownCalls(in: line)) + "\n").utf8), to: 2) }

    /// Returns `text` wrapped to the width of the terminal of standard error, if standard error is a terminal.
    private static func errorLines(_ text: String) -> String {
        hasLiveErrors ? TextTable.wrapped(text.printableLines, to: columns) : text.printableLines
    }

    /// Prints an error message.
    static func complain(_ message: String) { note("Error: \(message)") }

    /// Prints a warning, in bold yellow where colour is available.
    static func warn(_ message: String) {
        let line = errorLines("Warning: \(ownCalls(in: message))")
        send(Array(((isColoured(2) ? "\u{1B}[1;33m\(line)\u{1B}[0m" : line) + "\n").utf8), to: 2)
    }

    /// Prints the last line of a verb: green if all is well, yellow if the result is inconclusive, and red otherwise.
    ///
    /// - Parameter wraps: Whether standard output is wrapped between words to the terminal's width, as standard error
    ///   always is.
    static func verdict(_ text: String, outcome: Outcome, toErrors: Bool = false, wraps: Bool = false) {
        let colour = outcome == .fine ? "32" : outcome == .inconclusive ? "33" : "31"
        let text = ownCalls(in: text).printable
        let width = wraps ? resultColumns : nil
        let words = toErrors ? errorLines(text) : width.map { TextTable.wrapped(text, to: $0) } ?? text
        let descriptor: Int32 = toErrors ? 2 : 1
        let line = isColoured(descriptor) ? "\u{1B}[1;\(colour)m\(words)\u{1B}[0m" : words
        send(Array((line + "\n").utf8), to: descriptor)
    }

    /// Prints the last line of a verb, and throws its exit code unless the outcome is `fine`.
    static func end(
        _ text: String, _ outcome: Outcome, toErrors: Bool = false, wraps: Bool = false
    ) throws(ExitCode) {
        verdict(text, outcome: outcome, toErrors: toErrors, wraps: wraps)
        if outcome != .fine { throw ExitCode(outcome.rawValue) }
    }

    /// Replaces the last line of a terminal. An empty `text` clears the line.
    static func replaceLine(_ text: String) {
        // A line that fills the terminal's width moves the cursor to the next line, and then it can no longer be
        // replaced.
        send(Array("\r\u{1B}[K\(text.printable.prefix(columns - 1))".utf8), to: 2)
    }

    /// The width in columns of the terminal that standard error writes to.
    private static var columns: Int { columns(2) }

    /// The width in columns of the terminal that standard output writes to, or `nil` if standard output is not a
    /// terminal.
    static var resultColumns: Int? { hasLiveResults ? columns(1) : nil }

    private static func columns(_ descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Whether standard error is a terminal, where a line can be replaced.
    static var hasLiveErrors: Bool { isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Whether standard output is a terminal, where pictures are drawn for the reader.
    static var hasLiveResults: Bool { isatty(1) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Prepares the standard streams. A reader that closes the pipe must not end a run whose result is not stored yet.
    /// A closed stream must not pass its descriptor on to the next file that is opened, because that file would then
    /// receive the output.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }

    /// The system's error number of the first failed write to standard output, or 0.
    private static let resultError = Atomic<Int32>(0)

    /// A sentence that says why the output is incomplete, or `nil`.
    static var complaint: String? {
        let code = resultError.load(ordering: .relaxed)
        return code == 0
            ? nil
            : "Standard output cannot be written: \(String(cString: strerror(code))). The output is incomplete."
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if code != EINTR {
                // A reader that has closed the pipe is not an error: `rxbench list | head` ends quietly.
                if descriptor == 1, code != EPIPE {
                    _ = resultError.compareExchange(expected: 0, desired: code, ordering: .relaxed)
                }
                return
            }
        }
    }

    private static func isColoured(_ descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
}

/// Shows the progress of a run: one line that is updated in place on a terminal, or a plain line every ten seconds.
final class ProgressLine {
    private let isLive = Console.hasLiveErrors
    private var lastLine: UInt64 = 0
    private static let plainIntervalNanoseconds: UInt64 = 10_000_000_000

    /// Returns the result of `body`, which reports its progress to the line. An interruption ends the command.
    static func shown<Value>(
        ifInterrupted consequence: String, _ body: (ProgressLine) throws(Interrupted) -> Value
    ) throws(ExitCode) -> Value {
        let line = ProgressLine()
        do {
            let value = try body(line)
            line.finish()
            return value
        } catch {
            line.finish()
            Console.note("Interrupted: \(consequence)")
            throw ExitCode(128 + error.signal)
        }
    }

    func show(_ progress: RunProgress) {
        show(
            progress.id, completed: progress.completed, of: progress.total, remainingSeconds: progress.remainingSeconds,
            mayEndSooner: progress.mayEndSooner)
    }

    func show(_ id: String, completed: Int, of total: Int, remainingSeconds: Double, mayEndSooner: Bool = false) {
        let now = MonotonicClock.nanoseconds
        guard isLive || now - lastLine > Self.plainIntervalNanoseconds else { return }
        lastLine = now
        let left = "\(mayEndSooner ? "at most " : "")about \(Figures.duration(seconds: remainingSeconds)) left"
        let line = "\(completed * 100 / max(total, 1)) %, \(left): \(id)"
        if isLive { Console.replaceLine(line) } else { Console.note(line) }
    }

    /// Clears the progress line, so that the next output starts on an empty line.
    func finish() { if isLive { Console.replaceLine("") } }
}
