import Observation
import Rx

extension Observation.Observable where Self: AnyObject {
    /// The reactive side of the object. A class that adopts `ReactiveCompatible`, too, has the one from there: it is
    /// the same.
    @_disfavoredOverload
    public var rx: Reactive<Self> { Reactive(self) }
}

extension Reactive where Base: AnyObject & Observation.Observable {
    /// The values of a property of an `@Observable` object; completion when the object goes.
    ///
    ///     import Observation
    ///     @Observable final class Player { var volume = 5 }
    ///     let player = Player(), turns = HistoricalScheduler()
    ///     _ = player.rx.observe(\.volume, scheduler: turns).subscribe(onNext: { print($0) })  // 5
    ///     player.volume = 7
    ///     turns.start()  // 7
    ///
    /// **When.** The initial value comes at once, on the thread that subscribes. A change asks `scheduler` for a turn,
    /// and the turn delivers the value that the property has by then. So changes made before the turn are delivered as
    /// one, with the last value, and no last value is lost. Completion comes in a turn, too; a change that the object
    /// did not outlive is not delivered.
    ///
    /// **Where.** The framework announces a change before it is made, so a turn must not run while the change is being
    /// made: change the object where `scheduler` runs its work, or exclude both from each other. With the default that
    /// is the main actor. For an object that belongs to a serial queue it is `queue.rx.serialScheduler()`; go on from
    /// there with `observe(on:)`.
    ///
    /// **Changes** are the macro's decision: since Swift 6.2, assigning an equal value to an `Equatable`
    /// property is none. Any key path will do: through several objects, or to a computed property, it changes when
    /// something it reads does. A property that is not tracked (`@ObservationIgnored`, `let`) has no changes that could
    /// be noticed: after its initial value the sequence completes.
    ///
    /// The object is not kept alive. Where the key path leads through other objects that outlive it, completion comes
    /// when they change or go.
    ///
    /// - Parameters:
    ///   - property: a path to a property that the macro follows.
    ///   - options: `.initial` for the value at the subscription, `.new` for the value after each change.
    ///   - scheduler: where changes are delivered. It must not run work at once: `MainScheduler.instance` stands for
    ///     its asynchronous twin, and `CurrentThreadScheduler` is refused.
    /// - Complexity: Four allocations per subscription; per element those of a turn of the scheduler and of the
    ///   framework's tracking.
    public func observe<Value>(
        _ property: KeyPath<Base, Value>, options: KeyValueObservingOptions = [.initial, .new],
        scheduler: any ImmediateSchedulerType = MainScheduler.asyncInstance
    ) -> Observable<Value> {
        precondition(
            !(scheduler is CurrentThreadScheduler),
            "CurrentThreadScheduler would read the property before it has changed. Use a queue's.")
        let isMain = scheduler is MainScheduler || scheduler is ConcurrentMainScheduler
        let turns: any ImmediateSchedulerType = isMain ? MainScheduler.asyncInstance : scheduler
        return .create { [weak object = base] observer in
            guard let object else {
                observer.onCompleted()
                return Disposables.create()
            }
            let observation = PropertyObservation(of: property, in: object, options, turns, observer)
            observation.start()
            return Disposables.create { observation.dispose() }
        }
    }
}

/// One subscription to a property.
///
/// It delivers in rounds that do not overlap: the first in `start()`, each other one in a turn of the scheduler. A
/// change during a round asks for one more.
private final class PropertyObservation<Object: AnyObject, Value>: PropertyListener {
    private let property: KeyPath<Object, Value>
    private let tracking: PropertyTracking
    private let options: KeyValueObservingOptions
    private let scheduler: any ImmediateSchedulerType
    private let observer: AnyObserver<Value>
    private let turn = SerialDisposable()
    private let rounds = Guarded(ObservationRounds())

    init(
        of property: KeyPath<Object, Value>, in object: Object, _ options: KeyValueObservingOptions,
        _ scheduler: any ImmediateSchedulerType, _ observer: AnyObserver<Value>
    ) {
        self.property = property
        self.options = options
        self.scheduler = scheduler
        self.observer = observer
        tracking = PropertyTracking.of(property, in: object)
    }

    func start() {
        rounds.withLock { $0.isBusy = true }
        tracking.add(self)
        deliver(options.contains(.initial))
        finishRound()
    }

    func dispose() {
        tracking.remove(self)
        turn.dispose()
    }

    override func propertyWillChange() {
        let isFirst = rounds.withLock { rounds in
            defer { rounds.isBusy = true }
            if rounds.isBusy { rounds.isOneMoreDue = true }
            return !rounds.isBusy
        }
        if isFirst { scheduleRound() }
    }

    private func scheduleRound() {
        // In its place before it is scheduled: on another thread it may be over, and have scheduled the next one,
        // before `schedule` returns.
        let scheduled = SingleAssignmentDisposable()
        turn.disposable = scheduled
        scheduled.setDisposable(
            scheduler.schedule(()) {
                // This round sees the changes that were announced until here.
                self.rounds.withLock { $0.isOneMoreDue = false }
                self.deliver(self.options.contains(.new))
                self.finishRound()
                return Disposables.create()
            })
    }

    private func finishRound() {
        let isOneMoreDue = rounds.withLock { rounds in
            defer { rounds.isOneMoreDue = false }
            rounds.isBusy = rounds.isOneMoreDue
            return rounds.isOneMoreDue
        }
        if isOneMoreDue { scheduleRound() }
    }

    private func deliver(_ isWanted: Bool) {
        guard let object = tracking.object.map({ unsafeDowncast($0, to: Object.self) }) else {
            return observer.onCompleted()
        }
        tracking.arm { _ = object[keyPath: property] }
        // Read after arming: a change in between is delivered here and now, one from here on by another round.
        if isWanted { observer.onNext(object[keyPath: property]) }
        if !tracking.isObservable { observer.onCompleted() }
    }
}

struct ObservationRounds {
    /// A round is running or scheduled.
    var isBusy = false
    /// Something happened that the round may have missed.
    var isOneMoreDue = false
}

/// Which values of a property `rx.observe` delivers.
public struct KeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    /// The options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value at the time of the subscription.
    public static let initial = KeyValueObservingOptions(rawValue: 1)
    /// The value after each change.
    public static let new = KeyValueObservingOptions(rawValue: 2)
}
