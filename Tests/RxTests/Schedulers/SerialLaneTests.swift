import Foundation
import Rx
import XCTest

/// Pieces of work that enter their queue together. Blocks that the tests add to the queue separate its turns.
final class SerialLaneTests: XCTestCase {
    private let queue = DispatchQueue(label: "test.lane")
    private let log = Box<[String]>([])

    private func makeScheduler(isOwn: Bool = true) -> SerialDispatchQueueScheduler {
        SerialDispatchQueueScheduler(serialQueue: queue, isOwn: isOwn)
    }

    private func note(_ name: String, on scheduler: SerialDispatchQueueScheduler) -> any Disposable {
        scheduler.schedule(name) { [log] in
            log.value.append($0)
            return Disposables.create()
        }
    }

    private func noteForeign(_ name: String) { queue.async { [log] in log.value.append(name) } }

    /// Lets as many turns run as any test has items: a turn runs at least one, and ends early on a slow machine.
    private func drain() { for _ in 0..<512 { queue.sync {} } }

    func testTurn_ofAQueueOfItsOwn_runsWhatWaits() {
        let before = Resources.total
        let scheduler = makeScheduler()
        queue.suspend()
        _ = note("a", on: scheduler)
        noteForeign("foreign")
        _ = note("b", on: scheduler)
        queue.resume()
        drain()
        // This shows that the queue must be private; the next test has the opposite conditions.
        XCTAssertEqual(log.value, ["a", "b", "foreign"])
        assertResourcesBack(to: before)
    }

    func testForeignWork_onAQueueThatOthersKnow_keepsItsPlace() {
        let queues: [(SerialDispatchQueueScheduler, DispatchQueue)] = [
            {
                var known: DispatchQueue?
                let scheduler = SerialDispatchQueueScheduler(
                    internalSerialQueueName: "test.known", serialQueueConfiguration: { known = $0 })
                return (scheduler, known ?? queue)
            }(),
            (makeScheduler(isOwn: false), queue),
        ]
        for (scheduler, queue) in queues {
            log.value = []
            queue.suspend()
            for name in ["a", "b", "c"] {
                _ = note(name, on: scheduler)
                queue.async { [log] in log.value.append("foreign \(name)") }
            }
            queue.resume()
            queue.sync {}
            XCTAssertEqual(log.value, ["a", "foreign a", "b", "foreign b", "c", "foreign c"])
        }
    }

    func testTurn_ofManyItems_endsAfter128() {
        let before = Resources.total
        let scheduler = makeScheduler()
        queue.suspend()
        for number in 0..<300 { _ = note("\(number)", on: scheduler) }
        noteForeign("foreign")
        queue.resume()
        drain()
        let turn = log.value.firstIndex(of: "foreign")
        // Fewer if the machine has paused the turn.
        XCTAssertLessThanOrEqual(turn ?? .max, 128)
        XCTAssertEqual(log.value.filter { $0 != "foreign" }, (0..<300).map(String.init))
        assertResourcesBack(to: before)
    }

    func testTurn_ofSlowItems_endsAfterTheFirstThatHasTakenItsTime() {
        let scheduler = makeScheduler()
        queue.suspend()
        for number in 0..<3 {
            _ = scheduler.schedule(number) { [log] number in
                let begin = DispatchTime.now().uptimeNanoseconds
                while DispatchTime.now().uptimeNanoseconds - begin < 200_000 {}
                log.value.append("\(number)")
                return Disposables.create()
            }
        }
        noteForeign("foreign")
        queue.resume()
        drain()
        XCTAssertEqual(log.value, ["0", "foreign", "1", "2"])
    }

    func testItem_scheduledFromInside_runsBehindTheOthersAndNotInline() {
        let scheduler = makeScheduler()
        queue.suspend()
        _ = scheduler.schedule(()) { [log] _ in
            _ = self.note("inner", on: scheduler)
            log.value.append("outer")
            return Disposables.create()
        }
        _ = note("other", on: scheduler)
        queue.resume()
        drain()
        XCTAssertEqual(log.value, ["outer", "other", "inner"])
    }

    func testItem_disposedByOneBeforeIt_neverRuns() {
        let before = Resources.total
        do {
            let scheduler = makeScheduler()
            let second = SerialDisposable()
            queue.suspend()
            _ = scheduler.schedule(()) { _ in
                second.dispose()
                return Disposables.create()
            }
            second.disposable = note("second", on: scheduler)
            _ = note("third", on: scheduler)
            queue.resume()
            drain()
            XCTAssertEqual(log.value, ["third"])
        }
        assertResourcesBack(to: before)
    }

    func testTimers_thatAreDueWhileWorkWaits_runBehindIt() {
        let before = Resources.total
        do {
            let scheduler = makeScheduler()
            let ended = DispatchSemaphore(value: 0)
            queue.suspend()
            for number in 0..<300 { _ = note("\(number)", on: scheduler) }
            _ = scheduler.scheduleRelative("timer", dueTime: .nanoseconds(0)) { [log] in
                log.value.append($0)
                ended.signal()
                return Disposables.create()
            }
            let series = SerialDisposable()
            series.disposable = scheduler.schedulePeriodic(0, startAfter: .nanoseconds(0), period: .seconds(3600)) {
                [log] in
                log.value.append("tick")
                series.dispose()
                ended.signal()
                return $0
            }
            queue.resume()
            ended.wait()
            ended.wait()
            drain()
            XCTAssertEqual(log.value.prefix(300), ArraySlice((0..<300).map(String.init)))
            XCTAssertEqual(log.value.suffix(2).sorted(), ["tick", "timer"])
        }
        waitUntil { Resources.total <= before }
    }

    func testScheduler_letGoOfWhileWorkWaits_runsIt() {
        let before = Resources.total
        queue.suspend()
        do {
            let scheduler = makeScheduler()
            for number in 0..<300 { _ = note("\(number)", on: scheduler) }
        }
        queue.resume()
        drain()
        XCTAssertEqual(log.value.count, 300)
        assertResourcesBack(to: before)
    }
}
