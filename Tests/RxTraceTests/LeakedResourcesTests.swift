import Rx
import RxTrace
import XCTest

final class LeakedResourcesTests: XCTestCase {
    private enum Planted: Error { case fault }

    /// A model whose subscription is kept in its own bag. `leaks` decides whether the closure holds the model.
    private final class Model {
        let input = PublishSubject<Int>()
        private var bag = DisposeBag()
        private var last = 0

        init(leaks: Bool) {
            if leaks {
                input.map { $0 + 1 }.subscribe(onNext: { self.last = $0 }).disposed(by: bag)
            } else {
                input.map { $0 + 1 }.subscribe(onNext: { [weak self] in self?.last = $0 }).disposed(by: bag)
            }
        }

        func breakCycle() { bag = DisposeBag() }
    }

    func testLeak_ofAModelThatHoldsItself_isFoundAndNamed() throws {
        try XCTSkipUnless(Resources.isTracing)
        weak var leaked: Model?
        let difference = RxTrace.resources {
            let model = Model(leaks: true)
            model.input.onNext(1)
            leaked = model
        }
        XCTAssertNotNil(leaked)
        XCTAssertEqual(difference.isEmpty, false)
        XCTAssertEqual(difference.change(of: .subject), 1)
        XCTAssertEqual(difference.change(of: .sink), 2)
        XCTAssertGreaterThan(try XCTUnwrap(difference.total), 3)
        XCTAssertTrue(difference.description.contains("subject +1, sink +2"), difference.description)

        let removed = RxTrace.resources { leaked?.breakCycle() }
        XCTAssertNil(leaked)
        // Not the total: work that an earlier test left may end in between.
        XCTAssertEqual(removed.change(of: .subject), -1)
        XCTAssertEqual(removed.change(of: .sink), -2)
    }

    func testLeak_ofTheCleanTwin_isNone() throws {
        try XCTSkipUnless(Resources.isTracing)
        let difference = RxTrace.resources {
            let model = Model(leaks: false)
            model.input.onNext(1)
        }
        XCTAssertEqual(difference.isEmpty, true)
        XCTAssertEqual(difference.description, "total 0")
    }

    func testLeak_inABuildThatDoesNotTrace_isUnavailableAndNotZero() throws {
        try XCTSkipIf(Resources.isTracing)
        XCTAssertNil(RxTrace.resources {}.total)
    }

    func testResources_whoseBodyThrows_rethrows() {
        XCTAssertThrowsError(try RxTrace.resources { throw Planted.fault }) { XCTAssertEqual($0 as? Planted, .fault) }
    }
}
