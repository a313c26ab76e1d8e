import Foundation
import RxBenchRaces
import Synchronization

/// Makes a race of this fixture, with the name by which tests run it.
func race<State: Sendable>(
    _ name: String, _ makeState: @escaping @Sendable () -> State, _ actors: [@Sendable (State) -> Void],
    finish: @escaping @Sendable (State) -> RaceGrade = { _ in .acceptable("done") }
) -> Race {
    Race(RaceScenario(name, decides: "Nothing: a test.", makeState: makeState, actors: actors, finish: finish))
}

/// Unchecked: the faults are the point.
private final class Plain: @unchecked Sendable {
    var value = 0
    let guarded = Mutex(0)
}

private final class Flags: @unchecked Sendable {
    let flag = Atomic<Int>(0)
    let count = Atomic<Int>(0)
    let stopped = Atomic<Bool>(false)
    let events = Atomic<Int>(0)
    var plain = 0

    // Takes the subscriber first and stops it afterwards: the second caller returns before it is stopped.
    func disposeHastily() {
        if flag.exchange(1, ordering: .acquiringAndReleasing) == 0 { stopped.store(true, ordering: .releasing) }
    }

    func dispose() {
        stopped.store(true, ordering: .releasing)
        _ = flag.exchange(1, ordering: .acquiringAndReleasing)
    }

    func next() { if !stopped.load(ordering: .acquiring) { events.wrappingAdd(1, ordering: .relaxed) } }

    var grade: RaceGrade {
        events.load(ordering: .relaxed) == 0 ? .acceptable("silent") : .forbidden("event after dispose")
    }
}

private final class Locks: Sendable {
    let first = Mutex(0)
    let second = Mutex(0)
}

/// A word that holds one reference, which two owners take out.
private final class Slot: @unchecked Sendable {
    let word: Atomic<UInt>
    init() { word = Atomic(UInt(bitPattern: Unmanaged.passRetained(Plain()).toOpaque())) }

    func takeHastily() {
        let bits = word.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
        word.store(0, ordering: .releasing)
        Unmanaged<Plain>.fromOpaque(pointer).release()
    }

    func take() {
        let bits = word.exchange(0, ordering: .acquiringAndReleasing)
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
        Unmanaged<Plain>.fromOpaque(pointer).release()
    }
}

/// A flag in memory that the last of two users deallocates.
private final class Lent: @unchecked Sendable {
    private let flag = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
    private let users = Atomic<Int>(2)

    init() { flag.initialize(to: Atomic(0)) }

    private func leave() {
        if users.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { flag.deallocate() }
    }

    // Reports that it is done before it is.
    func raiseHastily() {
        leave()
        flag.pointee.wrappingAdd(1, ordering: .relaxed)
    }

    func raise() {
        flag.pointee.wrappingAdd(1, ordering: .relaxed)
        leave()
    }
}

/// Waits for a condition.
private final class Sleeper: @unchecked Sendable {
    let isReady = Atomic<Bool>(false)
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        mutex.deallocate()
        condition.deallocate()
    }

    // Reads the flag before it holds the lock that belongs to the condition.
    func waitHastily() {
        if isReady.load(ordering: .acquiring) { return }
        pthread_mutex_lock(mutex)
        pthread_cond_wait(condition, mutex)
        pthread_mutex_unlock(mutex)
    }

    func wait() {
        pthread_mutex_lock(mutex)
        while !isReady.load(ordering: .acquiring) { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }

    func wake() {
        pthread_mutex_lock(mutex)
        isReady.store(true, ordering: .releasing)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }
}

/// Two halves of a reference cycle. One of the actors must break it.
private final class Cycle: @unchecked Sendable {
    final class Node: @unchecked Sendable { let other = Mutex<Node?>(nil) }
    let isOver = Atomic<Bool>(false)
    let node = Node()

    func close(looksAgain: Bool) {
        if isOver.load(ordering: .acquiring) { return }
        node.other.withLock { $0 = node }
        if looksAgain, isOver.load(ordering: .acquiring) { node.other.withLock { $0 = nil } }
    }

    func open() {
        isOver.store(true, ordering: .releasing)
        node.other.withLock { $0 = nil }
    }
}

/// Two serial queues, or one queue used twice, and a count that blocks on these queues raise.
private final class Queues: @unchecked Sendable {
    let queues: [DispatchQueue]
    let semaphores = [DispatchSemaphore(value: 1), DispatchSemaphore(value: 1)]
    var count = 0

    init(_ number: Int) { queues = (0..<number).map { DispatchQueue(label: "race \($0)") } }

    func raise(on index: Int) { queues[index % queues.count].async { self.count += 1 } }

    func take(_ first: Int, _ second: Int) {
        semaphores[first].wait()
        semaphores[second].wait()
        semaphores[second].signal()
        semaphores[first].signal()
    }
}

