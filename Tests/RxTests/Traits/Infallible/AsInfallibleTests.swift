import Rx
import XCTest

final class AsInfallibleTests: XCTestCase {
    private var failing: Observable<Int> { .sending(1, then: .error(Planted.fault)) }

    func testOnErrorJustReturn_replacesTheError() {
        XCTAssertEqual(
            failing.asInfallible(onErrorJustReturn: 7).synchronousEvents, ["next(1)", "next(7)", "completed"])
    }

    func testOnErrorFallbackTo_goesOnWithTheOther() {
        XCTAssertEqual(
            failing.asInfallible(onErrorFallbackTo: .of(8, 9)).synchronousEvents,
            ["next(1)", "next(8)", "next(9)", "completed"])
    }

    func testOnErrorRecover_goesOnWithWhatTheErrorLeadsTo() {
        var seen: [String] = []
        let infallible = failing.asInfallible(onErrorRecover: {
            seen.append("\($0)")
            return .just(5)
        })
        XCTAssertEqual(infallible.synchronousEvents, ["next(1)", "next(5)", "completed"])
        XCTAssertEqual(seen, ["fault"])
    }

    func testWithoutAnError_areTheSequenceItself() {
        let source = Observable.of(1, 2)
        let expected = ["next(1)", "next(2)", "completed"]
        XCTAssertEqual(source.asInfallible(onErrorJustReturn: 7).synchronousEvents, expected)
        XCTAssertEqual(source.asInfallible(onErrorFallbackTo: .just(7)).synchronousEvents, expected)
        XCTAssertEqual(source.asInfallible(onErrorRecover: { _ in .just(7) }).synchronousEvents, expected)
    }

    func testSingle_asInfallible_replacesTheError() {
        XCTAssertEqual(
            Single<Int>.error(Planted.fault).asInfallible(onErrorJustReturn: 7).synchronousEvents,
            ["next(7)", "completed"])
    }

    func testEachWay_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        runToEveryEnd { $0.asInfallible(onErrorJustReturn: 7) }
        runToEveryEnd { $0.asInfallible(onErrorFallbackTo: .of(1, 2)) }
        runToEveryEnd { $0.asInfallible(onErrorRecover: { _ in .just(1) }) }
        assertResourcesBack(to: before)
    }
}
