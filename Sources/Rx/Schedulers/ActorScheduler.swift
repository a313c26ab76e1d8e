/// Runs work on an actor, one piece after another, in the order in which it was scheduled.
///
///     let onMain = ActorScheduler(MainActor.shared)
///     let subscription = Observable.of(1, 2).observe(on: onMain).subscribe(onNext: { print($0) })  // 1, 2
///
/// The pieces that wait run in one task. Schedulers of the same actor do not keep the order of each other's work: share
/// one to have that.
public final class ActorScheduler: ImmediateSchedulerType, @unchecked Sendable {
    // @unchecked: `waiting` is guarded by its lock; pieces may hold what is not `Sendable`, as on any scheduler.
    private struct Waiting {
        var items = RingBuffer<ScheduledItem>()
        var isRunning = false
    }

    /// The actor that the work runs on.
    public let actor: any Actor
    private let waiting = Guarded(Waiting())

    /// A scheduler on `actor`.
    public init(_ actor: any Actor) { self.actor = actor }

    /// Runs `action` on the actor once what was scheduled before has ended.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action: action)
        item.countAsPending()
        enqueue(item)
        return item
    }

    /// Runs the pieces that wait, until none does.
    private func run(on actor: isolated any Actor) async {
        while let item = next() {
            item.run()
            // Others have a turn of the actor between two pieces.
            await Task.yield()
        }
    }

    private func next() -> ScheduledItem? {
        waiting.withLock { waiting in
            if let item = waiting.items.popFirst() { return item }
            waiting.isRunning = false
            return nil
        }
    }
}

extension ActorScheduler: ItemQueue {
    var lane: Unmanaged<SerialLane>? { nil }

    func enqueue(_ item: ScheduledItem) {
        let starts = waiting.withLock { waiting in
            waiting.items.append(item)
            defer { waiting.isRunning = true }
            return !waiting.isRunning
        }
        if starts { Task { await run(on: actor) } }
    }
}

extension ObservableType {
    /// The same events, delivered on `actor`, in order.
    ///
    ///     let subscription = Observable.of(1, 2).observe(on: MainActor.shared)
    ///         .subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// Sequences that are to keep the order among each other share an `ActorScheduler`.
    ///
    /// - Complexity: As `observe(on:)` with a scheduler.
    public func observe(on actor: any Actor) -> Observable<Element> { observe(on: ActorScheduler(actor)) }
}
