import Foundation
import RxBenchRaces
import Synchronization

/// Flags, and memory that they must hand over. Unchecked: where they do not, a data race must be found.
private final class Flags: @unchecked Sendable {
    let first = Atomic<Int>(0)
    let second = Atomic<Int>(0)
    let turn = Atomic<Int>(0)
    let pair = Atomic<WordPair>(WordPair(first: 0, second: 0))
    let lazy = AtomicLazyReference<PlainMemory>()
    var value = 0

    func lock() { while first.exchange(1, ordering: .acquiring) == 1 {} }
    func unlock() { first.store(0, ordering: .releasing) }
}

/// Peterson's algorithm.
private func petersonEnter(_ state: Flags, _ isFirst: Bool) {
    if isFirst {
        state.first.store(1, ordering: .sequentiallyConsistent)
    } else {
        state.second.store(1, ordering: .sequentiallyConsistent)
    }
    state.turn.store(isFirst ? 1 : 0, ordering: .sequentiallyConsistent)
    while (isFirst
        ? state.second.load(ordering: .sequentiallyConsistent)
        : state.first.load(ordering: .sequentiallyConsistent)) == 1,
        state.turn.load(ordering: .sequentiallyConsistent) == (isFirst ? 1 : 0)
    {}
    state.value += 1
    if isFirst {
        state.first.store(0, ordering: .sequentiallyConsistent)
    } else {
        state.second.store(0, ordering: .sequentiallyConsistent)
    }
}

/// Reads the other flag before it sets its own.
private func hastyEnter(_ state: Flags, _ isFirst: Bool) {
    while (isFirst
        ? state.second.load(ordering: .sequentiallyConsistent)
        : state.first.load(ordering: .sequentiallyConsistent)) == 1
    {}
    if isFirst {
        state.first.store(1, ordering: .sequentiallyConsistent)
    } else {
        state.second.store(1, ordering: .sequentiallyConsistent)
    }
    state.value += 1
    if isFirst {
        state.first.store(0, ordering: .sequentiallyConsistent)
    } else {
        state.second.store(0, ordering: .sequentiallyConsistent)
    }
}

