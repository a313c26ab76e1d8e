import Rx
import XCTest

final class ExpandTests: XCTestCase {
    func testExpand_sendsWhatIsMadeOfEachElement_levelByLevel() {
        XCTAssertEqual(
            Observable.just(1).expand { $0 < 4 ? Observable.of($0 * 2, $0 * 2 + 1) : .empty() }.synchronousEvents,
            (1...7).map { "next(\($0))" } + ["completed"])
    }

    func testExpand_ofAGreatDepth_needsNoStack() {
        let count = onSmallStack {
            var count = 0
            _ = Observable.just(0).expand { $0 < 100_000 ? Observable.just($0 + 1) : .empty() }
                .subscribe(onNext: { _ in count += 1 })
            return count
        }
        XCTAssertEqual(count, 100_001)
    }

    func testExpand_endsWithTheFirstError_andWithWhatTheSelectorThrows() {
        XCTAssertEqual(
            Observable.just(1).expand { $0 < 3 ? Observable.just($0 + 1) : .error(Planted.fault) }.synchronousEvents,
            ["next(1)", "next(2)", "next(3)", "error(fault)"])
        XCTAssertEqual(
            Observable.just(1).expand { _ -> Observable<Int> in throw Planted.fault }.synchronousEvents,
            ["next(1)", "error(fault)"])
    }

    func testExpand_disposedFromInside_stops() {
        XCTAssertEqual(
            Observable.just(1).expand { Observable.just($0 + 1) }.take(3).synchronousEvents,
            ["next(1)", "next(2)", "next(3)", "completed"])
    }

    func testExpand_completesOnceAllHave() {
        let inner = PublishSubject<Int>()
        let notes = Notes()
        let subscription = Observable.just(1).expand { $0 == 1 ? inner.asObservable() : .empty() }.record(in: notes)
        XCTAssertEqual(notes.lines, ["next(1)"])
        inner.onNext(2)
        inner.onCompleted()
        XCTAssertEqual(notes.lines, ["next(1)", "next(2)", "completed"])
        subscription.dispose()
    }

    func testExpand_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.expand { $0 < 10 ? Observable.just($0 * 10) : .empty() } }
        assertResourcesBack(to: before)
    }
}
