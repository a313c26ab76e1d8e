import Rx
import RxTest

/// An operator in the tests of the contract: its name, a function that applies it, and its declared ends.
///
/// The source sends 1, 2 and 3 at 210, 220 and 230 and ends at 240. The sequence is subscribed to at 200. Unless an
/// entry declares something else, an operator forwards the end at 240, and ends its subscription to the source then, or
/// at the tick of a disposal.
struct OperatorContract: @unchecked Sendable {
    // @unchecked: its functions use only their arguments.
    typealias Apply = (Observable<Int>, ContractScheduler) -> Observable<String>

    /// A user's function that throws.
    struct ThrowingClosure {
        let name: String
        let tick: TestTime
        /// Whether the function is called when the source fails, instead of when it completes.
        let sourceFails: Bool
        /// Whether the source is subscribed to before the function is called.
        let subscribes: Bool
        let apply: Apply
    }

    /// The events that a sequence must deliver when its source has ended.
    struct Outcome {
        var end: End
        var tick: TestTime
        var subscriptions: [Subscription]
    }

    enum End: Equatable { case completed, failed, none }

    /// The declaration: base name and labels.
    let name: String
    /// The part of the name that distinguishes entries of the same operator.
    let form: String
    private(set) var values: String
    let apply: Apply
    var onError = Outcome(end: .failed, tick: 240, subscriptions: [Subscription(200, 240)])
    var onCompletion = Outcome(end: .completed, tick: 240, subscriptions: [Subscription(200, 240)])
    var subscriptionsWhenDisposed = [Subscription(200, 225)]
    var closures: [ThrowingClosure] = []

    /// The operator `name`, which delivers `values`, separated by blanks, for the elements 1, 2, 3.
    init<Result: ObservableConvertibleType>(
        _ name: String, _ form: String = "", gives values: String,
        _ apply: @escaping (Observable<Int>, ContractScheduler) -> Result
    ) {
        self.name = name
        self.form = form
        self.values = values
        self.apply = { apply($0, $1).asObservable().map { "\($0)" } }
    }

    /// The name in the message of a failing test.
    var title: String { form.isEmpty ? name : "\(name) [\(form)]" }

    /// Declares other values.
    func giving(_ values: String) -> OperatorContract {
        var changed = self
        changed.values = values
        return changed
    }

    /// Declares the effect of an error of the source.
    func failing(_ end: End, at tick: TestTime = 240, _ subscriptions: [Subscription]? = nil) -> OperatorContract {
        var changed = self
        changed.onError = Outcome(
            end: end, tick: tick, subscriptions: subscriptions ?? [Subscription(200, min(tick, 240))])
        return changed
    }

    /// Declares the effect of the completion of the source.
    func completing(_ end: End, at tick: TestTime = 240, _ subscriptions: [Subscription]? = nil) -> OperatorContract {
        var changed = self
        changed.onCompletion = Outcome(
            end: end, tick: tick, subscriptions: subscriptions ?? [Subscription(200, min(tick, 240))])
        return changed
    }

    /// Declares that the operator ends by itself, independently of a later end of the source.
    func ending(_ end: End, at tick: TestTime) -> OperatorContract {
        var changed = failing(end, at: tick).completing(end, at: tick)
        changed.subscriptionsWhenDisposed = [Subscription(200, min(tick, 225))]
        return changed
    }

    /// Declares a later subscription to the source, or a later release of the source.
    func subscribing(_ begin: TestTime, until end: TestTime, whenDisposed disposed: TestTime) -> OperatorContract {
        var changed = self
        changed.onError.subscriptions = [Subscription(begin, end)]
        changed.onCompletion.subscriptions = [Subscription(begin, end)]
        changed.subscriptionsWhenDisposed = [Subscription(begin, disposed)]
        return changed
    }

    /// Adds a form in which one of its functions throws at a tick.
    func throwing<Result: ObservableConvertibleType>(
        _ closure: String, at tick: TestTime = 210, sourceFails: Bool = false, subscribes: Bool = true,
        _ apply: @escaping (Observable<Int>, ContractScheduler) -> Result
    ) -> OperatorContract {
        var changed = self
        changed.closures.append(
            ThrowingClosure(
                name: closure, tick: tick, sourceFails: sourceFails, subscribes: subscribes,
                apply: { apply($0, $1).asObservable().map { "\($0)" } }))
        return changed
    }

    /// Every operator of `Sources/Rx/Operators` that takes a source.
    static let operators = creating + transforming + filtering + combining + recovering + timing + sharing + inspecting

    /// Every operator of `Sources/Rx/Traits` and `Sources/Rx/SharedSequence` that takes a source. The name of the trait
    /// precedes the operator's name: `Single.map(_:)`.
    static let traits = primitiveSequences + infallibles + sharedSequences

    /// All operators.
    static let all = operators + traits
}

/// A scheduler that makes the other sources of an operator.
final class ContractScheduler: TestScheduler {
    private let recordsOthers: Bool
    private var others: [TestableObservable<Int>] = []

    /// - Parameter recordsOthers: whether the other sources are stored for `takeOthersEnd()`.
    init(recordsOthers: Bool = false) {
        self.recordsOthers = recordsOthers
        super.init(initialClock: 0)
    }

    /// Makes another source, which sends its events at these ticks.
    func other(_ events: [Recorded<Event<Int>>]) -> Observable<Int> {
        let source = createHotObservable(events)
        if recordsOthers { others.append(source) }
        return source.asObservable()
    }

    /// Returns the end of the last subscription to another source, and releases the other sources.
    func takeOthersEnd() -> TestTime {
        defer { others = [] }
        return others.flatMap(\.subscriptions).map(\.unsubscribe).max() ?? 0
    }
}

/// The behaviour of a user's function in these tests instead of an answer.
func fault<Result>() throws -> Result { throw Planted.fault }

/// An object that is alive during all tests.
final class LastingObject: Sendable {
    static let instance = LastingObject()
}