let atomicPrograms: [Race] = [
    program(
        "clean/fence/publication", { Flags() },
        { state in
            state.value = 1
            atomicMemoryFence(ordering: .releasing)
            state.first.store(1, ordering: .relaxed)
        },
        { state in
            guard state.first.load(ordering: .relaxed) == 1 else { return }
            atomicMemoryFence(ordering: .acquiring)
            keep(state.value)
        }),
    program(
        "planted/fence/only-release", { Flags() },
        { state in
            state.value = 1
            atomicMemoryFence(ordering: .releasing)
            state.first.store(1, ordering: .relaxed)
        }, { state in if state.first.load(ordering: .relaxed) == 1 { keep(state.value) } }),
    program(
        "planted/fence/only-acquire", { Flags() },
        { state in
            state.value = 1
            state.first.store(1, ordering: .relaxed)
        },
        { state in
            guard state.first.load(ordering: .relaxed) == 1 else { return }
            atomicMemoryFence(ordering: .acquiring)
            keep(state.value)
        }),
    program(
        "planted/fence/too-late", { Flags() },
        { state in
            atomicMemoryFence(ordering: .releasing)
            state.value = 1
            state.first.store(1, ordering: .relaxed)
        }, { state in if state.first.load(ordering: .acquiring) == 1 { keep(state.value) } }),
    program(
        "clean/fence/counted", { Flags() },
        { state in
            state.value = 1
            atomicMemoryFence(ordering: .acquiringAndReleasing)
            state.first.wrappingAdd(1, ordering: .relaxed)
        },
        { state in
            guard state.first.wrappingAdd(1, ordering: .relaxed).oldValue == 1 else { return }
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            keep(state.value)
        }),
    program(
        "clean/atomic/spin-lock", { Flags() },
        { state in
            state.lock()
            state.value += 1
            state.unlock()
        },
        { state in
            state.lock()
            state.value += 1
            state.unlock()
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/atomic/spin-lock", { Flags() },
        { state in
            state.lock()
            state.value += 1
            state.first.store(0, ordering: .relaxed)
        },
        { state in
            state.lock()
            state.value += 1
            state.unlock()
        }),
    program(
        "clean/atomic/peterson", { Flags() }, { petersonEnter($0, true) }, { petersonEnter($0, false) },
        finish: { sum($0.value, 2) }),
    program("planted/atomic/peterson", { Flags() }, { hastyEnter($0, true) }, { hastyEnter($0, false) }),
    program(
        "clean/atomic/either", { Flags() },
        { state in
            state.value = 1
            state.second.store(1, ordering: .releasing)
        },
        { state in
            while state.first.load(ordering: .acquiring) == 0, state.second.load(ordering: .acquiring) == 0 {}
            state.value = 2
        }),
    program(
        "planted/atomic/neither", { Flags() }, { $0.turn.store(1, ordering: .releasing) },
        { state in
            while state.first.load(ordering: .acquiring) == 0, state.second.load(ordering: .acquiring) == 0 {}
        }),
    program(
        "clean/atomic/any-of-many", { Many() }, { $0.flags[20].flag.store(1, ordering: .releasing) },
        { state in while !state.flags.contains(where: { $0.flag.load(ordering: .acquiring) == 1 }) {} }),
    program(
        "clean/atomic/polled-with-lock", { Guarded(MutexBox(false)) }, { $0.primitive.mutex.withLock { $0 = true } },
        { state in while !state.primitive.mutex.withLock({ $0 }) {} }),
    program(
        "clean/atomic/ticket-lock", { Flags() },
        { state in
            let ticket = state.first.wrappingAdd(1, ordering: .relaxed).oldValue
            while state.second.load(ordering: .acquiring) != ticket {}
            state.value += 1
            state.second.store(ticket + 1, ordering: .releasing)
        },
        { state in
            let ticket = state.first.wrappingAdd(1, ordering: .relaxed).oldValue
            while state.second.load(ordering: .acquiring) != ticket {}
            state.value += 1
            state.second.store(ticket + 1, ordering: .releasing)
        }, finish: { sum($0.value, 2) }),
    program(
        "clean/atomic/pair", { Flags() },
        { state in
            state.value = 1
            state.pair.store(WordPair(first: 1, second: 2), ordering: .releasing)
        },
        { state in
            while state.pair.load(ordering: .acquiring).second != 2 {}
            keep(state.value)
        }),
    program(
        "clean/atomic/lazy", { Flags() }, { keep($0.lazy.storeIfNil(PlainMemory()).value) },
        { state in if let plain = state.lazy.load() { keep(plain.value) } }),
    program(
        "clean/sleep/thread", { Flags() },
        { state in
            Thread.sleep(forTimeInterval: 0.01)
            state.value = 1
            state.first.store(1, ordering: .releasing)
        },
        { state in
            while state.first.load(ordering: .acquiring) == 0 { Thread.sleep(forTimeInterval: 0.001) }
            state.value = 2
        }),
    program(
        "planted/sleep/thread", { Flags() }, { $0.value = 1 },
        { state in
            Thread.sleep(forTimeInterval: 1)
            state.value = 2
        }),
    // A sleep doesn't wait for the other actor.
    program(
        "planted/sleep/order", { Flags() }, { $0.first.store(1, ordering: .relaxed) },
        { state in
            sleep(3600)
            state.second.store(state.first.load(ordering: .relaxed), ordering: .relaxed)
        }, finish: { sum($0.second.load(ordering: .relaxed), 1) }),
    program(
        "planted/sleep/yielded", { Flags() }, { $0.first.store(1, ordering: .relaxed) },
        { state in
            for _ in 0..<2 { sched_yield() }
            state.second.store(state.first.load(ordering: .relaxed), ordering: .relaxed)
        }, finish: { sum($0.second.load(ordering: .relaxed), 1) }),
    program(
        "clean/sleep/usleep", { Flags() }, { $0.first.store(1, ordering: .releasing) },
        { state in while state.first.load(ordering: .acquiring) == 0 { usleep(10) } }),
    program(
        "clean/sleep/yield", { Flags() }, { $0.first.store(1, ordering: .releasing) },
        { state in while state.first.load(ordering: .acquiring) == 0 { sched_yield() } }),
    // Steps take an unknown time, so the step after a short sleep may come after the step after a long one.
    program(
        "planted/sleep/longer", { Flags() },
        { state in
            usleep(1000)
            state.first.store(1, ordering: .relaxed)
        },
        { state in
            usleep(2000)
            state.second.store(state.first.load(ordering: .relaxed), ordering: .relaxed)
        }, finish: { sum($0.second.load(ordering: .relaxed), 1) }),
    program(
        "clean/thread/semaphore", { Guarded(DispatchSemaphore(value: 0)) },
        { state in
            Thread {
                state.value += 1
                state.primitive.signal()
            }.start()
            state.primitive.wait()
            state.value += 1
        }, { _ in }),
    program(
        "planted/thread", { PlainMemory() },
        { state in
            Thread { state.value += 1 }.start()
            state.value += 1
        }, { _ in }),
    program("clean/thread/join", { PlainMemory() }, { $0.raiseOnThread(joining: true) }, { _ in }),
    program("planted/thread/join", { PlainMemory() }, { $0.raiseOnThread(joining: false) }, { _ in }),
    program(
        "clean/task/tolerance", { PlainMemory() },
        { state in
            _ = Task {
                try? await Task.sleep(for: .seconds(1), tolerance: .seconds(1))
                state.value += 1
            }
        }, { _ in }, finish: { sum($0.value, 1) }),
    // The work may finish before its time limit and still be reported as late.
    program(
        "planted/task/time-limit", { PlainMemory() },
        { state in
            _ = Task {
                await withTaskGroup(of: Int.self) { group in
                    group.addTask { 1 }
                    group.addTask {
                        try? await Task.sleep(for: .seconds(5))
                        return 2
                    }
                    state.flag.store(await group.next() ?? 0, ordering: .relaxed)
                    group.cancelAll()
                }
            }
        }, { _ in }, finish: { sum($0.flag.load(ordering: .relaxed), 1) }),
    program(
        "clean/task/time-limit", { PlainMemory() },
        { state in
            _ = Task {
                await withTaskGroup(of: Int.self) { group in
                    group.addTask { 1 }
                    group.addTask {
                        try? await Task.sleep(for: .seconds(5))
                        return 2
                    }
                    state.flag.store(await group.next() ?? 0, ordering: .relaxed)
                    group.cancelAll()
                }
            }
        }, { _ in },
        finish: { state in
            let first = state.flag.load(ordering: .relaxed)
            return (1...2).contains(first) ? .acceptable("\(first)") : .forbidden("\(first)")
        }),
    program(
        "planted/task/tolerance", { PlainMemory() },
        { state in
            _ = Task {
                try? await Task.sleep(for: .seconds(1), tolerance: .seconds(1))
                state.value += 1
            }
            state.value += 1
        }, { _ in }),
]

/// More flags than a search remembers for one loop.
private final class Many: Sendable {
    final class Flag: Sendable { let flag = Atomic<Int>(0) }
    let flags = (0..<24).map { _ in Flag() }
}

extension PlainMemory {
    fileprivate func raiseOnThread(joining: Bool) {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            {
                guard let context = $0 else { return nil }
                Unmanaged<PlainMemory>.fromOpaque(context).takeUnretainedValue().value += 1
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
        if joining {
            pthread_join(thread, nil)
            value += 1
        } else {
            value += 1
            pthread_join(thread, nil)
        }
    }
}
