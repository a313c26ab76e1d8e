import Rx
import XCTest

final class CombineCollectionTests: XCTestCase {
    func testCombineLatest_ofCollection_formsArrays() {
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let notes = Notes()
        let subscription = Observable.combineLatest(subjects).record(in: notes)
        for (index, subject) in subjects.enumerated() { subject.onNext(index) }
        subjects[1].onNext(9)
        subjects.forEach { $0.onCompleted() }
        XCTAssertEqual(notes.lines, ["next([0, 1, 2])", "next([0, 9, 2])", "completed"])
        subscription.dispose()
    }

    func testCombineLatest_ofEmptyCollection_sendsTheResultOfNoElementsAndCompletes() {
        let none: [Observable<Int>] = []
        XCTAssertEqual(Observable.combineLatest(none) { $0.count }.synchronousEvents, ["next(0)", "completed"])
        XCTAssertEqual(Observable.combineLatest(none).synchronousEvents, ["next([])", "completed"])
        XCTAssertEqual(
            Observable.combineLatest(none) { _ -> Int in throw Planted.fault }.synchronousEvents, ["error(fault)"])
    }

    func testCombineLatest_ofCollection_whoseSourceFailsWhileSubscribedTo_leavesTheLaterOnesAlone() {
        var subscriptions = 0
        let later = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        XCTAssertEqual(
            Observable.combineLatest([.just(1), .error(Planted.fault), later]).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(subscriptions, 0)
    }

    func testCombineLatest_ofCollection_disposedMidway_leavesAllSources() {
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let subscription = Observable.combineLatest(subjects).subscribe { _ in }
        XCTAssertTrue(subjects.allSatisfy(\.hasObservers))
        subscription.dispose()
        XCTAssertFalse(subjects.contains(where: \.hasObservers))
    }

    func testCombineLatest_ofLazyCollection_makesEachSourceOnceForAllSubscriptions() {
        var made = 0
        let sums = Observable.combineLatest(
            [1, 2].lazy.map { value -> Observable<Int> in
                made += 1
                return .just(value)
            }
        ) { $0.reduce(0, +) }
        XCTAssertEqual(sums.synchronousEvents, ["next(3)", "completed"])
        XCTAssertEqual(sums.synchronousEvents, ["next(3)", "completed"])
        XCTAssertEqual(made, 2)
    }

    func testZip_ofCollection_formsArrays() {
        XCTAssertEqual(
            Observable.zip([Observable.of(1, 2), Observable.of(3, 4), Observable.of(5, 6)]).synchronousEvents,
            ["next([1, 3, 5])", "next([2, 4, 6])", "completed"])
        XCTAssertEqual(
            Observable<Int>.zip([Observable.just("a"), .just("bc")]) { $0.joined().count }.synchronousEvents,
            ["next(3)", "completed"])
    }

    func testZip_ofEmptyCollection_completes() {
        XCTAssertEqual(Observable<[Int]>.zip([Observable<Int>]()) { $0 }.synchronousEvents, ["completed"])
    }

    func testZip_ofCollection_atAnElementAfterAllOthersHaveCompleted_completes() {
        let subjects = (0..<2).map { _ in PublishSubject<Int>() }
        let notes = Notes()
        let subscription = Observable.zip(subjects).record(in: notes)
        subjects[1].onCompleted()
        XCTAssertEqual(notes.lines, [])
        subjects[0].onNext(1)
        XCTAssertEqual(notes.lines, ["completed"])
        subscription.dispose()
    }
}
