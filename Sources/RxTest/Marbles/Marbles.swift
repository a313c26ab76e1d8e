import Rx

/// The events of a sequence, drawn as text: time runs from left to right.
///
///     let scheduler = TestScheduler(initialClock: 0)
///     let letters = scheduler.createHotObservable(marbles: "--a-b-(c|)")
///     let result = scheduler.start { letters.map { $0.uppercased() } }
///     print(result.marbles())                    // --A-B-(C|)
///     print(result.marbles() == "--A -B- (C|)")  // true
///
/// | in the text | means |
/// |---|---|
/// | `-` | a tick in which nothing happens: 10 units of virtual time, unless `tick:` says otherwise |
/// | `a` | a value, by its name of one character; it takes a tick |
/// | `{name}` | a value with a longer name; it takes a tick too. A backslash makes a `}` part of the name |
/// | `\|` | completed |
/// | `#` | an error |
/// | `(ab\|)` | all of this in one and the same tick, in this order; it takes one tick, whatever its length |
/// | `^` | the moment of subscription, for hot sequences; it takes a tick |
/// | `<25>` | 25 units of virtual time pass: for long waits, and for times that lie between ticks. It may be negative |
/// | space | nothing, and takes no time: for lining diagrams up |
///
/// A result's diagram begins at the tick of subscription, 200; so does one for a hot sequence, with its `^` or else
/// with its first character, and a test's input and output stand exactly under each other. One for a cold sequence
/// begins with each subscription.
///
/// Two diagrams are equal if the same things happen at the same times in the same order. Errors are all the same here.
/// A text alone does not say how long a tick is: it takes that from what it is compared with.
public struct Marbles: CustomStringConvertible, Sendable {
    /// The diagram as it was written, or in its shortest form.
    public let description: String

    let marks: [TimedMark]
    /// The units in a tick; `nil` if this is not known.
    let tick: Int?

    /// The units in a tick, unless told otherwise.
    public static let defaultTick = 10

    /// Reads a diagram. Throws `MarbleSyntaxError`, which names the column at fault.
    public init(_ text: String) throws(MarbleSyntaxError) {
        description = text
        marks = try MarbleReader(text, for: .events).read()
        tick = nil
    }

    /// The diagram of marks at so many units from its beginning.
    init(_ marks: [(offset: Int, mark: Mark)], tick: Int) {
        precondition(tick > 0, "A tick takes \(tick) units of time. Give it at least 1.")
        self.marks = marks.map { TimedMark(time: MarbleTime(units: $0.offset), mark: $0.mark, column: 0) }
        self.tick = tick
        description = MarbleWriter.text(of: self.marks.map { ($0.time.units, $0.mark) }, tick: tick)
    }

    /// The events, at so many units from the `^`, or else from the beginning.
    func timeline(tick: Int) -> [(offset: Int, mark: TimedMark)] {
        let origin = marks.first { $0.mark == .subscribe }?.time.offset(tick: tick) ?? 0
        return marks.filter { $0.mark != .subscribe }.map { ($0.time.offset(tick: tick) - origin, $0) }
    }
}

extension Marbles: ExpressibleByStringLiteral {
    /// Reads a diagram; one that cannot be read ends the program with a sentence that names the column at fault.
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

/// A sign of a diagram.
enum Mark: Hashable, Sendable {
    case next(String)
    case completed
    case error
    case subscribe
    case unsubscribe
}

/// How far from the beginning of a diagram: whole ticks, and units besides.
struct MarbleTime: Hashable, Sendable {
    var ticks = 0
    var units = 0

    func offset(tick: Int) -> Int { ticks * tick + units }
}

/// A mark and when it happens.
struct TimedMark: Sendable {
    let time: MarbleTime
    let mark: Mark
    /// The column of the text, from 1; 0 if there is no text.
    let column: Int
}

/// The error that `#` stands for, unless a test names another.
public struct TestError: Error, Hashable {
    /// An error like any other of this type.
    public init() {}
}

extension TestScheduler {
    /// A hot sequence that sends what a diagram shows. Its `^`, or else its beginning, is the tick of subscription,
    /// 200.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let numbers = scheduler.createHotObservable(marbles: "a^-b|", values: ["a": 1, "b": 2])
    ///     print(scheduler.start { numbers }.events)  // [next(2) @ 220, completed @ 230]
    ///     print(numbers.subscriptions.marbles())     // ["^--!"]
    ///
    /// Events at the beginning or under `^` itself come just before the subscription, which misses them.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: what the names in the diagram stand for. A name that is missing ends the program with a sentence
    ///     that names its column.
    ///   - error: what `#` stands for.
    ///   - tick: the units of virtual time that each tick takes.
    ///   - start: the time of the diagram's `^`, or else of its beginning.
    public func createHotObservable<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(),
        tick: Int = Marbles.defaultTick, start: TestTime = Defaults.subscribed
    ) -> TestableObservable<Element> {
        createHotObservable(Recorded.events(marbles: marbles, values: values, error: error, tick: tick, start: start))
    }

    /// A hot sequence that sends what a diagram shows; its values are their own names.
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

    /// A cold sequence that sends each subscriber what a diagram shows, from its subscription on.
    ///
    ///     let scheduler = TestScheduler(initialClock: 0)
    ///     let numbers = scheduler.createColdObservable(marbles: "-a-(b|)", values: ["a": 1, "b": 2])
    ///     let result = scheduler.start { numbers.concat(numbers) }
    ///     print(result.marbles())                 // -1-21-(2|)
    ///     print(numbers.subscriptions.marbles())  // ["^--!", "---^--!"]
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - values: what the names in the diagram stand for. A name that is missing ends the program with a sentence
    ///     that names its column.
    ///   - error: what `#` stands for.
    ///   - tick: the units of virtual time that each tick takes.
    public func createColdObservable<Element>(
        marbles: Marbles, values: [String: Element], error: any Error = TestError(), tick: Int = Marbles.defaultTick
    ) -> TestableObservable<Element> {
        createColdObservable(Recorded.events(marbles: marbles, values: values, error: error, tick: tick, start: 0))
    }

    /// A cold sequence that sends each subscriber what a diagram shows; its values are their own names.
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
