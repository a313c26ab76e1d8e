import Rx
import RxTest

/// An operator as the tests of the contract know it: its name, how to apply it, and what it declares about ends.
///
/// The source sends 1, 2 and 3 at 210, 220 and 230 and ends at 240; the sequence is subscribed to at 200. Unless an
/// entry says otherwise, an operator passes the end on at 240, and ends its subscription to the source then, or at the
/// tick of a disposal.
struct OperatorContract: @unchecked Sendable {
    // @unchecked: its functions use only their arguments.
    typealias Apply = (Observable<Int>, ContractScheduler) -> Observable<String>

    /// Any function of the user that throws.
    struct ThrowingClosure {
        let name: String
        let tick: TestTime
        /// Whether it is called when the source fails, and not when it completes.
        let sourceFails: Bool
        /// Whether the source is subscribed to before that.
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

    /// The operator `name` that makes `values`, separated by blanks, of 1, 2, 3.
    init<Result: ObservableConvertibleType>(
        _ name: String, _ form: String = "", gives values: String,
        _ apply: @escaping (Observable<Int>, ContractScheduler) -> Result
    ) {
        self.name = name
        self.form = form
        self.values = values
        self.apply = { apply($0, $1).asObservable().map { "\($0)" } }
    }

    /// The name in a failing test.
    var title: String { form.isEmpty ? name : "\(name) [\(form)]" }

    /// It declares other values.
    func giving(_ values: String) -> OperatorContract {
        var changed = self
        changed.values = values
        return changed
    }

    /// It declares what an error of the source leads to.
    func failing(_ end: End, at tick: TestTime = 240, _ subscriptions: [Subscription]? = nil) -> OperatorContract {
        var changed = self
        changed.onError = Outcome(
            end: end, tick: tick, subscriptions: subscriptions ?? [Subscription(200, min(tick, 240))])
        return changed
    }

    /// It declares what the completion of the source leads to.
    func completing(_ end: End, at tick: TestTime = 240, _ subscriptions: [Subscription]? = nil) -> OperatorContract {
        var changed = self
        changed.onCompletion = Outcome(
            end: end, tick: tick, subscriptions: subscriptions ?? [Subscription(200, min(tick, 240))])
        return changed
    }

    /// It ends by itself, however the source ends later.
    func ending(_ end: End, at tick: TestTime) -> OperatorContract {
        var changed = failing(end, at: tick).completing(end, at: tick)
        changed.subscriptionsWhenDisposed = [Subscription(200, min(tick, 225))]
        return changed
    }

    /// It subscribes to the source later, or releases it later.
    func subscribing(_ begin: TestTime, until end: TestTime, whenDisposed disposed: TestTime) -> OperatorContract {
        var changed = self
        changed.onError.subscriptions = [Subscription(begin, end)]
        changed.onCompletion.subscriptions = [Subscription(begin, end)]
        changed.subscriptionsWhenDisposed = [Subscription(begin, disposed)]
        return changed
    }

    /// With one of its functions throwing at a tick.
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

    /// Every operator of `Sources/Rx/Traits` and `Sources/Rx/SharedSequence` that takes a source, their names after
    /// that of the trait: `Single.map(_:)`.
    static let traits = primitiveSequences + infallibles + sharedSequences

    /// All of them.
    static let all = operators + traits
}

/// A scheduler that makes the other sources that an operator is given.
final class ContractScheduler: TestScheduler {
    private let recordsOthers: Bool
    private var others: [TestableObservable<Int>] = []

    /// - Parameter recordsOthers: whether the other sources are kept, for `takeOthersEnd()`.
    init(recordsOthers: Bool = false) {
        self.recordsOthers = recordsOthers
        super.init(initialClock: 0)
    }

    /// One more source, which sends its events at these ticks.
    func other(_ events: [Recorded<Event<Int>>]) -> Observable<Int> {
        let source = createHotObservable(events)
        if recordsOthers { others.append(source) }
        return source.asObservable()
    }

    /// When the last subscription to another source ended. Releases them.
    func takeOthersEnd() -> TestTime {
        defer { others = [] }
        return others.flatMap(\.subscriptions).map(\.unsubscribe).max() ?? 0
    }
}

/// The behaviour of a user's function in these tests instead of an answer.
func fault<Result>() throws -> Result { throw Planted.fault }

/// An object that lives as long as the tests do.
final class LastingObject: Sendable {
    static let instance = LastingObject()
}
