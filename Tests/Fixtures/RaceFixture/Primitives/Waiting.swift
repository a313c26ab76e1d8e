import Foundation
import RxBenchRaces
import Synchronization

/// Groups, semaphores and items to wait for, with memory. Unchecked: the wait must order the accesses.
private final class Awaited: @unchecked Sendable {
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "awaited")
    let item: DispatchWorkItem
    let plain: PlainMemory
    var value: Int {
        get { plain.value }
        set { plain.value = newValue }
    }

    init() {
        let plain = PlainMemory()
        self.plain = plain
        item = DispatchWorkItem { plain.value += 1 }
    }
}

/// A timer source, with the queue and the memory that its handlers use. Unchecked, as above.
private final class Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
    let queue = DispatchQueue(label: "timer")
    var value = 0

    init(on queue: DispatchQueue? = nil, in seconds: Double = 1, repeating: DispatchTimeInterval = .never) {
        source = DispatchSource.makeTimerSource(queue: queue ?? self.queue)
        source.schedule(deadline: .now() + seconds, repeating: repeating)
    }
}

/// Two timers on one queue. The timer that fires later is made first. Unchecked, as above.
private final class TwoTimers: @unchecked Sendable {
    let queue = DispatchQueue(label: "timers")
    let (first, second): (any DispatchSourceTimer, any DispatchSourceTimer)
    var value = 0

    init() {
        second = DispatchSource.makeTimerSource(queue: queue)
        first = DispatchSource.makeTimerSource(queue: queue)
    }

    func start(_ next: @escaping @Sendable (TwoTimers) -> Void) {
        let begin = DispatchTime.now()
        second.schedule(deadline: begin + 20)
        first.schedule(deadline: begin + 10)
        first.setEventHandler { self.value = self.value * 10 + 1 }
        second.setEventHandler { self.value = self.value * 10 + 2 }
        first.activate()
        second.activate()
        next(self)
    }

    func stop() {
        first.setEventHandler(handler: nil)
        second.setEventHandler(handler: nil)
    }
}

