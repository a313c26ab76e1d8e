import Rx
import RxBlocking
import RxTest
import XCTest

/// Calls every public name of the filtering operators in the form that users write.
final class FilteringFormsTests: XCTestCase {
    private let source = Observable.of(1, 2, 3)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    func testPredicates() throws {
        XCTAssertEqual(try all(source.filter { $0 > 1 }), [2, 3])
        let none: Observable<Never> = source.ignoreElements()
        XCTAssertEqual(try all(none).count, 0)
    }

    func testDistinct() throws {
        let pairs = Observable.of((1, "a"), (1, "b"), (2, "b"))
        XCTAssertEqual(try all(Observable.of(1, 1, 2).distinctUntilChanged()), [1, 2])
        XCTAssertEqual(try all(pairs.distinctUntilChanged { $0.0 }.map { $0.0 }), [1, 2])
        XCTAssertEqual(try all(pairs.distinctUntilChanged { $0.0 == $1.0 }.map { $0.0 }), [1, 2])
        XCTAssertEqual(try all(pairs.distinctUntilChanged { left, right in left.0 == right.0 }.map { $0.0 }), [1, 2])
        XCTAssertEqual(try all(pairs.distinctUntilChanged({ $0.1 }, comparer: { $0 == $1 }).map { $0.1 }), ["a", "b"])
        XCTAssertEqual(try all(Observable.of("a", "b", "ab").distinctUntilChanged(at: \.count)), ["a", "ab"])
    }

    func testSingleElements() throws {
        XCTAssertEqual(try all(source.element(at: 1)), [2])
        let first: Single<Int?> = source.first()
        XCTAssertEqual(try all(first), [1])
        XCTAssertEqual(try all(Observable<Int>.empty().first()), [nil])
        XCTAssertThrowsError(try all(source.single()))
        XCTAssertEqual(try all(source.single { $0 == 2 }), [2])
        XCTAssertEqual(try all(Observable<Int>.empty().ifEmpty(default: 7)), [7])
        XCTAssertEqual(try all(Observable<Int>.empty().ifEmpty(switchTo: .of(8, 9))), [8, 9])
    }

    func testTaking() throws {
        XCTAssertEqual(try all(source.take(2)), [1, 2])
        XCTAssertEqual(try all(source.take(while: { $0 < 2 })), [1])
        XCTAssertEqual(try all(source.take(while: { $0 < 2 }, behavior: .exclusive)), [1])
        XCTAssertEqual(try all(source.take(while: { $0 < 2 }, behavior: .inclusive)), [1, 2])
        XCTAssertEqual(try all(source.take(until: { $0 == 2 })), [1])
        XCTAssertEqual(try all(source.take(until: { $0 == 2 }, behavior: .inclusive)), [1, 2])
        XCTAssertEqual(try all(source.take(until: Observable<Void>.never())), [1, 2, 3])
        XCTAssertEqual(try all(source.take(until: PublishSubject<String>())), [1, 2, 3])
        XCTAssertEqual(try all(source.takeLast(1)), [3])
        XCTAssertEqual(
            source.take(for: .seconds(1), scheduler: TestScheduler(initialClock: 0)).synchronousEvents.count, 4)
        let behaviors: [TakeBehavior] = [.inclusive, .exclusive]
        XCTAssertEqual(behaviors.count, 2)
    }

    func testSkipping() throws {
        XCTAssertEqual(try all(source.skip(2)), [3])
        XCTAssertEqual(try all(source.skip(while: { $0 < 2 })), [2, 3])
        XCTAssertEqual(try all(source.skip(until: Observable.just(()))), [1, 2, 3])
        XCTAssertEqual(
            source.skip(.seconds(1), scheduler: TestScheduler(initialClock: 0)).synchronousEvents, ["completed"])
    }

    func testSampling() {
        let values = PublishSubject<Int>()
        let ticks = PublishSubject<Void>()
        let notes = Notes()
        let bag = DisposeBag()
        values.sample(ticks).record(in: notes).disposed(by: bag)
        values.sample(ticks, defaultValue: 9).record(in: notes).disposed(by: bag)
        ticks.onNext(())
        values.onNext(1)
        ticks.onNext(())
        XCTAssertEqual(notes.lines, ["next(9)", "next(1)", "next(1)"])
    }
}
