import Rx
import XCTest

final class InfallibleCombiningTests: XCTestCase {
    func testStartWith_comesFirst() {
        XCTAssertEqual(
            Infallible.of(1, 2).startWith(0).synchronousEvents, ["next(0)", "next(1)", "next(2)", "completed"])
    }

    func testConcat_inEachForm_keepsTheOrder() {
        let expected = ["next(1)", "next(2)", "next(3)", "completed"]
        let first = Infallible.of(1, 2)
        let second = Infallible.just(3)
        XCTAssertEqual(first.concat(second).synchronousEvents, expected)
        XCTAssertEqual(Infallible.concat(first, second).synchronousEvents, expected)
        XCTAssertEqual(Infallible.concat([first, second]).synchronousEvents, expected)
        XCTAssertEqual(Infallible.concat(AnySequence([first, second])).synchronousEvents, expected)
    }

    func testConcat_ofASequence_asksForEachAtItsTurn() {
        var asked = 0
        let first = PublishSubject<Int>()
        let sources = AnySequence { () -> AnyIterator<Infallible<Int>> in
            var index = 0
            return AnyIterator {
                asked += 1
                index += 1
                return index == 1 ? first.asInfallible(onErrorJustReturn: 0) : index == 2 ? Infallible.just(2) : nil
            }
        }
        let notes = Notes()
        let subscription = Infallible.concat(sources).record(in: notes)
        XCTAssertEqual(asked, 1)
        first.onNext(1)
        first.onCompleted()
        XCTAssertEqual(asked, 3)
        XCTAssertEqual(notes.lines, ["next(1)", "next(2)", "completed"])
        subscription.dispose()
    }

    func testMerge_inEachForm_givesElementsAsTheyCome() {
        let expected = ["next(1)", "next(3)", "next(2)", "completed"]
        let first = Infallible.of(1, 2)
        let second = Infallible.from([3])
        XCTAssertEqual(Infallible.merge(first, second).synchronousEvents, expected)
        XCTAssertEqual(Infallible.merge([first, second]).synchronousEvents, expected)
        XCTAssertEqual(Infallible.merge(CollectionOfOne(first)).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testWithLatestFrom_inBothForms_takesTheLatestOfTheOther() {
        let subject = PublishSubject<Int>()
        let other = PublishSubject<String>()
        let notes = Notes()
        let infallible = subject.asInfallible(onErrorJustReturn: 0)
        let second = other.asInfallible(onErrorJustReturn: "")
        let plain = infallible.withLatestFrom(second).record(in: notes)
        let combined = infallible.withLatestFrom(second) { "\($0)\($1)" }.record(in: notes)
        subject.onNext(1)
        other.onNext("a")
        other.onNext("b")
        subject.onNext(2)
        XCTAssertEqual(notes.lines, ["next(b)", "next(2b)"])
        plain.dispose()
        combined.dispose()
        XCTAssertFalse(subject.hasObservers || other.hasObservers)
    }

    func testCombineLatest_ofACollection_combinesTheLatest() {
        let subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
        let sources = subjects.map { $0.asInfallible(onErrorJustReturn: 0) }
        let notes = Notes()
        let plain = Infallible.combineLatest(sources).record(in: notes)
        let combined = Infallible.combineLatest(sources) { $0.reduce(0, +) }.record(in: notes)
        subjects[0].onNext(1)
        subjects[1].onNext(2)
        subjects[0].onNext(3)
        subjects.forEach { $0.onCompleted() }
        XCTAssertEqual(notes.lines, ["next([1, 2])", "next(3)", "next([3, 2])", "next(5)", "completed", "completed"])
        plain.dispose()
        combined.dispose()
    }

    func testEachOperator_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        func run<Result: ObservableConvertibleType>(_ apply: (Infallible<Int>) -> Result) {
            runToEveryEnd { apply($0.asInfallible(onErrorJustReturn: 0)) }
        }
        run { $0.startWith(0) }
        run { $0.concat(Infallible.just(1)) }
        run { Infallible.concat($0, .just(1)) }
        run { Infallible.concat([$0, .just(1)]) }
        run { Infallible.concat(AnySequence([$0, .just(1)])) }
        run { Infallible.merge($0, .of(1, 2)) }
        run { Infallible.merge([$0, .of(1, 2)]) }
        run { $0.withLatestFrom(Infallible.just(1)) }
        run { $0.withLatestFrom(Infallible.just(1)) { $0 + $1 } }
        run { Infallible.combineLatest([$0, .just(1)]) }
        run { Infallible.combineLatest([$0, .just(1)]) { $0.count } }
        assertResourcesBack(to: before)
    }
}
