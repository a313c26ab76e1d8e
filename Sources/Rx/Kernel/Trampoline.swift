import CRx

/// One turn of work in the queue of the current thread's trampoline.
///
/// Actions are links of an intrusive list, so queueing one allocates nothing. A source creates one action per
/// subscription and queues it again for every turn.
@usableFromInline
class TrampolineAction {
    /// The action that follows this one in the queue, with the queue's reference to it.
    @exclusivity(unchecked) fileprivate final var next: Unmanaged<TrampolineAction>?

    @usableFromInline init() {}

    /// Runs one turn, on the thread that queued it and outside every lock.
    @usableFromInline func run() { fatalError("A trampoline action overrides run().") }
}

/// The current thread's first-in, first-out queue of actions.
///
/// The outermost subscribe on a thread enters the trampoline, runs, and then drains the actions that synchronous
/// sources have queued in the meantime. This gives the order that users of `CurrentThreadScheduler` rely on: `of(of(1,
/// 2), of(11, 12)).merge()` is 1, 11, 2, 12 and not 1, 2, 11, 12.
@usableFromInline
enum Trampoline {
    /// Whether an outer call on this thread will drain the queue.
    @inlinable @inline(__always)
    static var isActive: Bool { rx_trampoline_current().pointee.active }

    /// Whether another action is queued on this thread.
    @inlinable @inline(__always)
    static var hasPending: Bool { rx_trampoline_current().pointee.head != nil }

    /// Runs `body` inside the trampoline. The outermost call then drains the queue.
    @inlinable @inline(__always)
    static func enter<Result>(_ body: () -> Result) -> Result {
        let trampoline = rx_trampoline_current()
        if trampoline.pointee.active { return body() }
        trampoline.pointee.active = true
        let result = body()
        if trampoline.pointee.head != nil { drain() }
        trampoline.pointee.active = false
        return result
    }

    /// Queues a turn. The trampoline must be active.
    @usableFromInline
    static func push(_ action: TrampolineAction) {
        let trampoline = rx_trampoline_current()
        let reference = Unmanaged.passRetained(action)
        if let tail = trampoline.pointee.tail {
            Unmanaged<TrampolineAction>.fromOpaque(tail)._withUnsafeGuaranteedRef { $0.next = reference }
        } else {
            trampoline.pointee.head = reference.toOpaque()
        }
        trampoline.pointee.tail = reference.toOpaque()
    }

    @usableFromInline @inline(never)
    static func drain() {
        let trampoline = rx_trampoline_current()
        while let head = trampoline.pointee.head {
            let action = Unmanaged<TrampolineAction>.fromOpaque(head)
            action._withUnsafeGuaranteedRef { action in
                trampoline.pointee.head = action.next?.toOpaque()
                if action.next == nil { trampoline.pointee.tail = nil }
                action.next = nil
                action.run()
            }
            action.release()
        }
    }
}
