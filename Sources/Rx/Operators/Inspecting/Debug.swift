import struct Foundation.Date
import class Foundation.DateFormatter

extension ObservableType {
    /// Prints a line for the subscription, each event and the disposal of this sequence.
    ///
    ///     let one = Observable.just(1).debug("one")
    ///     _ = one.subscribe()  // 20… one -> subscribed, 20… one -> Event next(1), … Event completed, … isDisposed
    ///
    /// For development: each event costs a formatted date and a text. With `Hooks.recordCallStackOnError`, the line of
    /// an error is followed by its origin.
    ///
    /// - Parameters:
    ///   - identifier: the name of the sequence in the lines; by default `File.swift:line (function)`.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: the file in the default name.
    ///   - line: the line in the default name.
    ///   - function: the function in the default name.
    /// - Complexity: One allocation per subscription, plus the allocations for making and printing each line.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> Observable<Element> {
        debug(
            EventLog(
                identifier: identifier ?? EventLog.name(file: file, line: line, function: function),
                trimsOutput: trimOutput,
                now: Date.init, write: { print($0) }))
    }

    /// Does the same as `debug(_:trimOutput:file:line:function:)`, and writes the lines to `log`.
    package func debug(_ log: EventLog) -> Observable<Element> {
        let source = asObservable()
        return StatefulOperatorObservable(named: "debug", source: source) { down in
            log.record("subscribed")
            // The trace covers only this subscription.
            let sink = DebugSink<Element>(log: log, trace: SubscriptionTrace.capture(of: source), down: down)
            down.connect(sink)
            return sink
        }
    }
}

/// One subscription of `debug`. It is a separate segment, because it must be notified of its disposal before its source
/// is disposed.
private final class DebugSink<Element>: TokenSink, @unchecked Sendable {
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: emit, emitEnd, receiveEnd, stopSegment. A segment of its own: see above.
    private let log: EventLog
    private let trace: SubscriptionTrace?
    private let down: Sink

    init(log: EventLog, trace: SubscriptionTrace?, down: Sink) {
        self.log = log
        self.trace = trace
        self.down = down
        super.init(token: { address, sink in
            sink.receive(address) { (sink: DebugSink<Element>, element: inout Element) in
                sink.log.record(.next(element))
                sink.down.emit(&element)
            }
        })
    }

    override func receiveEnd(_ error: (any Error)?) {
        guard stopSegment() else { return }
        if let error { trace?.ended(with: error) }
        log.record(Event<Element>(end: error), from: trace.flatMap { _ in error.flatMap(Hooks.origin(of:)) })
        down.emitEnd(error)
    }

    /// Called once by the downstream sink, even after the sequence has ended.
    override func dispose() {
        log.record("isDisposed")
        super.dispose()
    }
}

/// Logs the events and the lifetime of one sequence.
package struct EventLog {
    private let identifier: String
    private let trimsOutput: Bool
    private let now: () -> Date
    private let write: (String) -> Void
    private let formatter = DateFormatter()

    /// - Parameters:
    ///   - now: returns the date of a line.
    ///   - write: writes a line.
    package init(identifier: String, trimsOutput: Bool, now: @escaping () -> Date, write: @escaping (String) -> Void) {
        self.identifier = identifier
        self.trimsOutput = trimsOutput
        self.now = now
        self.write = write
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    }

    /// Returns the default name of a sequence: `File.swift:12 (function())`.
    package static func name(file: String, line: UInt, function: String) -> String {
        "\(file.split(separator: "/").last ?? ""):\(line) (\(function))"
    }

    func record(_ text: String) { write("\(formatter.string(from: now())): \(identifier) -> \(text)") }

    func record<Element>(_ event: Event<Element>, from origin: ErrorOrigin? = nil) {
        let text = event.debugDescription
        let trimmed = trimsOutput && text.count > 40 ? "\(text.prefix(20))...\(text.suffix(20))" : text
        record("Event " + trimmed + (origin.map { "\n\($0)" } ?? ""))
    }
}
