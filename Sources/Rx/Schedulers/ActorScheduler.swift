/// Runs work on an actor, one piece after another, in the order in which it was scheduled.
///
///     let onMain = ActorScheduler(MainActor.shared)
///     let subscription = Observable.of(1, 2).observe(on: onMain).subscribe(onNext: { print($0) })  // 1, 2
///
/// Schedulers of the same actor preserve the order of all their work. Other tasks may run on the actor between two
/// pieces.
public final class ActorScheduler: ImmediateSchedulerType, Sendable {
    private let queue: ActorQueue

    /// The actor that the work runs on.
    public var actor: any Actor { queue.actor }

    /// Creates a scheduler on `actor`.
    public init(_ actor: any Actor) { queue = ActorQueue.of(actor) }

    deinit { queue.leave() }

    /// Runs `action` on the actor after all earlier work has ended.
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
// @unchecked: `waiting` is guarded by its lock, and `users` by the lock of `all`. Pieces may hold values that are not
// `Sendable`, as on any scheduler.
private final class ActorQueue: @unchecked Sendable {
    private struct Waiting {
        var items = RingBuffer<ScheduledItem>()
        var isRunning = false
    }

    /// The queues in use, keyed by their actors. Each queue keeps its actor alive.
    private static let all = Guarded<[ObjectIdentifier: ActorQueue]>([:])

    let actor: any Actor
    private let waiting = Guarded(Waiting())
    /// The number of schedulers of the actor, plus the task that runs the waiting work.
    private var users = 0

    private init(_ actor: any Actor) { self.actor = actor }

    /// Returns the queue of `actor`, and adds one user.
    static func of(_ actor: any Actor) -> ActorQueue {
        all.withLock { all in
            let queue = all[ObjectIdentifier(actor)] ?? ActorQueue(actor)
            all[ObjectIdentifier(actor)] = queue
            queue.users += 1
            return queue
        }
    }

    /// Removes one user. The last user also removes the queue.
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

    /// Runs waiting pieces until the queue is empty.
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
    /// Returns a sequence of the same events, delivered on `actor` in order.
    ///
    ///     let subscription = Observable.of(1, 2).observe(on: MainActor.shared)
    ///         .subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// Sequences on the same actor preserve the order of all their events.
    ///
    /// - Complexity: The same as `observe(on:)` with a scheduler.
    public func observe(on actor: any Actor) -> Observable<Element> { observe(on: ActorScheduler(actor)) }
}
