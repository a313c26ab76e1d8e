import Rx
import RxLegacy
import XCTest

/// Code that was written with `Variable` between 2015 and 2018.
final class VariableTests: XCTestCase {
    fileprivate var seen: [String] = []
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension VariableTests {
    func testVariable_deliversItsValue_thenEachNewOne() {
        let name = Variable("Ada")
        let bag = DisposeBag()
        name.asObservable()
            .subscribeNext { self.seen.append($0) }
            .addDisposableTo(bag)
        name.value = "Grace"
        XCTAssertEqual(name.value, "Grace")
        XCTAssertEqual(seen, ["Ada", "Grace"])
    }

    func testVariable_thatIsGone_completesItsSequence() {
        var variable: Variable<Int>? = Variable(1)
        let subscription = variable!.asObservable().subscribe { self.seen.append($0.debugDescription) }
        variable = nil
        XCTAssertEqual(seen, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testVariables_combinedAsTheyAre_followEachOther() {
        // From the introduction of version 2.
        let a = Variable(1)
        let b = Variable(2)
        let c = combineLatest(a, b) { $0 + $1 }
            .filter { $0 >= 0 }
            .map { "\($0) is positive" }
        let subscription = c.subscribeNext { self.seen.append($0) }
        a.value = 4
        b.value = -8
        XCTAssertEqual(seen, ["3 is positive", "6 is positive"])
        subscription.dispose()
    }

    func testVariable_inFlatMapLatest_givesItsValues() {
        struct Player { let score: Variable<Int> }
        let first = Player(score: Variable(80))
        let second = Player(score: Variable(90))
        let player = Variable(first)
        let subscription = player.asObservable()
            .flatMapLatest { $0.score.asObservable() }
            .subscribe(onNext: { self.seen.append("\($0)") })
        first.score.value = 85
        player.value = second
        first.score.value = 95
        second.score.value = 100
        XCTAssertEqual(seen, ["80", "85", "90", "100"])
        subscription.dispose()
    }

    func testVariable_changedFromInsideItsSequence_deliversAgain() {
        let variable = Variable(0)
        let subscription = variable.asObservable().subscribe(onNext: { value in
            self.seen.append("\(value)")
            if value == 1 { variable.value = 2 }
        })
        variable.value = 1
        XCTAssertEqual(variable.value, 2)
        XCTAssertEqual(seen, ["0", "1", "2"])
        subscription.dispose()
    }

    func testVariable_asADriver_delivers() {
        let variable = Variable(1)
        let subscription = variable.asDriver().map { $0 * 10 }.driveNext { self.seen.append("\($0)") }
        variable.value = 2
        XCTAssertEqual(seen, ["10", "20"])
        subscription.dispose()
    }

    func testVariable_isBoundToAndDriven() {
        let target = Variable(0)
        let optional = Variable<Int?>(nil)
        let source = PublishSubject<Int>()
        let bindings = [source.bindTo(target), source.bindTo(optional)]
        source.onNext(1)
        XCTAssertEqual(target.value, 1)
        XCTAssertEqual(optional.value, 1)
        bindings.forEach { $0.dispose() }
        let newer = [source.bind(to: target), source.bind(to: optional)]
        source.onNext(2)
        XCTAssertEqual(target.value, 2)
        XCTAssertEqual(optional.value, 2)
        newer.forEach { $0.dispose() }
        let driven = [Driver.just(3).drive(target), Driver.just(3).drive(optional)]
        XCTAssertEqual(target.value, 3)
        XCTAssertEqual(optional.value, 3)
        driven.forEach { $0.dispose() }
    }

    func testVariable_boundTo_doesNotCompleteWithItsSource() {
        let target = Variable(0)
        let subscription = target.asObservable().subscribe { self.seen.append($0.debugDescription) }
        _ = Observable.just(1).bindTo(target)
        XCTAssertEqual(seen, ["next(0)", "next(1)"])
        subscription.dispose()
    }

    func testVariable_thatIsGone_returnsEveryResource() {
        let before = Resources.total
        do {
            let variable = Variable(1)
            let subscription = variable.asObservable().subscribeNext { _ in }
            variable.value = 2
            let disposed = variable.map { $0 + 1 }.subscribeNext { _ in }
            disposed.dispose()
            withExtendedLifetime(subscription) {}
        }
        XCTAssertEqual(Resources.total, before)
    }
}
