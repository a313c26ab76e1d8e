import Rx
import XCTest

final class InfallibleSubscribingTests: XCTestCase {
    private let notes = Notes()

    func testSubscribe_withFunctions_callsThem() {
        let notes = notes
        _ = Infallible.of(1, 2).subscribe(
            onNext: { notes.add("\($0)") }, onCompleted: { notes.add("completed") },
            onDisposed: { notes.add("disposed") })
        XCTAssertEqual(notes.lines, ["1", "2", "completed", "disposed"])
    }

    func testSubscribe_disposed_callsOnDisposedOnce() {
        let notes = notes
        let subscription = Infallible<Int>.never().subscribe(
            onCompleted: { notes.add("completed") }, onDisposed: { notes.add("disposed") })
        subscription.dispose()
        subscription.dispose()
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testSubscribe_withObject_handsItToTheFunctions() {
        let notes = notes
        _ = Infallible.of(1, 2).subscribe(
            with: notes, onNext: { $0.add("\($1)") }, onCompleted: { $0.add("completed") },
            onDisposed: { $0.add("disposed") })
        XCTAssertEqual(notes.lines, ["1", "2", "completed", "disposed"])
    }

    func testSubscribe_withObjectThatIsGone_callsNothing() {
        let notes = notes
        let subject = PublishSubject<Int>()
        var probe: LifetimeProbe? = LifetimeProbe()
        let subscription = subject.asInfallible(onErrorJustReturn: 0).subscribe(
            with: probe!, onNext: { notes.add("\($1)") }, onCompleted: { _ in notes.add("completed") },
            onDisposed: { _ in notes.add("disposed") })
        subject.onNext(1)
        probe = nil
        subject.onNext(2)
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["1"])
        subscription.dispose()
    }

    func testBrokenPromise_goesToTheHook_andIsNoEvent() {
        let notes = notes
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        Hooks.defaultErrorHandler = { _, error in notes.add("unhandled \(error)") }
        let broken = Infallible.of(1, 2).do(onNext: { if $0 == 2 { throw Planted.fault } })
        _ = broken.subscribe { notes.add("\($0)") }
        _ = broken.subscribe(
            onNext: { notes.add("\($0)") }, onCompleted: { notes.add("completed") },
            onDisposed: { notes.add("disposed") })
        XCTAssertEqual(notes.lines, ["next(1)", "unhandled fault", "1", "unhandled fault", "disposed"])
    }

    func testInnerSequenceThatFails_endsWithTheHook_andReleasesTheOuter() {
        let notes = notes
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        Hooks.defaultErrorHandler = { _, error in notes.add("unhandled \(error)") }
        let operators: [(Infallible<Int>) -> Infallible<Int>] = [
            { $0.flatMap { _ in Observable<Int>.error(Planted.fault) } },
            { $0.flatMapLatest { _ in Observable<Int>.error(Planted.fault) } },
            { $0.flatMapFirst { _ in Observable<Int>.error(Planted.fault) } },
            { $0.concatMap { _ in Observable<Int>.error(Planted.fault) } },
            { $0.take(until: Observable<Int>.error(Planted.fault)) },
        ]
        for apply in operators {
            let subject = PublishSubject<Int>()
            let subscription = apply(subject.asInfallible(onErrorJustReturn: 0)).subscribe { notes.add("\($0)") }
            subject.onNext(1)
            XCTAssertFalse(subject.hasObservers)
            subscription.dispose()
        }
        XCTAssertEqual(notes.lines, Array(repeating: "unhandled fault", count: operators.count))
    }

    func testAsInfallible_ofAnInfallible_isTheSameSequence() {
        let infallible = Infallible.just(1)
        XCTAssertTrue(infallible.asInfallible().asObservable() === infallible.asObservable())
    }
}

// Members that the trait lacks: if the trait declared one of these, the calls below would be ambiguous, and this file
// would not compile.
extension InfallibleType {
    fileprivate func observe(on scheduler: any ImmediateSchedulerType) -> String { "absent" }
    fileprivate func subscribe(on scheduler: any ImmediateSchedulerType) -> String { "absent" }
    fileprivate func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> String { "absent" }
    fileprivate func skip(_ count: Int) -> String { "absent" }
    fileprivate func retry() -> String { "absent" }
    fileprivate func retry(_ maxAttemptCount: Int) -> String { "absent" }
    fileprivate func `catch`(_ handler: @escaping (any Error) -> Infallible<Element>) -> String { "absent" }
    fileprivate func catchAndReturn(_ element: Element) -> String { "absent" }
}

extension InfallibleSubscribingTests {
    func testOperatorsThatTheTraitLacks_areNotDeclared() {
        let infallible = Infallible.just(1)
        let scheduler = MainScheduler.instance
        let observed = infallible.observe(on: scheduler)
        let subscribed = infallible.subscribe(on: scheduler)
        let delayed = infallible.delay(.seconds(1), scheduler: scheduler)
        let skipped = infallible.skip(1)
        let retried = infallible.retry()
        let retriedTwice = infallible.retry(2)
        let caught = infallible.catch { _ in .just(2) }
        let replaced = infallible.catchAndReturn(2)
        for answer in [observed, subscribed, delayed, skipped, retried, retriedTwice, caught, replaced] {
            XCTAssertEqual(answer, "absent")
        }
    }
}
