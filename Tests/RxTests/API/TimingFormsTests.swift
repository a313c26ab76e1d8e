import Rx
import RxTest
import XCTest

/// Calls every public name of the timing operators in the form that users write.
final class TimingFormsTests: XCTestCase {
    /// The values at 210, 220 and 230, and completion at 240, as `apply` passes them on.
    private func run<Result: ObservableConvertibleType>(
        _ apply: @escaping (Observable<Int>, TestScheduler) -> Result
    ) -> [Recorded<Event<Int>>] where Result.Element == Int {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)])
        return scheduler.start { apply(source.asObservable(), scheduler) }.events
    }

    func testShifting() {
        XCTAssertEqual(
            run { $0.delay(.seconds(5), scheduler: $1) },
            [.next(215, 1), .next(225, 2), .next(235, 3), .completed(245)])
        XCTAssertEqual(
            run { $0.delaySubscription(.seconds(15), scheduler: $1) }, [.next(220, 2), .next(230, 3), .completed(240)])
        XCTAssertEqual(run { $0.observe(on: $1) }, [.next(211, 1), .next(221, 2), .next(231, 3), .completed(241)])
        XCTAssertEqual(run { $0.subscribe(on: $1) }, [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)])
    }

    func testThinning() {
        XCTAssertEqual(run { $0.debounce(.seconds(15), scheduler: $1) }, [.next(240, 3), .completed(240)])
        XCTAssertEqual(
            run { $0.throttle(.seconds(15), scheduler: $1) },
            [.next(210, 1), .next(225, 2), .next(240, 3), .completed(240)])
        XCTAssertEqual(
            run { $0.throttle(.seconds(15), latest: true, scheduler: $1) },
            [.next(210, 1), .next(225, 2), .next(240, 3), .completed(240)])
        XCTAssertEqual(
            run { $0.throttle(.seconds(15), latest: false, scheduler: $1) },
            [.next(210, 1), .next(230, 3), .completed(240)])
    }

    func testTimingOut() {
        XCTAssertEqual(run { $0.timeout(.seconds(5), scheduler: $1) }, [.error(205, RxError.timeout)])
        XCTAssertEqual(
            run { $0.timeout(.seconds(5), other: Observable.just(9), scheduler: $1) }, [.next(205, 9), .completed(205)])
        XCTAssertEqual(
            run { $0.timeout(.seconds(5), other: Single.just(9), scheduler: $1) }, [.next(205, 9), .completed(205)])
    }

    func testSpans() {
        XCTAssertEqual(run { $0.take(for: .seconds(15), scheduler: $1) }, [.next(210, 1), .completed(215)])
        XCTAssertEqual(run { $0.skip(.seconds(15), scheduler: $1) }, [.next(220, 2), .next(230, 3), .completed(240)])
        XCTAssertEqual(
            run { $0.buffer(timeSpan: .seconds(15), count: 9, scheduler: $1).map { $0.count } },
            [.next(215, 1), .next(230, 2), .next(240, 0), .completed(240)])
        XCTAssertEqual(
            run { $0.window(timeSpan: .seconds(15), count: 9, scheduler: $1).flatMap { $0.reduce(0, accumulator: +) } },
            [.next(215, 1), .next(230, 5), .next(240, 0), .completed(240)])
    }

    func testSpansOfTime_inEveryUnit() {
        for span: RxTimeInterval in [
            .seconds(5), .milliseconds(5_000), .microseconds(5_000_000), .nanoseconds(5_000_000_000),
        ] {
            XCTAssertEqual(run { $0.delay(span, scheduler: $1) }.first?.time, 215)
        }
        XCTAssertEqual(run { $0.timeout(.never, scheduler: $1) }.count, 4)
    }
}
