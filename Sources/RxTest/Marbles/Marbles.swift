import Rx

/// The events of a sequence as text. Time runs from left to right.
///
///     let scheduler = TestScheduler(initialClock: 0)
///     let letters = scheduler.createHotObservable(marbles: "--a-b-(c|)")
///     let result = scheduler.start { letters.map { $0.uppercased() } }
///     print(result.marbles())                    // --A-B-(C|)
///     print(result.marbles() == "--A -B- (C|)")  // true
///
/// | in the text | means |
/// |---|---|
/// | `-` | a tick without an event: 10 units of virtual time, unless `tick:` sets another number |
/// | `a` | a value whose name is one character; it takes a tick |
/// | `{name}` | a value with a longer name; it takes a tick too. Escape a `}` in the name with a backslash |
/// | `\|` | completion |
/// | `#` | an error |
/// | `(ab\|)` | several events in the same tick, in this order; the group takes one tick, whatever its length |
/// | `^` | the time of the subscription, for hot sequences; it takes a tick |
/// | `<25>` | a wait of 25 units of virtual time, for long waits and for times between ticks. It may be negative |
/// | space | nothing; it takes no time. Use it to align diagrams |
///
/// The diagram of a result begins at the tick of the subscription, 200. The diagram of a hot sequence also begins
/// there, with its `^` or, without one, with its first character, so the input and the output of a test align. The
/// diagram of a cold sequence begins with each subscription.
///
/// Two diagrams are equal if the same events happen at the same times in the same order. All errors are considered
/// equal. A text alone does not determine the length of a tick. It uses the length of the diagram that it is compared
/// with.
public struct Marbles: CustomStringConvertible, Sendable {
    /// The text of the diagram, as it was written, or in its shortest form.
    public let description: String

    let marks: [TimedMark]
    /// The units per tick. `nil` if unknown.
    let tick: Int?

    /// The default number of units per tick.
    public static let defaultTick = 10

    /// Reads a diagram. Throws `MarbleSyntaxError`, which gives the column of the fault.
    public init(_ text: String) throws(MarbleSyntaxError) {
        description = text
        marks = try MarbleReader(text, for: .events).read()
        tick = nil
    }

    /// Creates the diagram of marks at the given offsets from its beginning, in units.
    init(_ marks: [(offset: Int, mark: Mark)], tick: Int) {
        precondition(tick > 0, "A tick takes \(tick) units of time. Give it at least 1.")
        self.marks = marks.map { TimedMark(time: MarbleTime(units: $0.offset), mark: $0.mark, column: 0) }
        self.tick = tick
        description = MarbleWriter.text(of: self.marks.map { ($0.time.units, $0.mark) }, tick: tick)
    }

    /// Returns the events with their offsets in units from the `^`, or from the beginning if there is no `^`.
    func timeline(tick: Int) -> [(offset: Int, mark: TimedMark)] {
        let origin = marks.first { $0.mark == .subscribe }?.time.offset(tick: tick) ?? 0
        return marks.filter { $0.mark != .subscribe }.map { ($0.time.offset(tick: tick) - origin, $0) }
    }
}

extension Marbles: ExpressibleByStringLiteral {
    /// Reads a diagram. A diagram that cannot be read stops the program with a message that gives the column of the
    /// fault.
    public init(stringLiteral text: String) {
        do { try self.init(text) } catch { preconditionFailure(error.description) }
    }
}

extension Marbles: Equatable {
    public static func == (lhs: Marbles, rhs: Marbles) -> Bool {
        let tick = lhs.tick ?? rhs.tick ?? defaultTick
        let (left, right) = (lhs.timeline(tick: tick), rhs.timeline(tick: tick))
        return left.count == right.count
            && zip(left, right).allSatisfy { $0.offset == $1.offset && $0.mark.mark == $1.mark.mark }
    }
}

/// A mark in a diagram.
enum Mark: Hashable, Sendable {
    case next(String)
    case completed
    case error
    case subscribe
    case unsubscribe
}

/// The offset from the beginning of a diagram: whole ticks, plus units.
struct MarbleTime: Hashable, Sendable {
    var ticks = 0
    var units = 0

    func offset(tick: Int) -> Int { ticks * tick + units }
}

/// A mark and its time.
struct TimedMark: Sendable {
    let time: MarbleTime
    let mark: Mark
    /// The column in the text, starting at 1. 0 if there is no text.
    let column: Int
}

/// The error that `#` represents by default.
public struct TestError: Error, Hashable {
    /// Creates an error. All errors of this type are equal.
    public init() {}
}

extension TestScheduler {
    /// Creates a hot sequence that sends the events of a diagram. Its `^`, or its beginning if there is no `^`, is at
    /// the tick of the subscription, 200.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let numbers = scheduler.createHotObservable(marbles: "a^-b|", values: ["a": 1, "b": 2])
    ///     print(scheduler.start { numbers }.events)  // [next(2) @ 220, completed @ 230]
    ///     print(numbers.subscriptions.marbles())     // ["^--!"]
    ///
    /// Events at the beginning or at `^` are sent immediately before the subscription, so the subscriber does not
    /// receive them.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: the values for the names in the diagram. A missing name stops the program with a message that gives
    ///     the column of the name.
    ///   - error: the error that `#` represents.
    ///   - tick: the units of virtual time per tick.
    ///   - start: the time of the `^` in the diagram, or of the beginning if there is no `^`.
    public func createHotObservable<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = Defaults.subscribed
    ) -> TestableObservable<Element> {
        createHotObservable(Recorded.events(marbles: marbles, values: values, error: error, tick: tick, start: start))
    }

    /// Creates a hot sequence that sends the events of a diagram. Each value is its name.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let letters = scheduler.createHotObservable(marbles: "-a-b|")
    ///     print(scheduler.start { letters.take(1) }.marbles())  // -(a|)
    public func createHotObservable(
        marbles: Marbles, error: any Error = TestError(), tick: Int = Marbles.defaultTick,
        start: TestTime = Defaults.subscribed
    ) -> TestableObservable<String> {
        createHotObservable(Recorded.events(marbles: marbles, error: error, tick: tick, start: start))
    }

    /// Creates a cold sequence that sends the events of a diagram to each subscriber, starting at its subscription.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let numbers = scheduler.createColdObservable(marbles: "-a-(b|)", values: ["a": 1, "b": 2])
    ///     let result = scheduler.start { numbers.concat(numbers) }
    ///     print(result.marbles())                 // -1-21-(2|)
    ///     print(numbers.subscriptions.marbles())  // ["^--!", "---^--!"]
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: the values for the names in the diagram. A missing name stops the program with a message that gives
    ///     the column of the name.
    ///   - error: the error that `#` represents.
    ///   - tick: the units of virtual time per tick.
    public func createColdObservable<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(), tick: Int = Marbles.defaultTick
    ) -> TestableObservable<Element> {
        createColdObservable(Recorded.events(marbles: marbles, values: values, error: error, tick: tick, start: 0))
    }

    /// Creates a cold sequence that sends the events of a diagram to each subscriber. Each value is its name.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let letters = scheduler.createColdObservable(marbles: "-a-#")
    ///     print(scheduler.start { letters.retry(2) }.marbles())  // -a--a-#
    public func createColdObservable(
        marbles: Marbles, error: any Error = TestError(), tick: Int = Marbles.defaultTick
    ) -> TestableObservable<String> {
        createColdObservable(Recorded.events(marbles: marbles, error: error, tick: tick, start: 0))
    }
}
