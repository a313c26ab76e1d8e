import Rx
import RxBlocking
import XCTest

/// Calls every public name of relays and bindings in the form that users write.
final class RelayFormsTests: XCTestCase {
    private final class Label { var text = "" }

    private let notes = Notes()

    func testRelays() throws {
        let notes = notes
        let publish = PublishRelay<Int>()
        let behavior = BehaviorRelay(value: 1)
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        let unbound: ReplayRelay<Int> = .createUnbound()
        let records = [
            publish.record(in: notes), publish.asObservable().record(in: notes),
            publish.asInfallible().record(in: notes),
        ]
        publish.accept(7)
        XCTAssertEqual(notes.lines, ["next(7)", "next(7)", "next(7)"])
        records.forEach { $0.dispose() }
        behavior.accept(behavior.value + 1)
        XCTAssertEqual(behavior.value, 2)
        let infallible: Infallible<Int> = behavior.asInfallible()
        XCTAssertEqual(infallible.synchronousEvents, ["next(2)"])
        XCTAssertEqual(behavior.asObservable().synchronousEvents, ["next(2)"])
        for value in 1...2 {
            replay.accept(value)
            unbound.accept(value)
        }
        XCTAssertEqual(replay.asObservable().synchronousEvents, ["next(2)"])
        XCTAssertEqual(unbound.asInfallible().synchronousEvents, ["next(1)", "next(2)"])
        XCTAssertFalse(publish as Any is any ObserverType, "A relay takes no error and no completion.")
        XCTAssertFalse(behavior as Any is any ObserverType)
        XCTAssertFalse(replay as Any is any ObserverType)
    }

    func testBindToRelays() {
        let one = Observable.just(1)
        let publish = PublishRelay<Int>()
        let optionalPublish = PublishRelay<Int?>()
        let behavior = BehaviorRelay(value: 0)
        let optionalBehavior = BehaviorRelay<Int?>(value: nil)
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        let optionalReplay = ReplayRelay<Int?>.create(bufferSize: 1)
        let records = [publish.record(in: notes), optionalPublish.record(in: notes)]
        one.bind(to: publish, publish).dispose()
        one.bind(to: optionalPublish).dispose()
        one.bind(to: behavior).dispose()
        one.bind(to: optionalBehavior).dispose()
        one.bind(to: replay).dispose()
        one.bind(to: optionalReplay).dispose()
        XCTAssertEqual(notes.lines, ["next(1)", "next(1)", "next(Optional(1))"])
        XCTAssertEqual(behavior.value, 1)
        XCTAssertEqual(optionalBehavior.value, 1)
        XCTAssertEqual(replay.synchronousEvents, ["next(1)"])
        XCTAssertEqual(optionalReplay.synchronousEvents, ["next(Optional(1))"])
        records.forEach { $0.dispose() }
    }

    func testBind() throws {
        let notes = notes
        let one = Observable.just(1)
        let label = Label()
        let subject = PublishSubject<Int>()
        let optional = PublishSubject<Int?>()
        let records = [subject.record(in: notes), optional.record(in: notes)]
        one.bind(onNext: { notes.add("\($0)") }).dispose()
        one.bind { notes.add("\($0)") }.dispose()
        one.bind(with: notes, onNext: { $0.add("with \($1)") }).dispose()
        one.bind(with: notes) { notes, value in notes.add("with \(value)") }.dispose()
        one.bind(to: subject, subject).dispose()
        one.bind(to: optional).dispose()
        XCTAssertEqual(
            notes.lines,
            ["1", "1", "with 1", "with 1", "next(1)", "next(1)", "completed", "next(Optional(1))", "completed"])
        one.map { "\($0)" }.bind(to: Binder(label) { $0.text = $1 }).dispose()
        XCTAssertEqual(label.text, "1")
        let counted: Observable<Int> = one.bind(to: { source in source.map { $0 + 1 } })
        XCTAssertEqual(try counted.toBlocking().toArray(), [2])
        func add(_ source: Observable<Int>) -> (Int) -> Observable<Int> { { more in source.map { $0 + more } } }
        XCTAssertEqual(try one.bind(to: add, curriedArgument: 5).toBlocking().toArray(), [6])
        records.forEach { $0.dispose() }
    }
}
