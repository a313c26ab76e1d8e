import Rx
import RxBlocking
import RxTest
import XCTest

/// Calls every public name of the sources in the form that users write.
final class CreatingFormsTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    func testCreate() throws {
        let source = Observable<String>.create { observer in
            observer.onNext("a")
            observer.on(.next("b"))
            observer.onCompleted()
            return Disposables.create()
        }
        XCTAssertEqual(try all(source), ["a", "b"])
        let cancelled = Observable<Int>.create { _ in Disposables.create {} }
        cancelled.subscribe().dispose()
    }

    func testOneOrNone() throws {
        XCTAssertEqual(try all(Observable.just(1)), [1])
        XCTAssertEqual(try all(Observable.just(1, scheduler: CurrentThreadScheduler.instance)), [1])
        XCTAssertEqual(try all(Observable<Void>.just(())).count, 1)
        XCTAssertEqual(try all(Observable<Int>.empty()), [])
        XCTAssertEqual(Observable<Int>.never().synchronousEvents, [])
        XCTAssertThrowsError(try all(Observable<Int>.error(Planted.fault)))
        XCTAssertEqual(try all(Observable.from(optional: Int("7"))), [7])
        XCTAssertEqual(try all(Observable.from(optional: Int("x"))), [])
        XCTAssertEqual(try all(Observable.from(optional: 7 as Int?, scheduler: CurrentThreadScheduler.instance)), [7])
    }

    func testMany() throws {
        XCTAssertEqual(try all(Observable.of(1, 2)), [1, 2])
        XCTAssertEqual(try all(Observable.of(1, 2, scheduler: CurrentThreadScheduler.instance)), [1, 2])
        XCTAssertEqual(try all(Observable.from([1, 2])), [1, 2])
        XCTAssertEqual(try all(Observable.from([1, 2], scheduler: CurrentThreadScheduler.instance)), [1, 2])
        XCTAssertEqual(try all(Observable.from(1...2)), [1, 2])
        XCTAssertEqual(try all(Observable.from(Set([1]), scheduler: CurrentThreadScheduler.instance)), [1])
        XCTAssertEqual(try all(Observable.from(["a": 1]).map { $0.value }), [1])
        XCTAssertEqual(try all(Observable.range(start: 3, count: 2)), [3, 4])
        XCTAssertEqual(
            try all(Observable.range(start: 3, count: 2, scheduler: CurrentThreadScheduler.instance)), [3, 4])
        XCTAssertEqual(try all(Observable.repeatElement(7).take(2)), [7, 7])
        XCTAssertEqual(
            try all(Observable.repeatElement(7, scheduler: CurrentThreadScheduler.instance).take(2)), [7, 7])
        XCTAssertEqual(
            try all(Observable.generate(initialState: 0, condition: { $0 < 3 }, iterate: { $0 + 1 })), [0, 1, 2])
        XCTAssertEqual(
            try all(
                Observable.generate(
                    initialState: 0, condition: { $0 < 3 }, scheduler: CurrentThreadScheduler.instance,
                    iterate: { $0 + 1 })), [0, 1, 2])
    }

    func testFactories() throws {
        XCTAssertEqual(try all(Observable.deferred { Observable.just(1) }), [1])
        XCTAssertEqual(try all(Observable<Int>.deferred { .just(1) }), [1])
        let resource = BooleanDisposable()
        XCTAssertEqual(try all(Observable.using({ resource }, observableFactory: { _ in Observable.just(1) })), [1])
        XCTAssertTrue(resource.isDisposed)
        XCTAssertThrowsError(try all(Observable<Int>.deferred { throw Planted.fault }))
    }

    func testTimers() {
        XCTAssertEqual(
            scheduler.start(disposed: 230) { Observable<Int>.interval(.seconds(10), scheduler: self.scheduler) }.events,
            [.next(210, 0), .next(220, 1)])
        let scheduler = TestScheduler(initialClock: 0)
        XCTAssertEqual(
            scheduler.start { Observable<Int>.timer(.seconds(10), scheduler: scheduler) }.events,
            [.next(210, 0), .completed(210)])
        let another = TestScheduler(initialClock: 0)
        XCTAssertEqual(
            another.start(disposed: 225) {
                Observable<UInt8>.timer(.seconds(10), period: .seconds(5), scheduler: another)
            }.events,
            [.next(210, 0), .next(215, 1), .next(220, 2)])
    }
}