let plantedFaults: [Race] = [
    ringQueueRace("planted/ring-queue", beginsAnew: true),
    race("planted/queue/lost-update", { Queues(2) }, [{ $0.raise(on: 0) }, { $0.raise(on: 1) }]),
    race("planted/queue/semaphores", { Queues(0) }, [{ $0.take(0, 1) }, { $0.take(1, 0) }]),
    race("planted/lost-update/plain", { Plain() }, [{ $0.value += 1 }, { $0.value += 1 }]),
    race(
        "planted/lost-update/atomic", { Flags() },
        Array(repeating: { $0.count.store($0.count.load(ordering: .relaxed) + 1, ordering: .relaxed) }, count: 2),
        finish: { $0.count.load(ordering: .relaxed) == 2 ? .acceptable("2") : .forbidden("lost update") }),
    race(
        "planted/lock-order", { Locks() },
        [
            { locks in locks.first.withLock { _ in locks.second.withLock { $0 += 1 } } },
            { locks in locks.second.withLock { _ in locks.first.withLock { $0 += 1 } } },
        ]),
    race(
        "planted/early-return", { Flags() },
        [
            { $0.disposeHastily() },
            {
                $0.disposeHastily(); $0.next()
            },
        ],
        finish: { $0.grade }),
    race(
        "planted/relaxed-publication", { Flags() },
        [
            {
                $0.plain = 7; $0.flag.store(1, ordering: .relaxed)
            },
            { if $0.flag.load(ordering: .relaxed) == 1 { $0.count.store($0.plain, ordering: .relaxed) } },
        ]),
    race("planted/freed-flag", { Lent() }, [{ $0.raise() }, { $0.raiseHastily() }]),
    race("planted/double-release", { Slot() }, [{ $0.takeHastily() }, { $0.takeHastily() }]),
    race("planted/lost-wake-up", { Sleeper() }, [{ $0.waitHastily() }, { $0.wake() }]),
    race("planted/leak", { Cycle() }, [{ $0.close(looksAgain: false) }, { $0.open() }]),
    race(
        "planted/crash", { Flags() },
        [{ $0.flag.store(1, ordering: .relaxed) }, { precondition($0.flag.load(ordering: .relaxed) == 0) }]),
    race(
        "planted/livelock", { Flags() },
        Array(repeating: { while $0.flag.load(ordering: .relaxed) == 0 {} }, count: 2)),
    race("planted/refused", { Flags() }, [{ _ in _ = waitpid(-1, nil, 0) }, { $0.next() }]),
]

let cleanTwins: [Race] = [
    ringQueueRace("clean/ring-queue", beginsAnew: false),
    race(
        "clean/queue/lost-update", { Queues(1) }, [{ $0.raise(on: 0) }, { $0.raise(on: 1) }],
        finish: { $0.count == 2 ? .acceptable("2") : .forbidden("\($0.count)") }),
    race("clean/queue/semaphores", { Queues(0) }, [{ $0.take(0, 1) }, { $0.take(0, 1) }]),
    race(
        "clean/lost-update/plain", { Plain() },
        Array(repeating: { $0.guarded.withLock { $0 += 1 } }, count: 2),
        finish: { $0.guarded.withLock { $0 } == 2 ? .acceptable("2") : .forbidden("lost update") }),
    race(
        "clean/lost-update/atomic", { Flags() },
        Array(repeating: { $0.count.wrappingAdd(1, ordering: .relaxed) }, count: 2),
        finish: { $0.count.load(ordering: .relaxed) == 2 ? .acceptable("2") : .forbidden("lost update") }),
    race(
        "clean/lock-order", { Locks() },
        Array(repeating: { locks in locks.first.withLock { _ in locks.second.withLock { $0 += 1 } } }, count: 2)),
    race(
        "clean/early-return", { Flags() },
        [
            { $0.dispose() },
            {
                $0.dispose(); $0.next()
            },
        ], finish: { $0.grade }),
    race(
        "clean/relaxed-publication", { Flags() },
        [
            {
                $0.plain = 7; $0.flag.store(1, ordering: .releasing)
            },
            { if $0.flag.load(ordering: .acquiring) == 1 { $0.count.store($0.plain, ordering: .relaxed) } },
        ]),
    race("clean/freed-flag", { Lent() }, [{ $0.raise() }, { $0.raise() }]),
    race("clean/double-release", { Slot() }, [{ $0.take() }, { $0.take() }]),
    race("clean/lost-wake-up", { Sleeper() }, [{ $0.wait() }, { $0.wake() }]),
    race("clean/leak", { Cycle() }, [{ $0.close(looksAgain: true) }, { $0.open() }]),
    race(
        "clean/crash", { Flags() },
        [{ $0.flag.store(1, ordering: .relaxed) }, { precondition($0.flag.load(ordering: .relaxed) < 2) }]),
    race(
        "clean/livelock", { Flags() },
        [{ $0.flag.store(1, ordering: .relaxed) }, { while $0.flag.load(ordering: .relaxed) == 0 {} }]),
]
