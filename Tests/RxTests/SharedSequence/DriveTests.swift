import Rx
import Testing
import XCTest

final class DriveTests: XCTestCase {
    private final class Label { var text = "" }

    private let relay = BehaviorRelay(value: "a")
    private let taps = PublishRelay<String>()

    // MARK: Functions

    func testDrive_toFunctions_deliversValuesCompletionAndDisposal() {
        let notes = Notes()
        let subject = PublishSubject<String>()
        let driver = subject.asDriver(onErrorJustReturn: "-")
        _ = driver.drive(
            onNext: { notes.add($0) }, onCompleted: { notes.add("completed") }, onDisposed: { notes.add("disposed") })
        subject.onNext("a")
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["a", "completed", "disposed"])
    }

    func testDrive_withoutArguments_subscribes() {
        let subject = PublishSubject<String>()
        let subscriptions = [
            subject.asDriver(onErrorJustReturn: "-").drive(), subject.asSignal(onErrorJustReturn: "-").emit(),
        ]
        XCTAssertTrue(subject.hasObservers)
        subscriptions.forEach { $0.dispose() }
        XCTAssertFalse(subject.hasObservers)
    }

    func testDrive_withAnObject_deliversWhileItLives() {
        let notes = Notes()
        var probe: LifetimeProbe? = LifetimeProbe()
        let subscription = relay.asDriver().drive(
            with: probe!, onNext: { notes.add($1) }, onDisposed: { _ in notes.add("disposed") })
        relay.accept("b")
        probe = nil
        relay.accept("c")
        subscription.dispose()
        XCTAssertEqual(notes.lines, ["a", "b"])
    }

    func testEmit_withAnObject_deliversWhileItLives() {
        let notes = Notes()
        var probe: LifetimeProbe? = LifetimeProbe()
        let subscription = taps.asSignal().emit(
            with: probe!, onNext: { notes.add($1) }, onDisposed: { _ in notes.add("disposed") })
        taps.accept("b")
        probe = nil
        taps.accept("c")
        subscription.dispose()
        XCTAssertEqual(notes.lines, ["b"])
    }

    func testEmit_toFunctions_deliversValuesCompletionAndDisposal() {
        let notes = Notes()
        let subject = PublishSubject<String>()
        _ = subject.asSignal(onErrorJustReturn: "-").emit(
            onNext: { notes.add($0) }, onCompleted: { notes.add("completed") }, onDisposed: { notes.add("disposed") })
        subject.onNext("a")
        subject.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["a", "-", "completed", "disposed"])
    }

    // MARK: Observers and relays

    func testDrive_toObservers_deliversToEach() {
        let first = Label()
        let second = Label()
        let observers = [Binder<String>(first) { $0.text = $1 }, Binder<String>(second) { $0.text = $1 }]
        let subscription = relay.asDriver().drive(observers[0], observers[1])
        XCTAssertEqual([first.text, second.text], ["a", "a"])
        let optional = PublishSubject<String?>()
        let notes = Notes()
        _ = optional.record(in: notes)
        let other = relay.asDriver().drive(optional)
        XCTAssertEqual(notes.lines, ["next(Optional(\"a\"))"])
        subscription.dispose()
        other.dispose()
    }

    func testDrive_toRelays_fillsEach() {
        let behavior = BehaviorRelay(value: "")
        let optionalBehavior = BehaviorRelay<String?>(value: nil)
        let replay = ReplayRelay<String>.createUnbound()
        let optionalReplay = ReplayRelay<String?>.createUnbound()
        let driver = relay.asDriver()
        let subscriptions = [
            driver.drive(behavior, behavior), driver.drive(optionalBehavior), driver.drive(replay),
            driver.drive(optionalReplay),
        ]
        relay.accept("b")
        XCTAssertEqual(behavior.value, "b")
        XCTAssertEqual(optionalBehavior.value, "b")
        XCTAssertEqual(replay.synchronousEvents, ["next(a)", "next(b)"])
        XCTAssertEqual(optionalReplay.synchronousEvents.count, 2)
        subscriptions.forEach { $0.dispose() }
    }

    func testEmit_toObserversAndRelays_fillsEach() {
        let behavior = BehaviorRelay(value: "")
        let optionalBehavior = BehaviorRelay<String?>(value: nil)
        let publish = PublishRelay<String>()
        let optionalPublish = PublishRelay<String?>()
        let replay = ReplayRelay<String>.createUnbound()
        let optionalReplay = ReplayRelay<String?>.createUnbound()
        let subject = PublishSubject<String>()
        let optionalSubject = PublishSubject<String?>()
        let notes = Notes()
        let recordings = [
            publish.record(in: notes), optionalPublish.record(in: notes), subject.record(in: notes),
            optionalSubject.record(in: notes),
        ]
        let signal = taps.asSignal()
        let subscriptions = [
            signal.emit(to: behavior, behavior), signal.emit(to: optionalBehavior), signal.emit(to: publish),
            signal.emit(to: optionalPublish),
            signal.emit(to: replay), signal.emit(to: optionalReplay), signal.emit(to: subject),
            signal.emit(to: optionalSubject),
        ]
        taps.accept("b")
        XCTAssertEqual(behavior.value, "b")
        XCTAssertEqual(optionalBehavior.value, "b")
        XCTAssertEqual(replay.synchronousEvents, ["next(b)"])
        XCTAssertEqual(optionalReplay.synchronousEvents, ["next(Optional(\"b\"))"])
        XCTAssertEqual(notes.lines, ["next(b)", "next(Optional(\"b\"))", "next(b)", "next(Optional(\"b\"))"])
        (subscriptions + recordings).forEach { $0.dispose() }
    }

    func testDrive_toATransformation_returnsWhatItMakes() {
        let lengths = relay.asDriver().drive { $0.map(\.count) }
        XCTAssertEqual(lengths.synchronousEvents, ["next(1)"])
        func prefixed(_ source: Observable<String>) -> (String) -> Observable<String> {
            { prefix in source.map { prefix + $0 } }
        }
        XCTAssertEqual(relay.asDriver().drive(prefixed, curriedArgument: "> ").synchronousEvents, ["next(> a)"])
    }

    func testDrive_inEveryForm_returnsEveryResource() {
        let before = Resources.total
        for completes in [true, false] {
            let subject = PublishSubject<Int>()
            let label = Label()
            let target = PublishSubject<Int>()
            let behavior = BehaviorRelay(value: 0)
            let driver = subject.asDriver(onErrorJustReturn: 0)
            let signal = subject.asSignal(onErrorJustReturn: 0)
            let subscriptions = [
                driver.drive(), driver.drive(onNext: { _ in }), driver.drive(with: label, onNext: { _, _ in }),
                driver.drive(target), driver.drive(behavior),
                signal.emit(), signal.emit(onNext: { _ in }), signal.emit(with: label, onNext: { _, _ in }),
                signal.emit(to: target), signal.emit(to: behavior),
            ]
            subject.onNext(1)
            XCTAssertEqual(behavior.value, 1)
            if completes { subject.onCompleted() } else { subscriptions.forEach { $0.dispose() } }
        }
        assertResourcesBack(to: before)
    }
}

/// Each runs in a separate process, because it ends the program.
@Suite struct DriveOffTheMainQueueTests {
    @Test func driveElsewhereIsFatal() async {
        await #expect(processExitsWith: .failure) {
            JoinedThread { _ = Driver.just(1).drive(onNext: { _ in }) }.join()
        }
    }

    @Test func emitElsewhereIsFatal() async {
        await #expect(processExitsWith: .failure) {
            JoinedThread { _ = Signal.just(1).emit(to: BehaviorRelay(value: 0)) }.join()
        }
    }
}
