import Foundation
import RxBenchRaces
import Synchronization

private func mutex(_ kind: Int32? = nil) -> Guarded<Allocated<pthread_mutex_t>> {
    Guarded(
        Allocated { pointer in
            guard let kind else {
                pthread_mutex_init(pointer, nil)
                return
            }
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            pthread_mutexattr_settype(&attributes, kind)
            pthread_mutex_init(pointer, &attributes)
        })
}

private func raise(_ state: Guarded<Allocated<pthread_mutex_t>>) {
    pthread_mutex_lock(state.primitive.pointer)
    state.value += 1
    pthread_mutex_unlock(state.primitive.pointer)
}

private func readWriteLock() -> Guarded<Allocated<pthread_rwlock_t>> {
    Guarded(Allocated { pthread_rwlock_init($0, nil) })
}

private func write(_ state: Guarded<Allocated<pthread_rwlock_t>>) {
    pthread_rwlock_wrlock(state.primitive.pointer)
    state.value += 1
    pthread_rwlock_unlock(state.primitive.pointer)
}

private func read(_ state: Guarded<Allocated<pthread_rwlock_t>>) {
    pthread_rwlock_rdlock(state.primitive.pointer)
    keep(state.value)
    pthread_rwlock_unlock(state.primitive.pointer)
}

private func spinLock() -> Guarded<Allocated<pthread_spinlock_t>> {
    Guarded(Allocated { pthread_spin_init($0, 0) })
}

private func soon() -> timespec {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += 1
    return end
}

/// A lock inside its object, passed by reference as C functions require. Unchecked: it guards `value`.
private final class Inline: @unchecked Sendable {
    var lock = pthread_mutex_t()
    var value = 0
    init() { pthread_mutex_init(&lock, nil) }

    func raise() {
        pthread_mutex_lock(&lock)
        value += 1
        pthread_mutex_unlock(&lock)
    }
}

/// Uses a value, so that the optimiser doesn't remove the access that reads it.
@inline(never) @_optimize(none) func keep<T>(_ value: T) {}

