import Rx
import XCTest

final class InfallibleTransformingTests: XCTestCase {
    func testMap_transforms() {
        XCTAssertEqual(Infallible.of(1, 2).map { $0 * 10 }.synchronousEvents, ["next(10)", "next(20)", "completed"])
    }

    func testCompactMap_dropsNil() {
        XCTAssertEqual(
            Infallible.of("1", "x", "3").compactMap { Int($0) }.synchronousEvents, ["next(1)", "next(3)", "completed"])
    }

    func testFlatMap_mergesInfallibles() {
        let merged: Infallible<Int> = Infallible.of(10, 20).flatMap { Infallible.of($0, $0 + 1) }
        XCTAssertEqual(merged.synchronousEvents, ["next(10)", "next(11)", "next(20)", "next(21)", "completed"])
    }

    func testFlatMapLatest_dropsTheInnerBefore() {
        let inner = [PublishSubject<Int>(), PublishSubject<Int>()]
        let outer = PublishSubject<Int>()
        let notes = Notes()
        let latest: Infallible<Int> = outer.asInfallible(onErrorJustReturn: 0)
            .flatMapLatest { inner[$0].asInfallible(onErrorJustReturn: -1) }
        let subscription = latest.record(in: notes)
        outer.onNext(0)
        inner[0].onNext(1)
        outer.onNext(1)
        inner[0].onNext(2)
        inner[1].onNext(3)
        XCTAssertEqual(notes.lines, ["next(1)", "next(3)"])
        subscription.dispose()
        XCTAssertFalse(inner[1].hasObservers)
    }

    func testFlatMapFirst_dropsElementsWhileAnInnerRuns() {
        let inner = PublishSubject<Int>()
        let outer = PublishSubject<Int>()
        let notes = Notes()
        var asked: [Int] = []
        let first: Infallible<Int> = outer.asInfallible(onErrorJustReturn: 0)
            .flatMapFirst {
                asked.append($0)
                return inner.asInfallible(onErrorJustReturn: -1)
            }
        let subscription = first.record(in: notes)
        outer.onNext(1)
        outer.onNext(2)
        inner.onNext(5)
        XCTAssertEqual(notes.lines, ["next(5)"])
        XCTAssertEqual(asked, [1])
        subscription.dispose()
    }

    func testConcatMap_keepsTheOrder() {
        let ordered: Infallible<Int> = Infallible.of(10, 20).concatMap { Infallible.of($0, $0 + 1) }
        XCTAssertEqual(ordered.synchronousEvents, ["next(10)", "next(11)", "next(20)", "next(21)", "completed"])
    }

    func testScan_givesRunningResults() {
        XCTAssertEqual(
            Infallible.of(1, 2, 3).scan(0, accumulator: +).synchronousEvents,
            ["next(1)", "next(3)", "next(6)", "completed"])
        XCTAssertEqual(
            Infallible.of(1, 2).scan(into: []) { $0.append($1) }.synchronousEvents,
            ["next([1])", "next([1, 2])", "completed"])
    }

    func testWithUnretained_inBothForms_completesOnceTheObjectIsGone() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        var probe: LifetimeProbe? = LifetimeProbe()
        let infallible = subject.asInfallible(onErrorJustReturn: 0)
        let pairs: Infallible<(LifetimeProbe, Int)> = infallible.withUnretained(probe!)
        let results: Infallible<String> = infallible.withUnretained(probe!) { "\(type(of: $0)) \($1)" }
        let subscriptions = [pairs.map { $1 }.record(in: notes), results.record(in: notes)]
        subject.onNext(1)
        probe = nil
        subject.onNext(2)
        XCTAssertEqual(notes.lines, ["next(1)", "next(LifetimeProbe 1)", "completed", "completed"])
        XCTAssertFalse(subject.hasObservers)
        subscriptions.forEach { $0.dispose() }
    }

    func testObservableFlatMapLatest_ofAnInfallible_isAnInfallible_orAnObservableWhereOneIsAskedFor() {
        let infallible = Observable.of(1, 2).flatMapLatest { Infallible.just($0 * 10) }
        XCTAssertTrue(type(of: infallible) == Infallible<Int>.self)
        XCTAssertEqual(infallible.synchronousEvents, ["next(10)", "next(20)", "completed"])
        let observable: Observable<Int> = Observable.of(1, 2).flatMapLatest { Infallible.just($0 * 10) }
        XCTAssertEqual(observable.synchronousEvents, ["next(10)", "next(20)", "completed"])
    }

    func testObservableFlatMapLatest_ofAnInfallible_withASelectorThatThrows_failsAsAnObservable() {
        let infallible = Observable.of(1, 2).flatMapLatest { (value: Int) throws -> Infallible<Int> in
            if value == 2 { throw Planted.fault }
            return .just(value)
        }
        XCTAssertEqual(infallible.asObservable().synchronousEvents, ["next(1)", "error(fault)"])
    }

    func testEachOperator_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        func run<Result: ObservableConvertibleType>(_ apply: (Infallible<Int>) -> Result) {
            runToEveryEnd { apply($0.asInfallible(onErrorJustReturn: 0)) }
        }
        run { $0.map { $0 + 1 } }
        run { $0.compactMap { $0 == 2 ? nil : $0 } }
        run { $0.flatMap { Infallible.of($0, $0) } }
        run { $0.flatMapLatest { Infallible.of($0, $0) } }
        run { $0.flatMapFirst { Infallible.of($0, $0) } }
        run { $0.concatMap { Infallible.of($0, $0) } }
        run { $0.scan(0, accumulator: +) }
        run { $0.scan(into: 0) { $0 += $1 } }
        let probe = LifetimeProbe()
        run { $0.withUnretained(probe) }
        run { $0.withUnretained(probe) { $1 } }
        runToEveryEnd { $0.flatMapLatest { Infallible.just($0) } }
        assertResourcesBack(to: before)
    }
}
