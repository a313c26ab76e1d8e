import Rx
import RxTrace
import XCTest

/// Growth of real resources: planted leaks and their clean twins.
final class DetectGrowthTests: XCTestCase {
#if TRACE_RESOURCES
    /// Subscribes to a screen's values, and keeps the screen from going where it is told to.
    private final class Screen {
        let values = PublishSubject<Int>()
        var bag = DisposeBag()
        var latest = 0

        func open(leaking: Bool) {
            if leaking {
                values.subscribe(onNext: { self.latest = $0 }).disposed(by: bag)
            } else {
                values.subscribe(onNext: { [weak self] in self?.latest = $0 }).disposed(by: bag)
            }
            values.onNext(1)
        }
    }

    func testScreen_whoseSubscriptionHoldsIt_grows() {
        let report = RxTrace.detectGrowth(named: "screen") { Screen().open(leaking: true) }
        XCTAssertEqual(report.verdict?.isGrowing, true)
        XCTAssertEqual(report.runs, 163)
        XCTAssertEqual(report.description, """
            screen: growing, after 163 runs
              subject: growing by 1 a run [1 1]
              sink: growing by 1 a run [1 1]
              disposable: growing by 2 a run [2 2]
            """)
    }

    func testScreen_whoseSubscriptionDoesNotHoldIt_isClean() {
        let report = RxTrace.detectGrowth(named: "screen") { Screen().open(leaking: false) }
        XCTAssertEqual(report.verdict, .clean)
        XCTAssertEqual(report.description, "screen: clean, after 23 runs")
    }

    func testCacheWithABound_isBounded() {
        var cache: [Observable<Int>] = []
        let report = RxTrace.detectGrowth(named: "cache") { if cache.count < 32 { cache.append(.just(cache.count)) } }
        XCTAssertEqual(report.verdict, .bounded(by: 32))
        withExtendedLifetime(cache) {}
    }

    func testWhatIsMadeOnce_isLazy() {
        var shared: Observable<Int>?
        let report = RxTrace.detectGrowth(named: "singleton") { shared = shared ?? .just(1) }
        XCTAssertEqual(report.verdict, .lazy(kept: 1))
        withExtendedLifetime(shared) {}
    }

    func testWorkOnAnotherThread_isWaitedFor() {
        let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
        let report = RxTrace.detectGrowth(named: "background") {
            _ = Observable.of(1, 2, 3).observe(on: scheduler).subscribe(onNext: { _ in })
        }
        XCTAssertEqual(report.verdict?.isGrowing, false, "\(report)")
    }

    func testAsynchronousRoundTrip_isDecidedToo() async {
        var kept: [any Disposable] = []
        let growing = await RxTrace.detectGrowth(named: "tasks") {
            await Task.yield()
            kept.append(Observable<Int>.never().subscribe(onNext: { _ in }))
        }
        XCTAssertEqual(growing.verdict?.isGrowing, true)
        let clean = await RxTrace.detectGrowth(named: "tasks") { _ = try? await Single.just(1).value }
        XCTAssertEqual(clean.verdict, .clean, "\(clean)")
        withExtendedLifetime(kept) {}
    }

    func testErrorOfTheBody_endsTheDetection() {
        struct Refused: Error {}
        var runs = 0
        XCTAssertThrowsError(try RxTrace.detectGrowth(named: "refused") {
            runs += 1
            if runs == 5 { throw Refused() }
        })
        XCTAssertEqual(runs, 5)
    }
#else
    func testWithoutTracing_isUnavailable() {
        let report = RxTrace.detectGrowth(named: "screen") {}
        XCTAssertNil(report.verdict)
        XCTAssertEqual(report.runs, 1)
        XCTAssertTrue(report.description.contains("unavailable, because this build does not trace resources."))
    }
#endif
}
