import ArgumentParser
import Foundation
import RxBench
import RxBenchReport
import Synchronization

/// Writes results to standard output and everything else to standard error.
enum Console {
    /// A line or a table of result. Controls of a terminal that a name holds are shown as signs.
    static func print(_ line: String) { send(Array((line.printableLines + "\n").utf8), to: 1) }

    /// A sentence of result, in lines that fit the terminal and end between words.
    static func print(sentence: String) {
        let sentence = ownCalls(in: sentence)
        print(resultColumns.map { TextTable.wrapped(sentence.printable, to: $0) } ?? sentence)
    }

    /// `sentence` with commands that call this tool by its own name: a suite of one's own has another.
    private static func ownCalls(in sentence: String) -> String {
        sentence.replacing("'rxbench ", with: "'\(RxBenchMain.name) ")
    }

    /// A result for programs, with its keys in order.
    static func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        print(Array(try encoder.encode(value)) + Array("\n".utf8))
    }

    /// A table with an empty line behind it, unless it has no rows. On a terminal that is too narrow the columns called
    /// in `spare` are left out, the first ones first.
    static func print(_ table: TextTable, fitting spare: [String] = [], markdown: Bool = false) {
        guard !table.rows.isEmpty else { return }
        guard !markdown, let columns = resultColumns else {
            return print((markdown ? table.markdown : table.text) + "\n")
        }
        print(table.text(fitting: columns, dropping: spare, isGrouped: false) + "\n")
    }

    /// Sentences that a reader must know beside a table.
    static func print(notes: [String], markdown: Bool) {
        guard !notes.isEmpty else { return }
        if markdown { return print(MarkdownReport.list(notes) + "\n") }
        for note in notes { print(sentence: "note: \(note)") }
    }

    /// A whole document of result.
    static func print(_ bytes: [UInt8]) { send(bytes, to: 1) }

    /// A line of progress or warning. On a terminal it ends between words.
    static func note(_ line: String) { send(Array((errorLines(ownCalls(in: line)) + "\n").utf8), to: 2) }

    /// `text` in lines that fit the terminal of standard error.
    private static func errorLines(_ text: String) -> String {
        hasLiveErrors ? TextTable.wrapped(text.printableLines, to: columns) : text.printableLines
    }

    /// An error's sentence.
    static func complain(_ message: String) { note("Error: \(message)") }

    /// A warning that must not be overlooked.
    static func warn(_ message: String) {
        let line = errorLines("Warning: \(ownCalls(in: message))")
        send(Array(((isColoured(2) ? "\u{1B}[1;33m\(line)\u{1B}[0m" : line) + "\n").utf8), to: 2)
    }

    /// The last line of a verb: green when all is well, red when it is not.
    ///
    /// - Parameter wraps: Whether lines of standard output end between words on a terminal that is too narrow, as those
    ///   of standard error do.
    static func verdict(_ text: String, outcome: Outcome, toErrors: Bool = false, wraps: Bool = false) {
        let colour = outcome == .fine ? "32" : outcome == .inconclusive ? "33" : "31"
        let text = ownCalls(in: text).printable
        let width = wraps ? resultColumns : nil
        let words = toErrors ? errorLines(text) : width.map { TextTable.wrapped(text, to: $0) } ?? text
        let descriptor: Int32 = toErrors ? 2 : 1
        let line = isColoured(descriptor) ? "\u{1B}[1;\(colour)m\(words)\u{1B}[0m" : words
        send(Array((line + "\n").utf8), to: descriptor)
    }

    /// The last line of a verb, and its exit code.
    static func end(
        _ text: String, _ outcome: Outcome, toErrors: Bool = false, wraps: Bool = false
    ) throws(ExitCode) {
        verdict(text, outcome: outcome, toErrors: toErrors, wraps: wraps)
        if outcome != .fine { throw ExitCode(outcome.rawValue) }
    }

    /// Replaces the last line of a terminal; the line ends up empty when `text` is.
    static func replaceLine(_ text: String) {
        // A line that is as long as the terminal is wide moves the cursor to the next, where it cannot be replaced.
        send(Array("\r\u{1B}[K\(text.printable.prefix(columns - 1))".utf8), to: 2)
    }

    /// How wide the terminal behind standard error is.
    private static var columns: Int { columns(2) }

    /// How wide the terminal behind standard output is; `nil` where there is none.
    static var resultColumns: Int? { hasLiveResults ? columns(1) : nil }

    private static func columns(_ descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Whether standard error is a terminal, on which a line may be replaced.
    static var hasLiveErrors: Bool { isatty(2) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Whether standard output is a terminal, for whose reader a picture is drawn.
    static var hasLiveResults: Bool { isatty(1) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Readies the standard streams: a reader that goes away must not end a run before its result is stored, and a
    /// stream that is closed must not hand its number to the next file that is opened, which would then receive the
    /// output.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }

    /// The system's error number of the first result that could not be written, or 0.
    private static let resultError = Atomic<Int32>(0)

    /// Why results are incomplete, in one sentence, or `nil`.
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
                // A reader that has gone away is no error of ours: `rxbench list | head` ends quietly.
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

/// Shows how far a run has come: one living line on a terminal, else a plain line now and then.
final class ProgressLine {
    private let isLive = Console.hasLiveErrors
    private var lastLine: UInt64 = 0
    private static let plainIntervalNanoseconds: UInt64 = 10_000_000_000

    /// The result of `body`, which shows how far it has come. An interruption ends the command.
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

    /// Clears the living line, so that what follows begins on an empty one.
    func finish() { if isLive { Console.replaceLine("") } }
}
