import Observation
import Rx

extension Observation.Observable where Self: AnyObject {
    /// The reactive extensions of the object. A class that also adopts `ReactiveCompatible` has the same property from
    /// that protocol.
    @_disfavoredOverload
    public var rx: Reactive<Self> { Reactive(self) }
}

extension Reactive where Base: AnyObject & Observation.Observable {
    /// Delivers the values of a property of an `@Observable` object, and completes when the object is deallocated.
    ///
    ///     import Observation
    ///     @Observable final class Player { var volume = 5 }
    ///     let player = Player(), turns = HistoricalScheduler()
    ///     _ = player.rx.observe(\.volume, scheduler: turns).subscribe(onNext: { print($0) })  // 5
    ///     player.volume = 7
    ///     turns.start()  // 7
    ///
    /// **When.** The initial value is delivered immediately, on the thread that subscribes. A change schedules a turn
    /// on `scheduler`. The turn delivers the value that the property has at that time. Changes that are made before the
    /// turn are therefore delivered as one element with the last value, and no last value is lost. Completion is also
    /// delivered in a turn. If the object is deallocated before the turn, the change is not delivered.
    ///
    /// **Where.** The framework announces a change before it is made, so a turn must not run while the change is being
    /// made. Change the object where `scheduler` runs its work, or make sure that both exclude each other. With the
    /// default scheduler, change the object on the main actor. For an object that belongs to a serial queue, pass
    /// `queue.rx.serialScheduler()`, and continue on another scheduler with `observe(on:)`.
    ///
    /// **Changes.** The macro decides what counts as a change: since Swift 6.2, assigning an equal value to an
    /// `Equatable` property does not. Any key path can be observed. A property that is reached through several objects,
    /// or a computed property, changes when a property that it reads changes. Changes of a property that is not tracked
    /// (`@ObservationIgnored`, `let`) cannot be detected: the sequence completes after the initial value.
    ///
    /// The object is not retained. If the key path leads through other objects that outlive it, the sequence completes
    /// when they change or are deallocated.
    ///
    /// - Parameters:
    ///   - property: the key path of a property that the macro tracks.
    ///   - options: `.initial` for the value at the subscription, `.new` for the value after each change.
    ///   - scheduler: the scheduler on which changes are delivered. It must not run work immediately:
    ///     `MainScheduler.instance` is replaced by its asynchronous counterpart, and `CurrentThreadScheduler` is
    ///     rejected.
    /// - Complexity: Four allocations per subscription. Per element, the allocations of a turn of the scheduler and of
    ///   the framework's tracking.
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
/// It delivers in rounds that do not overlap. The first round runs in `start()`, and each other round runs in a turn of
/// the scheduler. A change during a round requests another round.
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
        // Stored before the round is scheduled: on another thread, the round may end and schedule the next round before
        // `schedule` returns.
        let scheduled = SingleAssignmentDisposable()
        turn.disposable = scheduled
        scheduled.setDisposable(
            scheduler.schedule(()) {
                // This round delivers all changes that were announced before this point.
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
        // Read after arming: a change before the read is delivered by this round, and a later change by another round.
        if isWanted { observer.onNext(object[keyPath: property]) }
        if !tracking.isObservable { observer.onCompleted() }
    }
}

struct ObservationRounds {
    /// Whether a round is running or scheduled.
    var isBusy = false
    /// Whether a change occurred that the current round may have missed.
    var isOneMoreDue = false
}

/// The values of a property that `rx.observe` delivers.
public struct KeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    /// Creates options from their raw value.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The option to deliver the value at the time of the subscription.
    public static let initial = KeyValueObservingOptions(rawValue: 1)
    /// The option to deliver the value after each change.
    public static let new = KeyValueObservingOptions(rawValue: 2)
}
