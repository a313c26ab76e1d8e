import struct Foundation.Date
import class Foundation.DateFormatter

extension ObservableType {
    /// The sequence itself, with a line printed for its subscription, each event and its disposal.
    ///
    ///     let one = Observable.just(1).debug("one")
    ///     _ = one.subscribe()  // 20… one -> subscribed, 20… one -> Event next(1), … Event completed, … isDisposed
    ///
    /// For development: each event takes a formatted date and a text. With `Hooks.recordCallStackOnError`, the line of an error is followed by its origin.
    ///
    /// - Parameters:
    ///   - identifier: names the sequence in the lines; without it, `File.swift:line (function)` does.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> Observable<Element> {
        debug(EventLog(
            identifier: identifier ?? EventLog.name(file: file, line: line, function: function), trimsOutput: trimOutput,
            now: Date.init, write: { print($0) }))
    }

    /// As `debug(_:trimOutput:file:line:function:)`, with the lines going to `log`.
    package func debug(_ log: EventLog) -> Observable<Element> {
        let source = asObservable()
        return observed(
            named: "debug", log.endHandlers(Element.self, SubscriptionTrace.capture(of: source)), { log.record("subscribed") }, nil, { log.record("isDisposed") }
        ) { address, sink in
            sink.receive(address) { (joint: Joint, element: inout Element) in
                log.record(.next(element))
                joint.forwardUncontended(&element)
            }
        }
    }
}

/// Writes down what happens to one sequence.
package struct EventLog {
    private let identifier: String
    private let trimsOutput: Bool
    private let now: () -> Date
    private let write: (String) -> Void
    private let formatter = DateFormatter()

    /// - Parameters:
    ///   - now: the date of a line.
    ///   - write: where a line goes.
    package init(identifier: String, trimsOutput: Bool, now: @escaping () -> Date, write: @escaping (String) -> Void) {
        self.identifier = identifier
        self.trimsOutput = trimsOutput
        self.now = now
        self.write = write
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss.SSS"
    }

    /// What a sequence is called that was not given a name: `File.swift:12 (function())`.
    package static func name(file: String, line: UInt, function: String) -> String {
        "\(file.split(separator: "/").last ?? ""):\(line) (\(function))"
    }

    func record(_ text: String) { write("\(formatter.string(from: now())): \(identifier) -> \(text)") }

    func record<Element>(_ event: Event<Element>, from origin: ErrorOrigin? = nil) {
        let text = event.debugDescription
        let trimmed = trimsOutput && text.count > 40 ? "\(text.prefix(20))...\(text.suffix(20))" : text
        record("Event " + trimmed + (origin.map { "\n\($0)" } ?? ""))
    }

    /// What writes down the end of one subscription; an error with where it came from, if that is recorded.
    func endHandlers<Element>(_: Element.Type, _ trace: SubscriptionTrace?) -> EndHandlers {
        EndHandlers(
            onError: { error in
                trace?.ended(with: error)
                record(Event<Element>.error(error), from: trace.flatMap { _ in Hooks.origin(of: error) })
            },
            afterError: nil, onCompleted: { record(Event<Element>.completed) }, afterCompleted: nil)
    }
}
