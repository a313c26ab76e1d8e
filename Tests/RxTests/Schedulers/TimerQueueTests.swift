import Foundation
import Rx
import XCTest

/// Timers that wait together, on a scheduler's private queue and on a queue that other code can reach.
final class TimerQueueTests: XCTestCase {
    private let queue = DispatchQueue(label: "test.timers")
    private let log = Box<[Int]>([])
    private let ended = DispatchSemaphore(value: 0)

    private func schedulers() -> [SerialDispatchQueueScheduler] {
        [true, false].map { SerialDispatchQueueScheduler(serialQueue: queue, isOwn: $0) }
    }

    /// Notes `number` after `microseconds`.
    @discardableResult
    private func note(_ number: Int, after microseconds: Int, on scheduler: any SchedulerType) -> any Disposable {
        scheduler.scheduleRelative(number, dueTime: .microseconds(microseconds)) { [log] in
            log.value.append($0)
            return Disposables.create()
        }
    }

    /// Waits until a timer fires that is due after `microseconds`.
    private func wait(_ microseconds: Int, on scheduler: any SchedulerType) {
        _ = scheduler.scheduleRelative((), dueTime: .microseconds(microseconds)) { [ended] _ in
            ended.signal()
            return Disposables.create()
        }
        ended.wait()
    }

    func testTimers_armedInAnyOrder_fireByTheirTimes() {
        for scheduler in schedulers() {
            let before = Resources.total
            log.value = []
            queue.suspend()
            // Far enough apart that the time for arming the timers does not matter.
            for number in 0..<40 { note(number * 7 % 40, after: 20_000 + number * 7 % 40 * 5_000, on: scheduler) }
            queue.resume()
            wait(300_000, on: scheduler)
            XCTAssertEqual(log.value, Array(0..<40))
            waitUntil { Resources.total <= before }
        }
    }

    func testTimers_cancelledInAnyOrder_doNotFire_andTheOthersDo() {
        for scheduler in schedulers() {
            let before = Resources.total
            log.value = []
            var random = SplitMix(seed: 7)
            var timers = (0..<1_000).map { number in
                (number, note(number, after: 100_000 + Int.random(in: 0..<50_000, using: &random), on: scheduler))
            }
            timers.shuffle(using: &random)
            for (_, timer) in timers.prefix(500) { timer.dispose() }
            timers.removeFirst(500)
            assertResourcesBack(to: before + 500)
            wait(200_000, on: scheduler)
            XCTAssertEqual(log.value.sorted(), timers.map(\.0).sorted())
            timers = []
            waitUntil { Resources.total <= before }
        }
    }

    func testTimer_armedBehindALaterOne_firesInTime() {
        for scheduler in schedulers() {
            let later = note(1, after: 3_600_000_000, on: scheduler)
            wait(1_000, on: scheduler)
            // The alarm was set for a timer that no longer exists.
            later.dispose()
            wait(1_000, on: scheduler)
            XCTAssertEqual(log.value, [])
        }
    }

    func testTimer_thatNeverFires_isLetGoOfWhenDisposed() {
        for scheduler in schedulers() {
            let before = Resources.total
            let timer = scheduler.scheduleRelative((), dueTime: .never) { _ in
                XCTFail("It ran.")
                return Disposables.create()
            }
            wait(1_000, on: scheduler)
            timer.dispose()
            waitUntil { Resources.total <= before + 1 }
        }
    }

    func testTimers_dueTogether_leaveTheQueueToOthersAfter128() {
        let scheduler = schedulers()[0]
        queue.suspend()
        for number in 0..<300 { note(number, after: 0, on: scheduler) }
        // The timers have fired by now: they request a turn of the queue, which precedes this block.
        Thread.sleep(forTimeInterval: 0.01)
        queue.async { [log] in log.value.append(-1) }
        queue.resume()
        wait(1_000, on: scheduler)
        XCTAssertLessThanOrEqual(log.value.firstIndex(of: -1) ?? .max, 128)
        XCTAssertEqual(log.value.filter { $0 >= 0 }, Array(0..<300))
    }

    func testTimers_onAQueueThatOthersKnow_keepTheirPlaceAmongForeignWork() {
        let scheduler = schedulers()[1]
        queue.suspend()
        for number in 0..<3 {
            note(number, after: 0, on: scheduler)
            waitUntilFired(on: scheduler)
            queue.async { [log] in log.value.append(100 + number) }
        }
        queue.resume()
        queue.sync {}
        XCTAssertEqual(log.value, [0, 100, 1, 101, 2, 102])
    }

    /// Waits until earlier timers are in the suspended queue: timers of one span fire in order on all schedulers whose
    /// queues other code can reach.
    private func waitUntilFired(on scheduler: SerialDispatchQueueScheduler) {
        let other = SerialDispatchQueueScheduler(
            serialQueue: DispatchQueue(label: "test.other"), leeway: .nanoseconds(0))
        for _ in 0..<3 { wait(1_000, on: other) }
    }

    func testTimers_onAConcurrentQueue_runAtTheSameTime() {
        let scheduler = ConcurrentDispatchQueueScheduler(queue: .global())
        let gates = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchGroup()
        for (mine, other) in [(gates.0, gates.1), (gates.1, gates.0)] {
            ended.enter()
            _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1)) { _ in
                mine.signal()
                other.wait()
                ended.leave()
                return Disposables.create()
            }
        }
        XCTAssertEqual(ended.wait(timeout: .now() + 20), .success)
    }

    func testTimer_armedFromInsideAnother_firesAfterIt() {
        for scheduler in schedulers() {
            let before = Resources.total
            log.value = []
            let (log, ended) = (log, ended)
            @Sendable func arm(_ left: Int) {
                _ = scheduler.scheduleRelative(left, dueTime: .nanoseconds(0)) { left in
                    log.value.append(left)
                    if left > 0 { arm(left - 1) } else { ended.signal() }
                    return Disposables.create()
                }
            }
            arm(1_000)
            ended.wait()
            XCTAssertEqual(log.value, (0...1_000).reversed())
            waitUntil { Resources.total <= before }
        }
    }

    func testPeriodic_thatTakesLongerThanItsPeriod_joinsTheTicksThatPass() {
        for scheduler in schedulers() {
            let times = Box<[UInt64]>([])
            let series = scheduler.schedulePeriodic(0, startAfter: .nanoseconds(0), period: .milliseconds(10)) {
                [ended] in
                times.value.append(DispatchTime.now().uptimeNanoseconds)
                if $0 == 0 { Thread.sleep(forTimeInterval: 0.045) }
                if $0 == 3 { ended.signal() }
                return $0 + 1
            }
            ended.wait()
            series.dispose()
            queue.sync {}
            // Of the four missed firings only one is made up for, at once; then the firings follow their schedule. The
            // first firing may have been late, but by less than half a period where it matters.
            XCTAssertGreaterThanOrEqual(times.value[3] - times.value[0], 54_000_000)
        }
    }

    func testTimers_armedAndCancelledOnFourThreads_eachFireOrDoNot() {
        for scheduler in schedulers() {
            let before = Resources.total
            let fired = Tally()
            let kept = Tally()
            onThreads(4) { thread in
                for number in 0..<500 {
                    let timer = scheduler.scheduleRelative((), dueTime: .microseconds(number % 7 * 100)) { _ in
                        fired.add()
                        return Disposables.create()
                    }
                    if (number + thread).isMultiple(of: 2) { timer.dispose() } else { kept.add() }
                }
            }
            waitUntil { fired.value >= kept.value }
            waitUntil { Resources.total <= before }
        }
    }
}
