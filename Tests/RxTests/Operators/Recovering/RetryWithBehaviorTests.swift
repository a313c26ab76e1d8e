import Rx
import RxTest
import XCTest

final class RetryWithBehaviorTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    /// The ticks of the subscriptions to a source that fails at once, and the end.
    private func attempts(
        _ behavior: RepeatBehavior, jitter: Double = 0, while shouldRetry: @escaping (any Error) -> Bool = { _ in true }
    ) -> ([Int], [Recorded<Event<Int>>]) {
        let scheduler = TestScheduler(initialClock: 0)
        var ticks: [Int] = []
        let failing = Observable<Int>.deferred {
            ticks.append(scheduler.clock)
            return .error(Planted.fault)
        }
        let result = scheduler.start {
            failing.retry(behavior, jitter: jitter, scheduler: scheduler, shouldRetry: shouldRetry)
        }
        return (ticks, result.events)
    }

    func testRetry_waitsAsItsBehaviourSays_andEndsWithTheLastError() {
        let behaviors: [(RepeatBehavior, [Int])] = [
            (.immediate(maxCount: 3), [200, 200, 200]),
            (.delayed(maxCount: 3, time: 5), [200, 205, 210]),
            (.exponentialDelayed(maxCount: 4, initial: 1, multiplier: 3), [200, 201, 204, 213]),
            (.customTimerDelayed(maxCount: 3, delayCalculator: { .seconds(Int($0) * 10) }), [200, 210, 230]),
            (.delayed(maxCount: 1, time: 5), [200]),
        ]
        for (behavior, expected) in behaviors {
            let (ticks, events) = attempts(behavior)
            XCTAssertEqual(ticks, expected, "\(behavior)")
            XCTAssertEqual(events, [.error(expected.last ?? 0, Planted.fault)], "\(behavior)")
        }
    }

    func testRetry_withoutAttempts_completesAtOnce() {
        let (ticks, events) = attempts(.immediate(maxCount: 0))
        XCTAssertEqual(ticks, [])
        XCTAssertEqual(events, [.completed(200)])
    }

    func testRetry_ofAnErrorThatIsNotWorthIt_fails() {
        let (ticks, events) = attempts(.delayed(maxCount: 5, time: 1)) { _ in false }
        XCTAssertEqual(ticks, [200])
        XCTAssertEqual(events, [.error(200, Planted.fault)])
    }

    func testRetry_withJitter_waitsNoLonger_andNoLessThanItSays() {
        for _ in 0..<20 {
            let (ticks, _) = attempts(.delayed(maxCount: 2, time: 100), jitter: 0.25)
            XCTAssertTrue((275...300).contains(ticks[1]), "\(ticks)")
        }
    }

    func testRetry_goesOnWithTheElementsOfTheAttemptThatSucceeds() {
        var count = 0
        let flaky = Observable<Int>.deferred {
            count += 1
            return count < 3 ? Observable.just(count).concat(Observable<Int>.error(Planted.fault)) : .just(count)
        }
        let result = scheduler.start { flaky.retry(.delayed(maxCount: 5, time: 10), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(200, 1), .next(210, 2), .next(220, 3), .completed(220)])
    }

    func testRetry_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.retry(.delayed(maxCount: 2, time: 1), scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
