import Foundation
import RxBenchRaces
import Synchronization

/// A queue, and memory that is accessed on it. Unchecked: the queue must order the accesses.
private final class OnQueue: @unchecked Sendable {
    let queue: DispatchQueue
    let second: DispatchQueue
    let group = DispatchGroup()
    var value = 0

    init(_ queue: DispatchQueue = DispatchQueue(label: "first"), _ second: DispatchQueue? = nil) {
        self.queue = queue
        self.second = second ?? queue
    }
}

private func concurrent() -> DispatchQueue { DispatchQueue(label: "concurrent", attributes: .concurrent) }

private func sharingTarget() -> OnQueue {
    let target = DispatchQueue(label: "target")
    return OnQueue(DispatchQueue(label: "one", target: target), DispatchQueue(label: "two", target: target))
}

private let raise: @Sendable (OnQueue) -> Void = { state in state.queue.async { state.value += 1 } }
private let key = DispatchSpecificKey<Int>()

let queuePrograms: [Race] = [
    program("clean/queue/serial", { OnQueue() }, raise, raise, finish: { sum($0.value, 2) }),
    program("planted/queue/concurrent", { OnQueue(concurrent()) }, raise, raise),
    program("clean/queue/sync", { OnQueue() }, raise, { state in state.queue.sync { state.value += 1 } }),
    program(
        "planted/queue/sync-beside", { OnQueue() }, raise,
        { state in
            state.queue.sync {}
            state.value += 1
        }),
    program("planted/queue/sync-inside", { OnQueue() }, { state in state.queue.sync { state.queue.sync {} } }, raise),
    program(
        "clean/queue/barrier", { OnQueue(concurrent()) },
        { state in state.queue.async(flags: .barrier) { state.value += 1 } },
        { state in state.queue.sync { keep(state.value) } }),
    program(
        "planted/queue/no-barrier", { OnQueue(concurrent()) }, raise,
        { state in state.queue.sync { keep(state.value) } }),
    program(
        "clean/queue/barrier-qos", { OnQueue(concurrent()) },
        { state in state.queue.async(qos: .userInitiated, flags: .barrier) { state.value += 1 } },
        { state in state.queue.sync(flags: .barrier) { state.value += 1 } }),
    program(
        "clean/queue/barrier-item", { OnQueue(concurrent()) },
        { state in state.queue.async(execute: DispatchWorkItem(flags: .barrier) { state.value += 1 }) },
        { state in state.queue.sync { keep(state.value) } }),
    program(
        "planted/queue/item", { OnQueue(concurrent()) },
        { state in state.queue.async(execute: DispatchWorkItem { state.value += 1 }) },
        { state in state.queue.sync { keep(state.value) } }),
    program(
        "planted/queue/global-barrier", { OnQueue(.global()) },
        { state in state.queue.async(flags: .barrier) { state.value += 1 } },
        { state in state.queue.async(flags: .barrier) { state.value += 1 } }),
    program("clean/queue/target", { sharingTarget() }, raise, { state in state.second.async { state.value += 1 } }),
    program(
        "planted/queue/two", { OnQueue(DispatchQueue(label: "one"), DispatchQueue(label: "two")) }, raise,
        { state in state.second.async { state.value += 1 } }),
    program(
        "clean/queue/set-target",
        {
            let target = DispatchQueue(label: "target")
            let queue = DispatchQueue(label: "concurrent", attributes: [.concurrent, .initiallyInactive])
            queue.setTarget(queue: target)
            queue.activate()
            return OnQueue(queue, target)
        }, raise, raise, { state in state.second.sync { state.value += 1 } }),
    program(
        "planted/queue/global-target",
        { OnQueue(DispatchQueue(label: "a", attributes: .concurrent, target: .global())) },
        raise, raise),
    program(
        "clean/queue/suspended",
        {
            let state = OnQueue()
            state.queue.suspend()
            return state
        }, raise,
        { state in
            state.value += 1
            state.queue.resume()
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/queue/resumed", { OnQueue() }, raise,
        { state in
            state.value += 1
            state.queue.suspend()
            state.queue.resume()
        }),
    program(
        "clean/queue/suspended-for-good",
        {
            let state = OnQueue()
            state.queue.suspend()
            return state
        }, raise, raise,
        finish: { state in
            guard state.value == 0 else { return .forbidden("ran") }
            state.queue.resume()
            state.queue.sync {}
            return sum(state.value, 2)
        }),
    program(
        "clean/queue/inactive", { OnQueue(DispatchQueue(label: "inactive", attributes: .initiallyInactive)) }, raise,
        { state in
            state.value += 1
            state.queue.activate()
        }),
    program(
        "clean/queue/precondition", { OnQueue() },
        { state in
            state.queue.async {
                dispatchPrecondition(condition: .onQueue(state.queue))
                state.value += 1
            }
        },
        { state in
            dispatchPrecondition(condition: .notOnQueue(state.queue))
            state.queue.sync { dispatchPrecondition(condition: .onQueue(state.queue)) }
        }),
    program(
        "clean/queue/precondition-target", { sharingTarget() },
        { state in state.queue.async { dispatchPrecondition(condition: .notOnQueue(state.second)) } },
        { state in state.second.async { dispatchPrecondition(condition: .onQueue(state.second)) } }),
    program(
        "planted/queue/precondition", { OnQueue() },
        { state in dispatchPrecondition(condition: .onQueue(state.queue)) }, raise),
    program(
        "planted/queue/precondition-barrier", { OnQueue(concurrent()) },
        { state in state.queue.async { dispatchPrecondition(condition: .onQueueAsBarrier(state.queue)) } }, raise),
    program(
        "clean/queue/specific",
        {
            let state = OnQueue()
            state.queue.setSpecific(key: key, value: 7)
            return state
        },
        { (state: OnQueue) in
            state.queue.async { if DispatchQueue.getSpecific(key: key) == 7 { state.value += 1 } }
        },
        { (state: OnQueue) in
            if DispatchQueue.getSpecific(key: key) == nil { state.queue.sync { state.value += 1 } }
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/queue/specific",
        {
            let state = OnQueue()
            state.queue.setSpecific(key: key, value: 7)
            return state
        }, raise,
        { state in if DispatchQueue.getSpecific(key: key) == nil { state.value += 1 } }),
    program(
        "clean/queue/set-specific", { OnQueue() }, { $0.queue.setSpecific(key: key, value: 1) },
        { $0.queue.async { keep(DispatchQueue.getSpecific(key: key)) } }),
    program(
        "clean/queue/main", { OnQueue(.main) },
        { (state: OnQueue) in
            state.queue.async {
                if Thread.isMainThread { state.value += 1 }
                dispatchPrecondition(condition: .onQueue(.main))
            }
        },
        { (state: OnQueue) in
            if !Thread.isMainThread { state.queue.sync { if Thread.isMainThread { state.value += 1 } } }
        }, finish: { sum($0.value, 2) }),
    program(
        "clean/queue/assume-isolated", { OnMain() },
        { (state: OnMain) in DispatchQueue.main.async { state.raise() } }, { (state: OnMain) in state.raiseLater() },
        finish: { state in DispatchQueue.main.sync { state.grade() } }),
    program(
        "planted/queue/assume-isolated", { OnMain() },
        { (state: OnMain) in DispatchQueue.global().async { state.raise() } },
        { (state: OnMain) in state.raiseLater() }),
    program(
        "clean/queue/in-make-state",
        {
            let state = OnQueue()
            state.queue.async { state.value += 1 }
            return state
        }, raise, raise, finish: { sum($0.value, 3) }),
    program(
        "planted/queue/in-make-state",
        {
            let state = OnQueue()
            state.queue.async { state.value += 1 }
            return state
        }, { $0.value += 1 }, raise),
    program(
        "clean/queue/synced-in-make-state",
        {
            let state = OnQueue()
            state.queue.async { state.value += 1 }
            state.queue.sync { state.value += 1 }
            return state
        }, raise, raise, finish: { sum($0.value, 4) }),
    program(
        "clean/queue/in-finish", { OnQueue() }, raise, raise,
        finish: { state in
            state.queue.async { state.value += 1 }
            return state.queue.sync { sum(state.value, 3) }
        }),
    program(
        "clean/queue/after", { OnQueue() },
        { state in
            state.queue.asyncAfter(deadline: .now() + 1) { state.value += 1 }
        }, raise, finish: { sum($0.value, 2) }),
    program(
        "clean/queue/after-wall", { OnQueue() },
        { state in
            state.queue.asyncAfter(wallDeadline: .now() + 1) { state.value += 1 }
        }, raise, finish: { sum($0.value, 2) }),
    program(
        "planted/queue/after-wall", { OnQueue(.global()) },
        { state in
            state.queue.asyncAfter(wallDeadline: .now() + 1) { state.value += 1 }
        }, raise),
    program(
        "clean/queue/after-order", { OnQueue() },
        { state in
            state.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { state.value = state.value * 10 + 1 }
            state.queue.asyncAfter(deadline: .now() + .milliseconds(20)) { state.value = state.value * 10 + 2 }
        }, { _ in }, finish: { sum($0.value, 12) }),
    // The first item may begin before the second item is submitted.
    program(
        "planted/queue/after-order", { OnQueue() },
        { state in
            state.queue.asyncAfter(deadline: .now() + .milliseconds(20)) { state.value = state.value * 10 + 2 }
            state.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { state.value = state.value * 10 + 1 }
        }, { _ in }, finish: { sum($0.value, 12) }),
    program(
        "planted/queue/after-other", { OnQueue(DispatchQueue(label: "one"), DispatchQueue(label: "two")) },
        { state in
            state.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { state.value = 1 }
            state.second.asyncAfter(deadline: .now() + .milliseconds(20)) { state.value = 2 }
        }, { _ in }),
    // A delay doesn't wait for the other actor.
    program(
        "planted/queue/after-step", { PlainMemory() }, { $0.flag.store(1, ordering: .releasing) },
        { state in
            DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
                state.value = state.flag.load(ordering: .acquiring)
            }
        }, finish: { sum($0.value, 1) }),
    program(
        "clean/perform/apart", { Slots() }, { $0.fill(4) }, { _ in }, finish: { sum($0.values.reduce(0, +), 10) }),
    program("clean/perform/many", { Slots() }, { $0.fill(16) }, { _ in }),
    program(
        "planted/perform/shared", { PlainMemory() },
        { state in
            DispatchQueue.concurrentPerform(iterations: 2) { _ in state.value += 1 }
        }, { _ in }),
    program(
        "clean/perform/waits", { PlainMemory() },
        { state in
            DispatchQueue.concurrentPerform(iterations: 3) { if $0 == 1 { state.value += 1 } }
            state.value += 1
        }, { _ in }, finish: { sum($0.value, 2) }),
    program(
        "clean/operations", { Operations() }, { $0.add() }, { $0.add() },
        finish: { state in
            state.queue.waitUntilAllOperationsAreFinished()
            return sum(state.value, 2)
        }),
    program("planted/operations", { Operations(2) }, { $0.add() }, { $0.add() }),
]

@MainActor private final class OnMain {
    var value = 0
    nonisolated init() {}
    nonisolated func raise() { MainActor.assumeIsolated { value += 1 } }
    nonisolated func raiseLater() { Task { @MainActor in value += 1 } }
    nonisolated func grade() -> RaceGrade { MainActor.assumeIsolated { sum(value, 2) } }
}

/// Slots that iterations fill. Unchecked: each iteration has its own slot.
private final class Slots: @unchecked Sendable {
    let values = UnsafeMutableBufferPointer<Int>.allocate(capacity: 16)
    init() { values.initialize(repeating: 0) }
    deinit { values.deallocate() }

    func fill(_ count: Int) { DispatchQueue.concurrentPerform(iterations: count) { values[$0] = $0 + 1 } }
}

/// Operations that access memory. Unchecked: running one at a time must order them.
private final class Operations: @unchecked Sendable {
    let queue = OperationQueue()
    var value = 0
    init(_ width: Int = 1) { queue.maxConcurrentOperationCount = width }

    func add() { queue.addOperation { self.value += 1 } }
}