let waitingPrograms: [Race] = [
    program(
        "clean/group/wait", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            state.group.wait()
            state.value += 1
        }, { _ in }, finish: { sum($0.value, 2) }),
    program(
        "planted/group/no-wait", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            state.value += 1
        }, { _ in }),
    program(
        "clean/group/enter",
        {
            let state = Awaited()
            state.group.enter()
            return state
        },
        { state in
            state.value += 1
            state.group.leave()
        },
        { state in
            state.group.wait()
            state.value += 1
        }),
    program(
        "planted/group/left-early",
        {
            let state = Awaited()
            state.group.enter()
            return state
        },
        { state in
            state.group.leave()
            state.value += 1
        },
        { state in
            state.group.wait()
            state.value += 1
        }),
    program(
        "planted/group/left-twice",
        {
            let state = Awaited()
            state.group.enter()
            return state
        }, { $0.group.leave() }, { $0.group.leave() }),
    program(
        "clean/group/notify", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            state.group.notify(queue: state.queue) { state.value += 1 }
        }, { _ in }, finish: { sum($0.value, 2) }),
    program(
        "planted/group/notify", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            state.group.notify(queue: state.queue) { state.value += 1 }
            state.value += 1
        }, { _ in }),
    program(
        "clean/group/timed", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            if state.group.wait(timeout: .now() + 1) == .success { state.value += 1 }
        }, { _ in }, finish: { sumUnlessLate($0.value) }),
    program(
        "planted/group/timed", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            _ = state.group.wait(timeout: .now() + 1)
            state.value += 1
        }, { _ in }),
    program(
        "planted/group/polled", { Awaited() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.value += 1 }
            _ = state.group.wait(timeout: .now())
            state.value += 1
        }, { _ in }),
    program(
        "clean/semaphore/lock", { Guarded(DispatchSemaphore(value: 1)) },
        { state in
            state.primitive.wait()
            state.value += 1
            state.primitive.signal()
        },
        { state in
            state.primitive.wait()
            state.value += 1
            state.primitive.signal()
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/semaphore/two", { Guarded(DispatchSemaphore(value: 2)) },
        { state in
            state.primitive.wait()
            state.value += 1
            state.primitive.signal()
        },
        { state in
            state.primitive.wait()
            state.value += 1
            state.primitive.signal()
        }),
    program(
        "clean/semaphore/timed", { Awaited() },
        { state in
            state.value += 1
            state.semaphore.signal()
        },
        { state in
            if state.semaphore.wait(timeout: .now() + 1) == .success { state.value += 1 }
        }, finish: { sumUnlessLate($0.value) }),
    program(
        "planted/semaphore/timed", { Awaited() },
        { state in
            state.value += 1
            state.semaphore.signal()
        },
        { state in
            _ = state.semaphore.wait(timeout: .now() + 1)
            state.value += 1
        }),
    program(
        "clean/semaphore/wall", { Awaited() },
        { state in
            state.value += 1
            state.semaphore.signal()
        },
        { state in
            if state.semaphore.wait(wallTimeout: .now() + 1) == .success { state.value += 1 }
        }, finish: { sumUnlessLate($0.value) }),
    program(
        "planted/semaphore/two-times", { Awaited() },
        { state in
            if state.semaphore.wait(timeout: .now() + 1) == .timedOut { state.plain.other += 1 }
        },
        { state in
            if state.semaphore.wait(timeout: .now() + 2) == .timedOut { state.plain.other += 1 }
        }),
    program(
        "clean/semaphore/over", { Awaited() }, { state in keep(state.semaphore.wait(timeout: .now() + 1)) }, { _ in }),
    program(
        "planted/semaphore/polled", { Awaited() },
        { state in
            state.value += 1
            state.semaphore.signal()
        },
        { state in
            if state.semaphore.wait(timeout: .now()) == .timedOut { state.value += 1 }
        }),
    program(
        "clean/semaphore/in-finish", { Awaited() }, { $0.semaphore.signal() }, { _ in },
        finish: { state in
            state.semaphore.wait()
            return .acceptable("waited")
        }),
    program(
        "clean/item/wait", { Awaited() }, { $0.queue.async(execute: $0.item) },
        { state in
            state.item.wait()
            state.value += 1
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/item/no-wait", { Awaited() }, { $0.queue.async(execute: $0.item) },
        { state in
            _ = state.item.wait(timeout: .now())
            state.value += 1
        }),
    program(
        "clean/item/notify", { Awaited() }, { $0.queue.async(execute: $0.item) },
        { state in state.item.notify(queue: .global()) { state.value += 1 } }, finish: { sum($0.value, 2) }),
    program(
        "planted/item/notify", { Awaited() },
        { state in
            state.queue.async(execute: state.item)
            state.value += 1
        }, { state in state.item.notify(queue: .global()) { state.value += 1 } }),
    program(
        "clean/item/cancel", { Awaited() }, { $0.queue.async(execute: $0.item) },
        { state in
            state.item.cancel()
            keep(state.item.isCancelled)
        }, finish: { $0.value < 2 ? .acceptable("\($0.value)") : .forbidden("twice") }),
    program(
        "planted/item/cancelled", { Awaited() }, { $0.queue.async(execute: $0.item) }, { $0.item.cancel() },
        finish: { sum($0.value, 1) }),
    program(
        "clean/item/perform", { Awaited() }, { $0.item.perform() },
        { state in
            state.item.wait()
            state.value += 1
        }),
    program(
        "clean/timer/once", { Timer() },
        { state in
            state.source.setEventHandler { state.value += 1 }
            state.source.resume()
            state.queue.async { state.value += 1 }
        }, { _ in },
        finish: { state in
            state.source.setEventHandler(handler: nil)
            return sum(state.value, 2)
        }),
    // On one queue, timers fire in the order of their times.
    program(
        "clean/timer/two", { TwoTimers() }, { $0.start { _ in } }, { _ in },
        finish: { state in
            state.stop()
            return sum(state.value, 12)
        }),
    program(
        "planted/timer/before-set", { TwoTimers() }, { $0.start { $0.value = 0 } }, { _ in },
        finish: { state in
            state.stop()
            return sum(state.value, 0)
        }),
    program(
        "planted/timer/once", { Timer(on: .global()) },
        { state in
            state.source.setEventHandler { state.value += 1 }
            state.source.resume()
            state.queue.async { state.value += 1 }
        }, { _ in }),
    program(
        "clean/timer/repeating", { Timer(repeating: .seconds(1)) },
        { state in
            state.source.setEventHandler {
                state.value += 1
                if state.value == 3 { state.source.cancel() }
            }
            state.source.activate()
        }, { _ in },
        finish: { state in
            state.source.setEventHandler(handler: nil)
            return sum(state.value, 3)
        }),
    program(
        "clean/timer/cancelled", { Timer() },
        { state in
            state.source.setEventHandler { state.value += 1 }
            state.source.setCancelHandler { state.value += 10 }
            state.source.resume()
        }, { state in state.source.cancel() },
        finish: { state in
            state.source.setEventHandler(handler: nil)
            return [1, 10, 11].contains(state.value) ? .acceptable("\(state.value)") : .forbidden("\(state.value)")
        }),
    program(
        "planted/timer/cancelled", { Timer(in: 0) },
        { state in
            state.source.setEventHandler { state.value += 1 }
            state.source.resume()
        },
        { state in
            state.source.cancel()
            state.value += 10
        }),
]
