import Rx
import XCTest

@testable import HeapTrace

/// Work that is still scheduled when a detection ends is explained.
final class WaitingWorkTests: XCTestCase {
    #if TRACE_RESOURCES
        private final class Player {
            var subscriptions: [any Disposable] = []

            func wait(on scheduler: SerialDispatchQueueScheduler) {
                subscriptions.append(
                    Observable<Int>.never().timeout(.seconds(3_600), scheduler: scheduler).subscribe(onError: { _ in }))
            }
        }

        func testTimeoutsOfAnHour_areToldWithWhatWaits_untilWhen_whereItWasMade_andWhoHoldsIt() throws {
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            let player = Player()
            let report = HeapTrace.detectGrowth(named: "player") { player.wait(on: scheduler) }
            XCTAssertEqual(report.verdict, .pending, "\(report)")
            // More runs would add no information, and the test waits for none of the timers.
            XCTAssertEqual(report.runs, 23)
            // The work of the first run was scheduled before the search knew that it would wait.
            XCTAssertEqual(report.waiting.map(\.name), ["timeout"], "\(report)")
            let waiting = try XCTUnwrap(report.waiting.first)
            XCTAssertEqual(waiting.count, 22)
            XCTAssertTrue(
                (3_500...3_601).contains(waiting.firstDueSeconds) && waiting.firstDueSeconds <= waiting.lastDueSeconds,
                "\(waiting)")
            XCTAssertTrue(waiting.description.hasPrefix("22 of timeout, due in "), "\(waiting)")
            let maker = try XCTUnwrap(waiting.creationStack.framesOfYours.first)
            XCTAssertTrue(maker.function.contains("Player.wait(on:)"), "\(maker)")
            XCTAssertTrue(report.details.contains(" 22 of timeout, due in "), report.details)
            if (try? HeapSnapshot.capture()) != nil {
                let retention = try XCTUnwrap(waiting.retention, report.details)
                XCTAssertTrue(retention.advice.contains("WaitingWorkTests.swift:14"), retention.description)
            }
            let copy = try JSONDecoder().decode(GrowthReport.self, from: JSONEncoder().encode(report))
            XCTAssertEqual(copy.details, report.details)
            player.subscriptions.forEach { $0.dispose() }
        }

        func testWorkOfEachOperator_isNamedByIt_andWorkOfTheUsersIsNot() throws {
            guard (try? HeapSnapshot.capture()) != nil else { throw XCTSkip("The heap cannot be read.") }
            let hour = RxTimeInterval.seconds(3_600)
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            let never = Observable<Int>.never()
            let one = Observable.just(1).concat(never)
            let waits: [(name: String, observable: Observable<Int>)] = [
                ("debounce", one.debounce(hour, scheduler: scheduler)),
                ("delay", one.delay(hour, scheduler: scheduler)),
                ("delaySubscription", one.delaySubscription(hour, scheduler: scheduler)),
                ("skip", never.skip(hour, scheduler: scheduler)),
                ("take(for:)", never.take(for: hour, scheduler: scheduler)),
                ("timeout", never.timeout(hour, scheduler: scheduler)),
                ("timer", Observable.timer(hour, scheduler: scheduler)),
                ("buffer", never.buffer(timeSpan: hour, count: 5, scheduler: scheduler).map(\.count)),
            ]
            for wait in waits {
                XCTAssertEqual(names { wait.observable.subscribe() }, [wait.name])
            }
            XCTAssertEqual(
                names {
                    let subscription = never.subscribe()
                    return scheduler.scheduleRelative((), dueTime: hour) { _ in subscription }
                }, ["work"])
        }

        /// The names of the work that is waiting after a search that repeats `schedule`.
        private func names(_ schedule: () -> any Disposable) -> [String] {
            let bag = DisposeBag()
            let report = HeapTrace.detectGrowth(named: "waiting", patience: .zero) { schedule().disposed(by: bag) }
            return report.waiting.map(\.name)
        }

        func testTimeoutThatIsDisposed_isClean() {
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            let report = HeapTrace.detectGrowth(named: "player", runs: 16) {
                let player = Player()
                player.wait(on: scheduler)
                player.subscriptions.forEach { $0.dispose() }
            }
            XCTAssertEqual(report.verdict, .clean, "\(report)")
            XCTAssertEqual(report.waiting.count, 0)
        }

        func testSpans_areToldInTwoUnits() {
            func text(_ first: Double, _ last: Double) -> String {
                WaitingWork(
                    name: "delay", count: 2, firstDueSeconds: first, lastDueSeconds: last,
                    creationStack: CallStack(frames: [])
                ).description
            }
            XCTAssertEqual(text(0, 0), "2 of delay, due now")
            XCTAssertEqual(text(0, 59), "2 of delay, due now to in 59 s")
            XCTAssertEqual(text(3_599, 3_600), "2 of delay, due in 59 min 59 s to in 1 h 0 min")
            XCTAssertEqual(text(90_061, 90_061), "2 of delay, due in 1 d 1 h")
        }
    #endif
}