let lockPrograms: [Race] = [
    program(
        "clean/mutex/if-available", { MutexBox(0) },
        { state in _ = state.mutex.withLockIfAvailable { $0 += 1 } }, { state in state.mutex.withLock { $0 += 1 } }),
    program(
        "planted/mutex/if-available", { Guarded(MutexBox(())) },
        { state in
            if state.primitive.mutex.withLockIfAvailable({ _ in }) == nil { state.value += 1 }
            state.primitive.mutex.withLock { _ in state.value += 1 }
        },
        { state in state.primitive.mutex.withLock { _ in state.value += 1 } }),
    program("clean/pthread-mutex/normal", { mutex() }, raise, raise, finish: { sum($0.value, 2) }),
    program("planted/pthread-mutex/normal", { mutex() }, raise, { $0.value += 1 }),
    program(
        "clean/pthread-mutex/recursive", { mutex(Int32(PTHREAD_MUTEX_RECURSIVE)) },
        { state in
            pthread_mutex_lock(state.primitive.pointer)
            raise(state)
            pthread_mutex_unlock(state.primitive.pointer)
        }, raise, finish: { sum($0.value, 2) }),
    program("clean/pthread-mutex/inline", { Inline() }, { $0.raise() }, { $0.raise() }, finish: { sum($0.value, 2) }),
    program("planted/pthread-mutex/inline", { Inline() }, { $0.raise() }, { $0.value += 1 }),
    program(
        "clean/pthread-mutex/try", { mutex() },
        { state in
            guard pthread_mutex_trylock(state.primitive.pointer) == 0 else { return }
            state.value += 1
            pthread_mutex_unlock(state.primitive.pointer)
        }, raise),
    program(
        "planted/pthread-mutex/try", { mutex() },
        { state in
            let isLocked = pthread_mutex_trylock(state.primitive.pointer) == 0
            state.value += 1
            if isLocked { pthread_mutex_unlock(state.primitive.pointer) }
        }, raise),
    program(
        "clean/pthread-mutex/timed", { mutex() },
        { state in
            var end = soon()
            guard pthread_mutex_timedlock(state.primitive.pointer, &end) == 0 else { return }
            state.value += 1
            pthread_mutex_unlock(state.primitive.pointer)
        }, raise),
    // The time limit may be reached before the other actor unlocks the mutex.
    program(
        "planted/pthread-mutex/timed", { mutex() },
        { state in
            var end = soon()
            if pthread_mutex_timedlock(state.primitive.pointer, &end) != 0 { state.value += 1 }
        },
        { state in
            pthread_mutex_lock(state.primitive.pointer)
            state.value += 1
        }),
    program("clean/rwlock/write", { readWriteLock() }, write, write, finish: { sum($0.value, 2) }),
    program("clean/rwlock/read", { readWriteLock() }, read, read, write),
    program(
        "planted/rwlock/read", { readWriteLock() },
        { state in
            pthread_rwlock_rdlock(state.primitive.pointer)
            state.value += 1
            pthread_rwlock_unlock(state.primitive.pointer)
        }, read),
    program(
        "clean/rwlock/try", { readWriteLock() },
        { state in
            guard pthread_rwlock_trywrlock(state.primitive.pointer) == 0 else { return }
            state.value += 1
            pthread_rwlock_unlock(state.primitive.pointer)
        },
        { state in
            guard pthread_rwlock_tryrdlock(state.primitive.pointer) == 0 else { return }
            keep(state.value)
            pthread_rwlock_unlock(state.primitive.pointer)
        }),
    program(
        "planted/rwlock/try", { readWriteLock() },
        { state in
            if pthread_rwlock_tryrdlock(state.primitive.pointer) != 0 { keep(state.value) }
        }, write),
    program(
        "clean/rwlock/timed", { readWriteLock() },
        { state in
            var end = soon()
            guard pthread_rwlock_timedwrlock(state.primitive.pointer, &end) == 0 else { return }
            state.value += 1
            pthread_rwlock_unlock(state.primitive.pointer)
        }, read),
    program(
        "planted/rwlock/upgrade", { readWriteLock() },
        { state in
            pthread_rwlock_rdlock(state.primitive.pointer)
            write(state)
            pthread_rwlock_unlock(state.primitive.pointer)
        }, read),
    program(
        "clean/spin/lock", { spinLock() },
        { state in
            pthread_spin_lock(state.primitive.pointer)
            state.value += 1
            pthread_spin_unlock(state.primitive.pointer)
        },
        { state in
            while pthread_spin_trylock(state.primitive.pointer) != 0 {}
            state.value += 1
            pthread_spin_unlock(state.primitive.pointer)
        }, finish: { sum($0.value, 2) }),
    program(
        "planted/spin/unlocked", { spinLock() },
        { state in
            pthread_spin_lock(state.primitive.pointer)
            state.value += 1
            pthread_spin_unlock(state.primitive.pointer)
        }, { $0.value += 1 }),
    program(
        "clean/nslock/lock", { Guarded(NSLock()) }, { state in state.primitive.withLock { state.value += 1 } },
        { state in
            guard state.primitive.try() else { return }
            state.value += 1
            state.primitive.unlock()
        }),
    program(
        "planted/nslock/try", { Guarded(NSLock()) }, { state in state.primitive.withLock { state.value += 1 } },
        { state in
            _ = state.primitive.try()
            state.value += 1
        }),
    program(
        "clean/nslock/before", { Guarded(NSLock()) }, { state in state.primitive.withLock { state.value += 1 } },
        { state in
            guard state.primitive.lock(before: Date() + 1) else { return }
            state.value += 1
            state.primitive.unlock()
        }, finish: { sumUnlessLate($0.value) }),
    // Nothing guarantees that a second is enough.
    program(
        "planted/nslock/before", { Guarded(NSLock()) }, { state in state.primitive.withLock { state.value += 1 } },
        { state in
            guard state.primitive.lock(before: Date() + 1) else { return }
            state.value += 1
            state.primitive.unlock()
        }, finish: { sum($0.value, 2) }),
    program(
        "clean/nsrecursivelock", { Guarded(NSRecursiveLock()) },
        { state in state.primitive.withLock { state.primitive.withLock { state.value += 1 } } },
        { state in state.primitive.withLock { state.value += 1 } }, finish: { sum($0.value, 2) }),
    program(
        "planted/nslock/recursive", { Guarded(NSLock()) },
        { state in state.primitive.withLock { state.primitive.withLock { state.value += 1 } } },
        { state in state.primitive.withLock { state.value += 1 } }),
    program(
        "clean/nscondition/wait", { Guarded(NSCondition()) },
        { state in
            state.primitive.lock()
            while state.value == 0 { state.primitive.wait() }
            state.primitive.unlock()
        },
        { state in
            state.primitive.lock()
            state.value = 1
            state.primitive.signal()
            state.primitive.unlock()
        }),
    program(
        "planted/nscondition/lost", { Guarded(NSCondition()) },
        { state in
            state.primitive.lock()
            state.primitive.wait()
            state.primitive.unlock()
        },
        { state in
            state.primitive.lock()
            state.primitive.signal()
            state.primitive.unlock()
        }),
    program(
        "clean/nscondition/until", { Guarded(NSCondition()) },
        { state in
            state.primitive.lock()
            let end = Date() + 1
            while state.value == 0, state.primitive.wait(until: end) {}
            state.primitive.unlock()
        },
        { state in
            state.primitive.lock()
            state.value = 1
            state.primitive.broadcast()
            state.primitive.unlock()
        }),
    program(
        "clean/nsconditionlock", { Guarded(NSConditionLock(condition: 0)) },
        { state in
            guard state.primitive.lock(whenCondition: 1, before: Date() + 9) else { return }
            state.value += 1
            state.primitive.unlock(withCondition: 2)
        },
        { state in
            guard state.primitive.lock(whenCondition: 0, before: Date() + 9) else { return }
            state.value += 1
            state.primitive.unlock(withCondition: 1)
        }, finish: { $0.value <= 2 ? .acceptable("\($0.value)") : .forbidden("\($0.value)") }),
    program(
        "planted/nsconditionlock/late", { Guarded(NSConditionLock(condition: 0)) },
        { state in
            _ = state.primitive.lock(whenCondition: 1, before: Date() + 9)
            state.value += 1
            state.primitive.unlock(withCondition: 2)
        },
        { state in
            _ = state.primitive.lock(whenCondition: 0, before: Date() + 9)
            state.value += 1
            state.primitive.unlock(withCondition: 1)
        }),
    program(
        "planted/nsconditionlock", { Guarded(NSConditionLock(condition: 0)) },
        { state in
            _ = state.primitive.lock(whenCondition: 1, before: Date() + 9)
            state.value += 1
            state.primitive.unlock(withCondition: 2)
        },
        { state in
            _ = state.primitive.lock(whenCondition: 0, before: Date() + 9)
            state.primitive.unlock(withCondition: 1)
            state.value += 1
        }),
    program(
        "refused/nsconditionlock", { Guarded(NSConditionLock(condition: 0)) },
        { state in state.primitive.lock(whenCondition: 1) }, { _ in }),
    program(
        "clean/barrier", { Guarded(barrier(2)) },
        { state in
            state.value = 1
            pthread_barrier_wait(state.primitive.pointer)
        },
        { state in
            pthread_barrier_wait(state.primitive.pointer)
            state.value = 2
        }),
    program(
        "planted/barrier/before", { Guarded(barrier(2)) },
        { state in
            state.value = 1
            pthread_barrier_wait(state.primitive.pointer)
        },
        { state in
            state.value = 2
            pthread_barrier_wait(state.primitive.pointer)
        }),
    program(
        "planted/barrier/missing", { Guarded(barrier(3)) }, { pthread_barrier_wait($0.primitive.pointer) },
        { pthread_barrier_wait($0.primitive.pointer) }),
    program(
        "clean/barrier/twice", { Guarded(barrier(2)) },
        { state in
            for turn in 0..<2 {
                if turn == 0 { state.value = 1 }
                pthread_barrier_wait(state.primitive.pointer)
            }
        },
        { state in
            for turn in 0..<2 {
                pthread_barrier_wait(state.primitive.pointer)
                if turn == 1 { state.value = 2 }
            }
        }),
    program(
        "clean/sem", { Guarded(semaphore(0)) },
        { state in
            state.value = 1
            sem_post(state.primitive.pointer)
        },
        { state in
            sem_wait(state.primitive.pointer)
            state.value += 1
        }),
    program(
        "planted/sem", { Guarded(semaphore(1)) },
        { state in
            state.value = 1
            sem_post(state.primitive.pointer)
        },
        { state in
            sem_wait(state.primitive.pointer)
            state.value += 1
        }),
    program(
        "clean/sem/timed", { Guarded(semaphore(0)) },
        { state in
            state.value = 1
            sem_post(state.primitive.pointer)
        },
        { state in
            var end = soon()
            if sem_timedwait(state.primitive.pointer, &end) == 0 { state.value += 1 }
        }, finish: { sumUnlessLate($0.value) }),
    program(
        "planted/sem/timed", { Guarded(semaphore(0)) },
        { state in
            state.value = 1
            sem_post(state.primitive.pointer)
        },
        { state in
            var end = soon()
            sem_timedwait(state.primitive.pointer, &end)
            state.value += 1
        }),
    program(
        "clean/sem/try", { Guarded(semaphore(0)) },
        { state in
            state.value = 1
            sem_post(state.primitive.pointer)
        }, { state in if sem_trywait(state.primitive.pointer) == 0 { state.value += 1 } }),
]

/// A mutex, which can't be copied, in a class.
final class MutexBox<Value>: @unchecked Sendable {
    let mutex: Mutex<Value>
    init(_ value: sending Value) { mutex = Mutex(value) }
}

private func barrier(_ count: UInt32) -> Allocated<pthread_barrier_t> {
    Allocated { pthread_barrier_init($0, nil, count) }
}

private func semaphore(_ value: UInt32) -> Allocated<sem_t> { Allocated { sem_init($0, 0, value) } }
