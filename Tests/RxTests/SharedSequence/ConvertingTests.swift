import Rx
import RxTest
import XCTest

final class SharedSequenceConvertingTests: XCTestCase {
    private var scheduler = TestScheduler(initialClock: 0)

    override func setUp() { scheduler = TestScheduler(initialClock: 0) }

    /// A sequence that sends 1 at 210 and fails at 220.
    private func failing() -> TestableObservable<Int> {
        scheduler.createHotObservable([.next(210, 1), .error(220, Planted.fault), .next(230, 3)])
    }

    private func started<Result>(
        _ create: @escaping () -> SharedSequence<some SharingStrategyProtocol, Result>
    ) -> [Recorded<Event<Result>>] {
        var events: [Recorded<Event<Result>>] = []
        SharingScheduler.mock(scheduler: scheduler) { events = scheduler.start(create).events }
        return events
    }

    private let replaced: [Recorded<Event<Int>>] = [.next(211, 1), .next(221, 9), .completed(221)]
    /// The other sequence is subscribed to at 221, and its value is sent a tick later.
    private let followed: [Recorded<Event<Int>>] = [.next(211, 1), .next(222, 9), .completed(222)]

    func testOnErrorJustReturn_sendsTheElementAndCompletes() {
        for create in [
            { $0.asDriver(onErrorJustReturn: 9).asObservable() },
            { $0.asSignal(onErrorJustReturn: 9).asObservable() },
            { $0.asSharedSequence(sharingStrategy: SignalSharingStrategy.self, onErrorJustReturn: 9).asObservable() },
        ] as [(TestableObservable<Int>) -> Observable<Int>] {
            setUp()
            let source = failing()
            SharingScheduler.mock(scheduler: scheduler) {
                XCTAssertEqual(scheduler.start { create(source) }.events, replaced)
            }
            XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
        }
    }

    func testOnErrorDriveWith_goesOnWithTheOther() {
        XCTAssertEqual(started { [source = failing()] in source.asDriver(onErrorDriveWith: .just(9)) }, followed)
        setUp()
        XCTAssertEqual(started { [source = failing()] in source.asSignal(onErrorSignalWith: .just(9)) }, followed)
        setUp()
        XCTAssertEqual(
            started { [source = failing()] in
                source.asSharedSequence(sharingStrategy: DriverSharingStrategy.self, onErrorDriveWith: .just(9))
            }, followed)
    }

    func testOnErrorRecover_goesOnWithWhatTheErrorLeadsTo() {
        var errors: [String] = []
        XCTAssertEqual(
            started { [source = failing()] in
                source.asDriver(onErrorRecover: {
                    errors.append("\($0)")
                    return .just(9)
                })
            }, followed)
        XCTAssertEqual(errors, ["fault"])
        setUp()
        XCTAssertEqual(started { [source = failing()] in source.asSignal(onErrorRecover: { _ in .just(9) }) }, followed)
        setUp()
        XCTAssertEqual(
            started { [source = failing()] in
                source.asSharedSequence(sharingStrategy: SignalSharingStrategy.self, onErrorRecover: { _ in .just(9) })
            }, followed)
    }

    func testLaterSubscriber_afterAnError_subscribesAnew() {
        var attempts = 0
        let driver = Observable<Int>.deferred {
            attempts += 1
            return .error(Planted.fault)
        }.asDriver(onErrorJustReturn: 9)
        XCTAssertEqual(driver.synchronousEvents, ["next(9)", "completed"])
        XCTAssertEqual(driver.synchronousEvents, ["next(9)", "completed"])
        XCTAssertEqual(attempts, 2)
    }

    func testBehaviorRelay_asDriver_beginsWithTheLatestValue() {
        let relay = BehaviorRelay(value: 1)
        var seen: [Int] = []
        let subscription = relay.asDriver().drive(onNext: { seen.append($0) })
        relay.accept(2)
        XCTAssertEqual(seen, [1, 2])
        subscription.dispose()
        let signal: Signal<Int> = relay.asSharedSequence()
        XCTAssertEqual(signal.synchronousEvents, ["next(2)"])
    }

    func testPublishRelay_asSignal_sendsWhatComes() {
        let relay = PublishRelay<Int>()
        relay.accept(0)
        var seen: [Int] = []
        let subscription = relay.asSignal().emit(onNext: { seen.append($0) })
        relay.accept(1)
        XCTAssertEqual(seen, [1])
        subscription.dispose()
    }

    func testInfallible_asDriverAndBack_keepsItsElements() {
        XCTAssertEqual(
            Infallible.of(1, 2).asDriver().asInfallible().synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testDriver_replaysTheLatestElement_andSignalDoesNot() {
        let subject = PublishSubject<Int>()
        let driver = subject.asDriver(onErrorJustReturn: 0)
        let signal = subject.asSignal(onErrorJustReturn: 0)
        let first = driver.drive()
        let second = signal.emit()
        subject.onNext(1)
        var driven: [Int] = []
        var emitted: [Int] = []
        let late = [driver.drive(onNext: { driven.append($0) }), signal.emit(onNext: { emitted.append($0) })]
        XCTAssertEqual(driven, [1])
        XCTAssertEqual(emitted, [])
        subject.onNext(2)
        XCTAssertEqual(driven, [1, 2])
        XCTAssertEqual(emitted, [2])
        (late + [first, second]).forEach { $0.dispose() }
        XCTAssertFalse(subject.hasObservers)
    }

    func testOwnStrategy_sharesItsOwnWay() {
        let subject = PublishSubject<Int>()
        let sequence = subject.asSharedSequence(sharingStrategy: LatestTwo.self, onErrorJustReturn: 0)
        let first = sequence.asObservable().subscribe()
        (1...3).forEach(subject.onNext)
        XCTAssertEqual(sequence.synchronousEvents, ["next(2)", "next(3)"])
        first.dispose()
    }

    private struct LatestTwo: SharingStrategyProtocol {
        static var scheduler: any SchedulerType { SharingScheduler.make() }
        static func share<Element>(_ source: Observable<Element>) -> Observable<Element> { source.share(replay: 2) }
    }

    #if EXPANDABLE_SHARED_SEQUENCE
        func testCreateUnsafe_takesTheObservableAsItIs() {
            XCTAssertEqual(
                Driver<Int>.createUnsafe(source: Observable.of(1, 2)).synchronousEvents,
                ["next(1)", "next(2)", "completed"])
        }
    #endif
}
