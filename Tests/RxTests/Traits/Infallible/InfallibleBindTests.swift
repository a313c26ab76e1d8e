import Rx
import XCTest

final class InfallibleBindTests: XCTestCase {
    private final class Label { var text = "" }

    private let subject = PublishSubject<Int>()
    private var source: Infallible<Int> { subject.asInfallible(onErrorJustReturn: 0) }

    func testBind_toAFunction_deliversValues() {
        var seen: [Int] = []
        let binding = source.bind(onNext: { seen.append($0) })
        subject.onNext(1)
        binding.dispose()
        subject.onNext(2)
        XCTAssertEqual(seen, [1])
    }

    func testBind_toObservers_deliversEveryEvent() {
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        let optional = PublishSubject<Int?>()
        let notes = Notes()
        _ = first.record(in: notes)
        _ = second.record(in: notes)
        _ = optional.record(in: notes)
        _ = source.bind(to: first, second)
        _ = source.bind(to: optional)
        subject.onNext(1)
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["next(1)", "next(1)", "next(Optional(1))", "completed", "completed", "completed"])
    }

    func testBind_toABinder_setsTheProperty() {
        let label = Label()
        _ = source.map(String.init).bind(to: Binder(label) { $0.text = $1 })
        subject.onNext(1)
        XCTAssertEqual(label.text, "1")
    }

    func testBind_toATransformation_returnsWhatItMakes() {
        func times(_ source: Infallible<Int>) -> (Int) -> Infallible<Int> { { factor in source.map { $0 * factor } } }
        XCTAssertEqual(Infallible.just(2).bind(to: { $0.map { $0 + 1 } }).synchronousEvents, ["next(3)", "completed"])
        XCTAssertEqual(
            Infallible.just(2).bind(to: times, curriedArgument: 5).synchronousEvents, ["next(10)", "completed"])
    }

    func testBind_toRelays_sendsIntoEach_andLeavesThemOpen() {
        let publish = PublishRelay<Int>()
        let publishOptional = PublishRelay<Int?>()
        let behavior = BehaviorRelay(value: 0)
        let behaviorOptional = BehaviorRelay<Int?>(value: nil)
        let replay = ReplayRelay<Int>.createUnbound()
        let replayOptional = ReplayRelay<Int?>.createUnbound()
        let notes = Notes()
        _ = publish.record(in: notes)
        _ = publishOptional.record(in: notes)
        _ = source.bind(to: publish)
        _ = source.bind(to: publishOptional)
        _ = source.bind(to: behavior, behavior)
        _ = source.bind(to: behaviorOptional)
        _ = source.bind(to: replay)
        _ = source.bind(to: replayOptional)
        subject.onNext(1)
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["next(1)", "next(Optional(1))"])
        XCTAssertEqual(behavior.value, 1)
        XCTAssertEqual(behaviorOptional.value, 1)
        XCTAssertEqual(replay.synchronousEvents, ["next(1)"])
        XCTAssertEqual(replayOptional.synchronousEvents, ["next(Optional(1))"])
    }

    func testRelays_asInfallible_deliverWhatTheySend() {
        let publish = PublishRelay<Int>()
        let behavior = BehaviorRelay(value: 1)
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        let notes = Notes()
        replay.accept(2)
        let subscriptions = [publish.asInfallible(), behavior.asInfallible(), replay.asInfallible()].map {
            $0.record(in: notes)
        }
        publish.accept(3)
        XCTAssertEqual(notes.lines, ["next(1)", "next(2)", "next(3)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testBind_whenCompletedOrDisposed_returnsEveryResource() {
        let before = Resources.total
        for completes in [true, false] {
            let subject = PublishSubject<Int>()
            let target = PublishSubject<Int>()
            let relay = BehaviorRelay(value: 0)
            let source = subject.asInfallible(onErrorJustReturn: 0)
            let bindings = [
                source.bind(onNext: { _ in }), source.bind(to: target, target), source.bind(to: relay),
                relay.asInfallible().subscribe(),
            ]
            subject.onNext(1)
            if completes { subject.onCompleted() }
            bindings.forEach { $0.dispose() }
        }
        assertResourcesBack(to: before)
    }
}
