import Foundation
import Rx
import Synchronization
import XCTest

/// Events from several threads at once: none is lost, none overlap, and none follows a disposal.
final class ManyThreadsTests: XCTestCase {
    private let threads = 4
    private let eventsPerThread = 20_000

    /// Counts calls and overlaps of calls.
    private final class Gate: Sendable {
        private let inside = Atomic<Int>(0)
        private let overlapping = Atomic<Int>(0)
        private let count = Atomic<Int>(0)

        func pass() {
            if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
                overlapping.wrappingAdd(1, ordering: .relaxed)
            }
            count.wrappingAdd(1, ordering: .relaxed)
            inside.wrappingSubtract(1, ordering: .relaxed)
        }

        var overlaps: Int { overlapping.load(ordering: .relaxed) }
        var passes: Int { count.load(ordering: .relaxed) }
    }

    private func sendOnAllThreads(_ subjects: [PublishSubject<Int>]) {
        let count = eventsPerThread
        DispatchQueue.concurrentPerform(iterations: subjects.count) { thread in
            for value in 0..<count { subjects[thread].onNext(value) }
            subjects[thread].onCompleted()
        }
    }

    func testMerge_fromManyThreads_losesAndOverlapsNothing() {
        let subjects = (0..<threads).map { _ in PublishSubject<Int>() }
        let gate = Gate()
        let completions = Gate()
        let subscription = Observable.merge(subjects.map { $0.asObservable() })
            .subscribe(onNext: { _ in gate.pass() }, onCompleted: { completions.pass() })
        sendOnAllThreads(subjects)
        XCTAssertEqual(gate.overlaps, 0)
        XCTAssertEqual(gate.passes, threads * eventsPerThread)
        XCTAssertEqual(completions.passes, 1)
        subscription.dispose()
    }

    func testCombineLatest_fromManyThreads_overlapsNothingAndEndsWithTheLastElements() {
        let subjects = (0..<threads).map { _ in PublishSubject<Int>() }
        let gate = Gate()
        let completions = Gate()
        var last: [Int] = []
        let subscription = Observable.combineLatest(subjects)
            .subscribe(
                onNext: {
                    last = $0
                    gate.pass()
                }, onCompleted: { completions.pass() })
        for subject in subjects { subject.onNext(-1) }
        sendOnAllThreads(subjects)
        XCTAssertEqual(gate.overlaps, 0)
        XCTAssertEqual(gate.passes, threads * eventsPerThread + 1)
        XCTAssertEqual(last, Array(repeating: eventsPerThread - 1, count: threads))
        XCTAssertEqual(completions.passes, 1)
        subscription.dispose()
    }

    func testZip_fromTwoThreads_pairsEveryElement() {
        let left = PublishSubject<Int>()
        let right = PublishSubject<Int>()
        let gate = Gate()
        let mismatches = Gate()
        let completions = Gate()
        let subscription = Observable.zip(left, right) { $0 - $1 }
            .subscribe(
                onNext: {
                    if $0 != 0 { mismatches.pass() }
                    gate.pass()
                }, onCompleted: { completions.pass() })
        sendOnAllThreads([left, right])
        XCTAssertEqual(gate.overlaps, 0)
        XCTAssertEqual(mismatches.passes, 0)
        XCTAssertEqual(gate.passes, eventsPerThread)
        XCTAssertEqual(completions.passes, 1)
        subscription.dispose()
    }

    func testObserveOn_concurrentQueue_keepsOrder() {
        let subject = PublishSubject<Int>()
        let gate = Gate()
        let done = expectation(description: "completed")
        var seen: [Int] = []
        let subscription = subject.observe(on: ConcurrentDispatchQueueScheduler(qos: .default))
            .subscribe(
                onNext: {
                    seen.append($0)
                    gate.pass()
                }, onCompleted: { done.fulfill() })
        sendOnAllThreads([subject])
        wait(for: [done], timeout: 30)
        XCTAssertEqual(gate.overlaps, 0)
        XCTAssertEqual(seen, Array(0..<eventsPerThread))
        subscription.dispose()
    }

    func testObserveOn_serialQueue_behindMerge_losesNothing() {
        let subjects = (0..<threads).map { _ in PublishSubject<Int>() }
        let gate = Gate()
        let done = expectation(description: "completed")
        let subscription = Observable.merge(subjects.map { $0.asObservable() })
            .observe(on: SerialDispatchQueueScheduler(internalSerialQueueName: "test"))
            .subscribe(onNext: { _ in gate.pass() }, onCompleted: { done.fulfill() })
        sendOnAllThreads(subjects)
        wait(for: [done], timeout: 30)
        XCTAssertEqual(gate.overlaps, 0)
        XCTAssertEqual(gate.passes, threads * eventsPerThread)
        subscription.dispose()
    }

    func testCoordinators_disposedFromAnotherThreadMidway_releaseEverything() {
        let before = Resources.total
        for round in 0..<200 {
            let left = PublishSubject<Int>()
            let right = PublishSubject<Int>()
            let operators: [Observable<Int>] = [
                Observable.merge(left.asObservable(), right.asObservable()),
                Observable.combineLatest(left, right) { $0 + $1 },
                Observable.zip(left, right) { $0 + $1 },
                left.flatMapLatest { _ in right },
                left.concatMap { _ in right.take(1) },
                left.take(until: right.filter { $0 == 50 }),
            ]
            let disposed = Atomic<Bool>(false)
            // The test is about disposing from another thread.
            let subscription = operators[round % operators.count].subscribe { _ in }
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                switch thread {
                case 0:
                    for value in 0..<100 { left.onNext(value) }
                    left.onCompleted()
                case 1:
                    for value in 0..<100 { right.onNext(value) }
                    right.onCompleted()
                default:
                    subscription.dispose()
                    disposed.store(true, ordering: .relaxed)
                }
            }
            XCTAssertTrue(disposed.load(ordering: .relaxed))
            XCTAssertFalse(left.hasObservers || right.hasObservers)
        }
        assertResourcesBack(to: before)
    }

    func testObserveOn_disposedFromAnotherThreadMidway_deliversNothingAfterwardsAndReleasesEverything() {
        let before = Resources.total
        let queue = DispatchQueue(label: "test", attributes: .concurrent)
        do {
            let schedulers: [any ImmediateSchedulerType] = [
                ConcurrentDispatchQueueScheduler(queue: queue),
                SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "serial"),
            ]
            for round in 0..<200 {
                let subject = PublishSubject<Int>()
                let gate = Gate()
                // The test is about disposing from another thread.
                let subscription = subject.observe(on: schedulers[round % 2]).subscribe(onNext: { _ in gate.pass() })
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    if thread == 0 {
                        for value in 0..<100 { subject.onNext(value) }
                    } else {
                        subscription.dispose()
                    }
                }
                XCTAssertFalse(subject.hasObservers)
                XCTAssertEqual(gate.overlaps, 0)
            }
            // Queued turns that no longer have an effect precede this turn.
            let drained = expectation(description: "drained")
            _ = schedulers[1].schedule(()) { _ in
                drained.fulfill()
                return Disposables.create()
            }
            wait(for: [drained], timeout: 30)
            queue.sync(flags: .barrier) {}
        }
        assertResourcesBack(to: before)
    }
}
