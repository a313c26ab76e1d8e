import Foundation
import Rx
import XCTest

final class DispatchQueueSchedulerTests: XCTestCase {
    /// Serial schedulers made in each way, with a queue to wait on.
    private func serialSchedulers() -> [SerialDispatchQueueScheduler] {
        [
            SerialDispatchQueueScheduler(internalSerialQueueName: "test.serial"),
            SerialDispatchQueueScheduler(queue: .global(), internalSerialQueueName: "test.targeted"),
            SerialDispatchQueueScheduler(qos: .userInitiated),
        ]
    }

    func testSerial_scheduledFromFourThreads_runsOneByOneInEachThreadsOrder() {
        for scheduler in serialSchedulers() {
            let before = Resources.total
            let log = Box<[(thread: Int, number: Int)]>([])
            let ended = DispatchSemaphore(value: 0)
            onThreads(4) { thread in
                for number in 0..<500 {
                    _ = scheduler.schedule(()) { _ in
                        log.value.append((thread, number))
                        if log.value.count == 2_000 { ended.signal() }
                        return Disposables.create()
                    }
                }
            }
            ended.wait()
            for thread in 0..<4 {
                XCTAssertEqual(log.value.filter { $0.thread == thread }.map(\.number), Array(0..<500))
            }
            waitUntil { Resources.total <= before }
        }
    }

    func testSerial_configured_hasItsQueueConfiguredBeforeItRuns() {
        var label: String?
        _ = SerialDispatchQueueScheduler(
            internalSerialQueueName: "test.name", serialQueueConfiguration: { label = $0.label })
        XCTAssertEqual(label, "test.name")
    }

    func testSerial_configuredWithATarget_runsItsWorkThere() {
        let target = DispatchQueue(label: "test.target")
        let key = DispatchSpecificKey<Int>()
        target.setSpecific(key: key, value: 7)
        let scheduler = SerialDispatchQueueScheduler(
            internalSerialQueueName: "test.name", serialQueueConfiguration: { $0.setTarget(queue: target) })
        let seen = Box<Int?>(nil)
        let ended = DispatchSemaphore(value: 0)
        _ = scheduler.schedule(()) { _ in
            seen.value = DispatchQueue.getSpecific(key: key)
            ended.signal()
            return Disposables.create()
        }
        ended.wait()
        XCTAssertEqual(seen.value, 7)
    }

    func testSchedule_disposedBeforeItsTurn_releasesItsClosureAtOnceAndNeverRuns() {
        final class Token {}
        let queue = DispatchQueue(label: "test.gated")
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "test.serial")
        let before = Resources.total
        let ran = Tally()
        let ended = DispatchSemaphore(value: 0)
        queue.suspend()
        weak var weakToken: Token?
        let item: any Disposable
        do {
            let token = Token()
            weakToken = token
            item = scheduler.schedule(token) { _ in
                ran.add()
                return Disposables.create()
            }
        }
        item.dispose()
        XCTAssertNil(weakToken)
        _ = scheduler.schedule(()) { _ in
            ended.signal()
            return Disposables.create()
        }
        queue.resume()
        ended.wait()
        XCTAssertEqual(ran.value, 0)
        withExtendedLifetime(item) {}
        waitUntil { Resources.total <= before + 1 }
    }

    func testRelative_dueLater_runsAfterThatTimeAndReleasesItself() {
        for scheduler in serialSchedulers() as [any SchedulerType] + [ConcurrentDispatchQueueScheduler(qos: .utility)] {
            let before = Resources.total
            let started = scheduler.now
            let elapsed = Box<TimeInterval>(0)
            let ended = DispatchSemaphore(value: 0)
            let now = Sent(scheduler)
            _ = scheduler.scheduleRelative(7, dueTime: .milliseconds(5)) { state in
                XCTAssertEqual(state, 7)
                elapsed.value = now.value.now.timeIntervalSince(started)
                ended.signal()
                return Disposables.create()
            }
            ended.wait()
            XCTAssertGreaterThanOrEqual(elapsed.value, 0.005)
            waitUntil { Resources.total <= before }
        }
    }

    func testRelative_disposedBeforeItIsDue_releasesClosureAndItemAtOnce() {
        final class Token {}
        for scheduler in serialSchedulers() as [any SchedulerType] + [ConcurrentDispatchQueueScheduler(qos: .utility)] {
            let before = Resources.total
            weak var weakToken: Token?
            do {
                let token = Token()
                weakToken = token
                let item = scheduler.scheduleRelative(token, dueTime: .seconds(3600)) { _ in
                    XCTFail("It ran.")
                    return Disposables.create()
                }
                item.dispose()
                item.dispose()
            }
            XCTAssertNil(weakToken)
            assertResourcesBack(to: before)
        }
    }

    func testPeriodic_disposedInsideItsAction_endsAndReleasesItself() {
        for scheduler in serialSchedulers() as [any SchedulerType] + [ConcurrentDispatchQueueScheduler(qos: .utility)] {
            let before = Resources.total
            let states = Box<[Int]>([])
            let ended = DispatchSemaphore(value: 0)
            do {
                let handle = SerialDisposable()
                handle.disposable = scheduler.schedulePeriodic(
                    1, startAfter: .milliseconds(1), period: .milliseconds(1)
                ) { state in
                    states.value.append(state)
                    if state == 5 {
                        handle.dispose()
                        ended.signal()
                    }
                    return state + 1
                }
            }
            ended.wait()
            waitUntil { Resources.total <= before }
            XCTAssertEqual(states.value, [1, 2, 3, 4, 5])
            assertResourcesBack(to: before)
        }
    }

    func testPeriodic_disposedBetweenTicks_releasesItsStateAtOnce() {
        final class Token {}
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let before = Resources.total
        weak var weakToken: Token?
        do {
            let token = Token()
            weakToken = token
            scheduler.schedulePeriodic(token, startAfter: .seconds(3600), period: .seconds(3600)) { $0 }.dispose()
        }
        XCTAssertNil(weakToken)
        assertResourcesBack(to: before)
    }

    func testConcurrent_twoPieces_runAtTheSameTime() {
        let before = Resources.total
        let scheduler = ConcurrentDispatchQueueScheduler(queue: .global())
        // Each action opens the other one's gate: on one thread the first one would wait forever.
        let gates = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchGroup()
        ended.enter()
        ended.enter()
        _ = scheduler.schedule(()) { _ in
            gates.0.signal()
            gates.1.wait()
            ended.leave()
            return Disposables.create()
        }
        _ = scheduler.schedule(()) { _ in
            gates.1.signal()
            gates.0.wait()
            ended.leave()
            return Disposables.create()
        }
        XCTAssertEqual(ended.wait(timeout: .now() + 20), .success)
        waitUntil { Resources.total <= before }
    }

    func testOperationQueue_withPriorities_runsTheUrgentOneFirst() {
        let before = Resources.total
        do {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.isSuspended = true
            let log = Box<[String]>([])
            for (name, priority) in [("low", Operation.QueuePriority.veryLow), ("high", .veryHigh)] {
                let scheduler = OperationQueueScheduler(operationQueue: queue, queuePriority: priority)
                _ = scheduler.schedule(name) {
                    log.value.append($0)
                    return Disposables.create()
                }
            }
            OperationQueueScheduler(operationQueue: queue).schedule("disposed") {
                log.value.append($0)
                return Disposables.create()
            }.dispose()
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
            XCTAssertEqual(log.value, ["high", "low"])
        }
        waitUntil { Resources.total <= before }
    }
}
