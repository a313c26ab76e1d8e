import Rx
import RxBlocking
import XCTest

/// Calls every public name of the operators that recover from errors in the form that users write.
final class RecoveringFormsTests: XCTestCase {
    private let failing = Observable.of(1).concat(Observable.error(Planted.fault))

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    func testCatching() throws {
        XCTAssertEqual(try all(failing.catch { _ in .just(9) }), [1, 9])
        XCTAssertEqual(
            try all(
                failing.catch { error in
                    guard error is Planted else { throw error }
                    return .empty()
                }), [1])
        XCTAssertEqual(try all(failing.catchAndReturn(9)), [1, 9])
        XCTAssertEqual(try all(Observable.catch(sequence: [failing, .just(9)])), [1, 9])
        XCTAssertEqual(try all(Observable.catch(sequence: AnySequence([failing, .just(9)]))), [1, 9])
    }

    func testRetrying() throws {
        var attempts = 0
        let third = Observable<Int>.deferred {
            attempts += 1
            return attempts % 3 == 0 ? .just(attempts) : .error(Planted.fault)
        }
        XCTAssertEqual(try all(third.retry()), [3])
        XCTAssertEqual(try all(third.retry(3)), [6])
        XCTAssertThrowsError(try all(third.retry(2)))
        attempts = 0
        XCTAssertEqual(try all(third.retry { errors in errors.map { _ in () } }), [3])
        XCTAssertEqual(try all(third.retry(when: { errors in errors.flatMap { _ in Observable.just(()) } })), [6])
        XCTAssertEqual(
            try all(third.retry { (errors: Observable<any Error>) in errors.enumerated().filter { $0.index < 5 } }), [9]
        )
        XCTAssertEqual(try all(third.retry { (errors: Observable<Planted>) -> Observable<Planted> in errors }), [12])
        XCTAssertEqual(try all(third.retry(when: { (errors: Observable<Planted>) in errors.map { _ in 1 } })), [15])
    }

    func testDoing() throws {
        let notes = Notes()
        func note(_ text: String) -> () -> Void { { notes.add(text) } }
        let noted = failing.do(
            onNext: { notes.add("on \($0)") }, afterNext: { notes.add("after \($0)") },
            onError: { notes.add("on \($0)") },
            afterError: { notes.add("after \($0)") }, onCompleted: note("on completed"),
            afterCompleted: note("after completed"),
            onSubscribe: note("subscribe"), onSubscribed: note("subscribed"), onDispose: note("dispose"))
        _ = noted.subscribe(onNext: { notes.add("\($0)") }, onError: { notes.add("\($0)") })
        XCTAssertEqual(
            notes.lines.filter { $0 != "subscribed" },
            ["subscribe", "on 1", "1", "after 1", "on fault", "fault", "after fault", "dispose"])
        XCTAssertEqual(try all(Observable.just(1).do(onNext: { _ in })), [1])
        XCTAssertEqual(try all(Observable.just(1).do { _ in }), [1])
        XCTAssertEqual(try all(Observable.just(1).do(afterNext: { _ in })), [1])
        XCTAssertEqual(try all(Observable.just(1).do(onError: { _ in }, onCompleted: {})), [1])
        XCTAssertEqual(try all(Observable.just(1).do(onSubscribe: {}, onSubscribed: {})), [1])
        XCTAssertEqual(try all(Observable.just(1).do(onDispose: {})), [1])
        XCTAssertEqual(try all(Observable.just(1).do()), [1])
    }
}
