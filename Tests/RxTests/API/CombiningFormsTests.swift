import Rx
import RxBlocking
import XCTest

/// Calls every public name of the combining operators in the form that users write. The arities are in
/// `CombineLatestTests` and `ZipTests`.
final class CombiningFormsTests: XCTestCase {
    private let low = Observable.of(1, 2)
    private let high = Observable.of(10, 20)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    func testOneAfterTheOther() throws {
        XCTAssertEqual(try all(low.startWith(0)), [0, 1, 2])
        XCTAssertEqual(try all(low.startWith(8, 9)), [8, 9, 1, 2])
        XCTAssertEqual(try all(low.concat(high)), [1, 2, 10, 20])
        XCTAssertEqual(try all(low.concat(Observable.just(3))), [1, 2, 3])
        XCTAssertEqual(try all(low.concat(Single.just(3))), [1, 2, 3])
        XCTAssertEqual(try all(Observable.concat([low, high])), [1, 2, 10, 20])
        XCTAssertEqual(try all(Observable.concat(low, high)), [1, 2, 10, 20])
        XCTAssertEqual(try all(Observable.concat(AnySequence([low, high]))), [1, 2, 10, 20])
        XCTAssertEqual(try all(Observable.concat([low, high].lazy.map { $0 })), [1, 2, 10, 20])
    }

    func testTogether() throws {
        XCTAssertEqual(try all(Observable.merge(low, high)), [1, 10, 2, 20])
        XCTAssertEqual(try all(Observable.merge([low, high])), [1, 10, 2, 20])
        XCTAssertEqual(try all(Observable.merge([low, high].dropFirst())), [10, 20])
        XCTAssertEqual(try all(Observable<Int>.merge()), [])
        XCTAssertEqual(try all(Observable<Int>.merge(.just(1), .just(2))), [1, 2])
        XCTAssertEqual(try all(Observable.merge([PublishSubject<Int>().asObservable(), low]).take(2)), [1, 2])
        XCTAssertEqual(try all(low.amb(high)), [1, 2])
        XCTAssertEqual(try all(Observable.amb([low, high])), [1, 2])
        XCTAssertEqual(try all(Observable<Int>.never().amb(PublishSubject<Int>().startWith(7).take(1))), [7])
    }

    func testWithLatestFrom() throws {
        let latest = BehaviorSubject(value: "x")
        XCTAssertEqual(try all(low.withLatestFrom(latest)), ["x", "x"])
        XCTAssertEqual(try all(low.withLatestFrom(latest) { "\($0)\($1)" }), ["1x", "2x"])
        XCTAssertEqual(try all(low.withLatestFrom(latest, resultSelector: { ($0, $1) })).map(\.0), [1, 2])
        XCTAssertEqual(try all(low.withLatestFrom(Single.just(5))), [5, 5])
    }

    func testCombineLatest() throws {
        XCTAssertEqual(try all(Observable.combineLatest(low, high) { $0 + $1 }), [11, 12, 22])
        XCTAssertEqual(try all(Observable.combineLatest(low, high, resultSelector: { $0 + $1 })), [11, 12, 22])
        XCTAssertEqual(try all(Observable.combineLatest(low, high).map { $0 + $1 }), [11, 12, 22])
        XCTAssertEqual(
            try all(Observable.combineLatest(low, high.map { "\($0)" })).map { "\($0.0)\($0.1)" },
            ["110", "210", "220"])
        XCTAssertEqual(try all(Observable.combineLatest([low, high]) { $0.reduce(0, +) }), [11, 12, 22])
        XCTAssertEqual(try all(Observable.combineLatest([low, high], resultSelector: { $0.count })), [2, 2, 2])
        XCTAssertEqual(try all(Observable.combineLatest([low, high])), [[1, 10], [2, 10], [2, 20]])
        let subjects = [BehaviorSubject(value: 1), BehaviorSubject(value: 2)]
        XCTAssertEqual(try all(Observable.combineLatest(subjects).take(1)), [[1, 2]])
    }

    func testZip() throws {
        XCTAssertEqual(try all(Observable.zip(low, high) { $0 + $1 }), [11, 22])
        XCTAssertEqual(try all(Observable.zip(low, high, resultSelector: { $0 + $1 })), [11, 22])
        XCTAssertEqual(try all(Observable.zip(low, high).map { $0 + $1 }), [11, 22])
        XCTAssertEqual(try all(Observable.zip([low, high]) { $0.reduce(0, +) }), [11, 22])
        XCTAssertEqual(try all(Observable.zip([low, high])), [[1, 10], [2, 20]])
    }
}
