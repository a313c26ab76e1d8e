import Foundation
import Rx
import XCTest

final class ActorSchedulerTests: XCTestCase {
    private actor Ledger {
        private(set) var lines: [String] = []

        func write(_ line: String) { lines.append(line) }

        nonisolated func writeInside(_ line: String) { assumeIsolated { $0.lines.append(line) } }
    }

    func testObserveOn_anActor_deliversThereAndInOrder() async {
        let ledger = Ledger()
        let subject = PublishSubject<Int>()
        let ended = expectation(description: "ended")
        let subscription = subject.observe(on: ledger).subscribe(
            onNext: { ledger.writeInside("\($0)") },
            onCompleted: {
                ledger.writeInside("|")
                ended.fulfill()
            })
        for value in 0..<500 { subject.onNext(value) }
        subject.onCompleted()
        await fulfillment(of: [ended], timeout: 20)
        let lines = await ledger.lines
        XCTAssertEqual(lines, (0..<500).map(String.init) + ["|"])
        subscription.dispose()
    }

    func testStreams_thatShareAScheduler_keepTheOrderOfTheirSender() async {
        let ledger = Ledger()
        let scheduler = ActorScheduler(ledger)
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let ended = expectation(description: "ended")
        let subscriptions = subjects.map { subject in
            subject.observe(on: scheduler).subscribe(onNext: { ledger.writeInside("\($0)") })
        }
        for value in 0..<300 { subjects[value % 3].onNext(value) }
        _ = scheduler.schedule(()) { _ in
            ended.fulfill()
            return Disposables.create()
        }
        await fulfillment(of: [ended], timeout: 20)
        let lines = await ledger.lines
        XCTAssertEqual(lines, (0..<300).map(String.init))
        subscriptions.forEach { $0.dispose() }
    }

    func testStreams_onOneActor_keepTheOrderOfTheirSender() async {
        let ledger = Ledger()
        let loading = PublishSubject<Int>()
        let result = PublishSubject<Int>()
        let ended = expectation(description: "ended")
        let subscriptions = [
            loading.observe(on: ledger).subscribe(onNext: { ledger.writeInside("loading \($0)") }),
            result.observe(on: ledger).subscribe(onNext: { ledger.writeInside("result \($0)") }),
        ]
        for value in 0..<100 {
            loading.onNext(value)
            result.onNext(value)
            _ = ActorScheduler(ledger).schedule(value) {
                ledger.writeInside("work \($0)")
                if $0 == 99 { ended.fulfill() }
                return Disposables.create()
            }
        }
        await fulfillment(of: [ended], timeout: 20)
        let lines = await ledger.lines
        XCTAssertEqual(lines, (0..<100).flatMap { ["loading \($0)", "result \($0)", "work \($0)"] })
        subscriptions.forEach { $0.dispose() }
    }

    func testSchedulers_onceDropped_keepNoActor() {
        weak var dropped: Ledger?
        for _ in 0..<3 {
            let ledger = Ledger()
            dropped = ledger
            let schedulers = (0..<3).map { _ in ActorScheduler(ledger) }
            XCTAssertTrue(schedulers.allSatisfy { $0.actor === ledger })
        }
        XCTAssertNil(dropped)
    }

    func testWork_disposedBeforeItsTurn_neverRuns() async {
        let ledger = Ledger()
        let scheduler = ActorScheduler(ledger)
        let ended = expectation(description: "ended")
        _ = scheduler.schedule(()) { _ in
            let dropped = scheduler.schedule(()) { _ in
                ledger.writeInside("dropped")
                return Disposables.create()
            }
            dropped.dispose()
            _ = scheduler.schedule(()) { _ in
                ended.fulfill()
                return Disposables.create()
            }
            return Disposables.create()
        }
        await fulfillment(of: [ended], timeout: 20)
        let lines = await ledger.lines
        XCTAssertEqual(lines, [])
    }
}
