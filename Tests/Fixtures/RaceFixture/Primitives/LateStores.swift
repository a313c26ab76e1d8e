import RxBenchRaces
import Synchronization

/// The two flags of Dekker's mutual exclusion, and the memory that it must protect. Unchecked: where a store may come
/// after the load that follows it, a data race must be found.
private final class Dekker: @unchecked Sendable {
    let first = Atomic<Int>(0)
    let second = Atomic<Int>(0)
    var value = 0

    func enterFirst(releasing isWeak: Bool = false, fence: Bool = false) { enter(first, second, isWeak, fence) }

    func enterSecond(releasing isWeak: Bool = false, fence: Bool = false) { enter(second, first, isWeak, fence) }

    private func enter(_ own: borrowing Atomic<Int>, _ other: borrowing Atomic<Int>, _ isWeak: Bool, _ fence: Bool) {
        if isWeak { own.store(1, ordering: .releasing) } else { own.store(1, ordering: .sequentiallyConsistent) }
        if fence { atomicMemoryFence(ordering: .sequentiallyConsistent) }
        if other.load(ordering: .sequentiallyConsistent) == 0 { value += 1 }
        own.store(0, ordering: .releasing)
    }
}

/// A request to stop, and a worker that announces its work. The actor that comes second must see the first. Unchecked:
/// each actor writes its own element.
private final class Stop: @unchecked Sendable {
    let looked = UnsafeMutableBufferPointer<Bool>.allocate(capacity: 2)
    let isStopped = Atomic<Bool>(false)
    let works = Atomic<Bool>(false)
    let workedAfterStop = Atomic<Bool>(false)
    let stoppedAtOnce = Atomic<Bool>(false)

    init() { looked.initialize(repeating: false) }
    deinit { looked.deallocate() }

    func work(exchanging: Bool) {
        if exchanging {
            _ = works.exchange(true, ordering: .sequentiallyConsistent)
        } else {
            works.store(true, ordering: .relaxed)
        }
        if !isStopped.load(ordering: .sequentiallyConsistent) { workedAfterStop.store(true, ordering: .relaxed) }
    }

    func stop() {
        _ = isStopped.exchange(true, ordering: .sequentiallyConsistent)
        if !works.load(ordering: .sequentiallyConsistent) { stoppedAtOnce.store(true, ordering: .relaxed) }
    }

    var gradeOfLooks: RaceGrade {
        looked.elementsEqual([false, false]) ? .forbidden("neither has seen the other") : .acceptable("done")
    }

    var grade: RaceGrade {
        workedAfterStop.load(ordering: .relaxed) && stoppedAtOnce.load(ordering: .relaxed)
            ? .forbidden("works after it was stopped") : .acceptable("done")
    }
}

/// Programs that are wrong only on a processor that delays a store past a later load.
let lateStorePrograms: [Race] = [
    // The load is the last atomic step before the actor ends.
    program(
        "planted/late-store/last", { Stop() },
        { state in
            state.works.store(true, ordering: .releasing)
            state.looked[0] = state.isStopped.load(ordering: .acquiring)
        },
        { state in
            state.isStopped.store(true, ordering: .releasing)
            state.looked[1] = state.works.load(ordering: .acquiring)
        },
        finish: { $0.gradeOfLooks }),
    program(
        "clean/late-store/last", { Stop() },
        { state in
            state.works.store(true, ordering: .sequentiallyConsistent)
            state.looked[0] = state.isStopped.load(ordering: .acquiring)
        },
        { state in
            state.isStopped.store(true, ordering: .sequentiallyConsistent)
            state.looked[1] = state.works.load(ordering: .acquiring)
        },
        finish: { $0.gradeOfLooks }),
    program("clean/late-store/dekker", { Dekker() }, { $0.enterFirst() }, { $0.enterSecond() }),
    program(
        "planted/late-store/dekker", { Dekker() }, { $0.enterFirst(releasing: true) }, { $0.enterSecond() }),
    program(
        "clean/late-store/fences", { Dekker() }, { $0.enterFirst(releasing: true, fence: true) },
        { $0.enterSecond(releasing: true, fence: true) }),
    program(
        "planted/late-store/one-fence", { Dekker() }, { $0.enterFirst(releasing: true, fence: true) },
        { $0.enterSecond(releasing: true) }),
    program(
        "clean/late-store/stop", { Stop() }, { $0.work(exchanging: true) }, { $0.stop() }, finish: { $0.grade }),
    program(
        "planted/late-store/stop", { Stop() }, { $0.work(exchanging: false) }, { $0.stop() }, finish: { $0.grade }),
]
