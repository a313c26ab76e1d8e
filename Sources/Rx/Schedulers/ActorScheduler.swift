/// Runs work on an actor, one piece after another, in the order in which it was scheduled.
///
///     let onMain = ActorScheduler(MainActor.shared)
///     let subscription = Observable.of(1, 2).observe(on: onMain).subscribe(onNext: { print($0) })  // 1, 2
///
/// Schedulers of the same actor keep the order of each other's work. Between two pieces, others have a turn of the
/// actor.
public final class ActorScheduler: ImmediateSchedulerType, Sendable {
    private let queue: ActorQueue

    /// The actor that the work runs on.
    public var actor: any Actor { queue.actor }

    /// A scheduler on `actor`.
    public init(_ actor: any Actor) { queue = ActorQueue.of(actor) }

    deinit { queue.leave() }

    /// Runs `action` on the actor once what was scheduled before has ended.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        enqueue(state, action: action)
    }
}

extension ActorScheduler: ItemQueue {
    func enqueue(_ item: ScheduledItem) { queue.enqueue(item) }
}

/// The work that waits for an actor: one queue for all schedulers of that actor.
// @unchecked: `waiting` is guarded by its lock, `users` by that of `all`; pieces may hold what is not `Sendable`, as on
// any scheduler.
private final class ActorQueue: @unchecked Sendable {
    private struct Waiting {
        var items = RingBuffer<ScheduledItem>()
        var isRunning = false
    }

    /// The queues that are used, by their actors, which they keep.
    private static let all = Guarded<[ObjectIdentifier: ActorQueue]>([:])

    let actor: any Actor
    private let waiting = Guarded(Waiting())
    /// The schedulers of the actor, and the task that runs what waits.
    private var users = 0

    private init(_ actor: any Actor) { self.actor = actor }

    /// Returns the queue of `actor`, with one more user.
    static func of(_ actor: any Actor) -> ActorQueue {
        all.withLock { all in
            let queue = all[ObjectIdentifier(actor)] ?? ActorQueue(actor)
            all[ObjectIdentifier(actor)] = queue
            queue.users += 1
            return queue
        }
    }

    /// Has one user less. The last one forgets the queue.
    func leave() {
        Self.all.withLock { all in
            users -= 1
            if users == 0 { all[ObjectIdentifier(actor)] = nil }
        }
    }

    func enqueue(_ item: ScheduledItem) {
        let starts = waiting.withLock { waiting in
            waiting.items.append(item)
            defer { waiting.isRunning = true }
            return !waiting.isRunning
        }
        guard starts else { return }
        Self.all.withLock { _ in users += 1 }
        Task { await run(on: actor) }
    }

    /// Runs the pieces that wait, until none does.
    private func run(on actor: isolated any Actor) async {
        while let item = next() {
            item.run()
            await Task.yield()
        }
        leave()
    }

    private func next() -> ScheduledItem? {
        waiting.withLock { waiting in
            if let item = waiting.items.popFirst() { return item }
            waiting.isRunning = false
            return nil
        }
    }
}

extension ObservableType {
    /// The same events, delivered on `actor`, in order.
    ///
    ///     let subscription = Observable.of(1, 2).observe(on: MainActor.shared)
    ///         .subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// Sequences on the same actor keep the order among each other.
    ///
    /// - Complexity: As `observe(on:)` with a scheduler.
    public func observe(on actor: any Actor) -> Observable<Element> { observe(on: ActorScheduler(actor)) }
}
