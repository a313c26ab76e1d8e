import Dispatch
import Rx
import RxBlocking
import RxFoundation
import XCTest

final class DispatchQueueTests: SettlingTestCase {
    private struct Failure: Error {}

    func testSerialScheduler_ofAConcurrentQueue_runsWorkOnItInOrder() throws {
        let queue = DispatchQueue(label: "q", attributes: .concurrent)
        let values = try Observable.range(start: 0, count: 100).observe(on: queue.rx.serialScheduler()).map { value in
            dispatchPrecondition(condition: .onQueue(queue))
            return value
        }.toBlocking(timeout: 10).toArray()
        XCTAssertEqual(values, Array(0..<100))
    }

    func testConcurrentScheduler_ofAConcurrentQueue_runsPiecesAtTheSameTime() {
        let scheduler = DispatchQueue(label: "q", attributes: .concurrent).rx.concurrentScheduler()
        let (first, second) = (Signal(), Signal())
        // Each action waits for the other one.
        let one = scheduler.schedule(()) {
            first.send()
            second.wait()
            return Disposables.create()
        }
        let done = Signal()
        let other = scheduler.schedule(()) {
            second.send()
            first.wait()
            done.send()
            return Disposables.create()
        }
        done.wait()
        withExtendedLifetime((one, other)) {}
    }

    func testPerform_deliversWhatTheWorkReturns_fromTheQueue() throws {
        let queue = DispatchQueue(label: "q")
        let single = queue.rx.perform {
            dispatchPrecondition(condition: .onQueue(queue))
            return 42
        }
        XCTAssertEqual(try single.toBlocking(timeout: 10).toArray(), [42])
    }

    func testPerform_ofWorkThatThrows_fails() {
        let single: Single<Int> = DispatchQueue(label: "q").rx.perform { throw Failure() }
        XCTAssertThrowsError(try single.toBlocking(timeout: 10).first()) { XCTAssertTrue($0 is Failure) }
    }

    func testPerform_runsForEachSubscriber_andNotBefore() throws {
        let runs = Counter()
        let single = DispatchQueue(label: "q").rx.perform { runs.increment() }
        XCTAssertEqual(runs.value, 0)
        for _ in 0..<2 { _ = try single.toBlocking(timeout: 10).first() }
        XCTAssertEqual(runs.value, 2)
    }

    func testPerform_disposedBeforeTheWorkBegins_doesNotRunIt() {
        let queue = DispatchQueue(label: "q")
        let gate = Signal()
        let runs = Counter()
        queue.async { gate.wait() }
        queue.rx.perform { runs.increment() }.subscribe().dispose()
        gate.send()
        queue.sync {}
        XCTAssertEqual(runs.value, 0)
    }

    func testPerform_disposedWhileTheWorkRuns_dropsItsResult() {
        let queue = DispatchQueue(label: "q")
        let begun = Signal()
        let gate = Signal()
        let results = Recorder<Int>()
        let subscription = queue.rx.perform {
            begun.send()
            gate.wait()
            return 1
        }.subscribe(onSuccess: { results.append($0) })
        begun.wait()
        subscription.dispose()
        gate.send()
        queue.sync {}
        XCTAssertEqual(results.values, [])
    }

    func testPerform_givenUp_returnsEveryResource() throws {
        let before = Resources.total
        let queue = DispatchQueue(label: "q")
        let gate = Signal()
        do {
            _ = try queue.rx.perform { 1 }.toBlocking(timeout: 10).first()
            let failing: Single<Int> = queue.rx.perform { throw Failure() }
            _ = failing.toBlocking(timeout: 10).materialize()
            queue.async { gate.wait() }
            queue.rx.perform { 1 }.subscribe().dispose()
            gate.send()
            queue.sync {}
        }
        XCTAssertTrue(yieldUntil { Resources.total <= before }, "\(Resources.total - before) resources are left.")
    }
}
