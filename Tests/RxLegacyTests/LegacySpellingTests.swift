import Foundation
import Rx
import RxLegacy
import XCTest

/// Each old spelling has the effect of the new one.
final class LegacySpellingTests: XCTestCase {
    fileprivate enum Planted: Error { case fault }
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension LegacySpellingTests {
    private func events<Element>(of sequence: Observable<Element>) -> [String] {
        var events: [String] = []
        _ = sequence.subscribe { events.append($0.debugDescription) }
        return events
    }

    // MARK: Subscribing

    func testSubscribeNext_receivesValuesOnly() {
        var seen: [Int] = []
        _ = Observable.of(1, 2).subscribeNext { seen.append($0) }
        XCTAssertEqual(seen, [1, 2])
    }

    func testSubscribeError_receivesTheError() {
        var seen: [String] = []
        _ = Observable<Int>.error(Planted.fault).subscribeError { seen.append("\($0)") }
        XCTAssertEqual(seen, ["fault"])
    }

    func testSubscribeCompleted_isCalledAtCompletion() {
        var completions = 0
        _ = Observable.of(1, 2).subscribeCompleted { completions += 1 }
        XCTAssertEqual(completions, 1)
    }

    func testAddDisposableTo_disposesWithTheBag() {
        var disposed = false
        var bag: DisposeBag? = DisposeBag()
        bag.map { Disposables.create { disposed = true }.addDisposableTo($0) }
        XCTAssertFalse(disposed)
        bag = nil
        XCTAssertTrue(disposed)
    }

    // MARK: Disposables and counts

    func testAnonymousDisposable_runsOnce() {
        var runs = 0
        let disposable = AnonymousDisposable { runs += 1 }
        XCTAssertFalse(disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        XCTAssertTrue(disposable.isDisposed)
        XCTAssertEqual(runs, 1)
    }

    func testNopDisposable_asTheResultOfCreate_takesNoResource() {
        let sequence = Observable<Int>.create { observer in
            observer.onNext(1)
            return NopDisposable.instance
        }
        let before = Resources.total
        let subscription = sequence.subscribe()
        XCTAssertEqual(Resources.total - before, Resources.isTracing ? 1 : 0, "The subscriber alone.")
        subscription.dispose()
    }

    func testResourceCount_isTheTotal() {
        let held = Observable.just(1)
        XCTAssertEqual(resourceCount, Resources.total)
        withExtendedLifetime(held) {}
    }

    func testScopedDispose_disposesWhenItIsLetGoOf() {
        var disposed = 0
        var scope: ScopedDisposable? = AnonymousDisposable { disposed += 1 }.scopedDispose()
        XCTAssertEqual(disposed, 0)
        withExtendedLifetime(scope) {}
        scope = nil
        XCTAssertEqual(disposed, 1)
        let second = ScopedDisposable(disposable: AnonymousDisposable { disposed += 1 })
        second.dispose()
        second.dispose()
        XCTAssertEqual(disposed, 2)
    }

    func testStableCompositeDisposable_disposesAll() {
        var disposed: [Int] = []
        func note(_ number: Int) -> any Disposable { AnonymousDisposable { disposed.append(number) } }
        StableCompositeDisposable.create(note(1), note(2)).dispose()
        StableCompositeDisposable.create(note(3), note(4), note(5)).dispose()
        StableCompositeDisposable.create([note(6)]).dispose()
        XCTAssertEqual(disposed.sorted(), [1, 2, 3, 4, 5, 6])
    }

    func testCompositeDisposable_underOldNames_addsAndRemoves() {
        var disposed: [Int] = []
        let group = CompositeDisposable()
        let key = group.addDisposable(AnonymousDisposable { disposed.append(1) })
        group.addDisposable(AnonymousDisposable { disposed.append(2) })
        XCTAssertEqual(group.count, 2)
        key.map { group.removeDisposable($0) }
        XCTAssertEqual(disposed, [1])
        group.dispose()
        XCTAssertEqual(disposed, [1, 2])
        XCTAssertNil(group.addDisposable(AnonymousDisposable { disposed.append(3) }))
        XCTAssertEqual(disposed, [1, 2, 3])
    }

    // MARK: Schedulers

    func testSharedInstances_areTheInstances() {
        XCTAssertTrue(MainScheduler.sharedInstance === MainScheduler.instance)
        XCTAssertTrue(ConcurrentMainScheduler.sharedInstance === ConcurrentMainScheduler.instance)
    }

    func testSchedulers_madeByQualityOfService_runWork() {
        let schedulers: [any ImmediateSchedulerType] = [
            ConcurrentDispatchQueueScheduler(globalConcurrentQueueQOS: .Background),
            ConcurrentDispatchQueueScheduler(globalConcurrentQueueQOS: .userInitiated),
            SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .UserInteractive),
            SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .Default, internalSerialQueueName: "images"),
            SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .Utility),
        ]
        for scheduler in schedulers {
            let delivered = expectation(description: "delivered")
            let subscription = Observable.just(1).observeOn(scheduler).subscribeNext { _ in
                XCTAssertFalse(Thread.isMainThread)
                delivered.fulfill()
            }
            wait(for: [delivered], timeout: 60)
            subscription.dispose()
        }
    }

    // MARK: Creating

    func testSequenceOf_givesTheValues() {
        XCTAssertEqual(events(of: Observable.sequenceOf(1, 2)), ["next(1)", "next(2)", "completed"])
    }

    func testReturnElement_givesOneValue() {
        XCTAssertEqual(events(of: Observable.returnElement(1)), ["next(1)", "completed"])
    }

    func testFailWith_fails() {
        XCTAssertEqual(events(of: Observable<Int>.failWith(Planted.fault)), ["error(fault)"])
    }

    // MARK: Operators

    func testDoOnNext_runsBeforeEachValueIsDelivered() {
        var seen: [String] = []
        _ = Observable.of(1, 2).doOnNext { seen.append("do \($0)") }.subscribe(onNext: { seen.append("got \($0)") })
        XCTAssertEqual(seen, ["do 1", "got 1", "do 2", "got 2"])
    }

    func testDoOnNext_thatThrows_failsTheSequence() {
        XCTAssertEqual(events(of: Observable.just(1).doOnNext { _ in throw Planted.fault }), ["error(fault)"])
    }

    func testDoOnError_runsBeforeTheErrorIsDelivered() {
        var seen: [String] = []
        _ = Observable<Int>.error(Planted.fault).doOnError { seen.append("do \($0)") }.subscribe(onError: {
            seen.append("got \($0)")
        })
        XCTAssertEqual(seen, ["do fault", "got fault"])
    }

    func testDoOnCompleted_runsBeforeCompletionIsDelivered() {
        var seen: [String] = []
        _ = Observable<Int>.empty().doOnCompleted { seen.append("do") }.subscribe(onCompleted: { seen.append("got") })
        XCTAssertEqual(seen, ["do", "got"])
    }

    func testDoOn_seesEveryEvent() {
        var seen: [String] = []
        _ = Observable.of(1, 2).doOn { seen.append($0.debugDescription) }.subscribe()
        _ = Observable<Int>.error(Planted.fault).doOn { seen.append($0.debugDescription) }.subscribeError { _ in }
        _ = Observable.of(1).doOn(onNext: { seen.append("\($0)") }, onCompleted: { seen.append("over") }).subscribe()
        _ = Observable<Int>.error(Planted.fault).doOn(onError: { seen.append("\($0)") }).subscribeError { _ in }
        XCTAssertEqual(seen, ["next(1)", "next(2)", "completed", "error(fault)", "1", "over", "fault"])
        XCTAssertEqual(events(of: Observable.of(1).doOn { _ in throw Planted.fault }), ["error(fault)"])
    }

    func testFlatMapWithIndex_countsFromZero() {
        let sequence = Observable.of("a", "b").flatMapWithIndex { Observable.just("\($0)\($1)") }
        XCTAssertEqual(events(of: sequence), ["next(a0)", "next(b1)", "completed"])
        XCTAssertEqual(
            events(of: Observable.of(1).flatMapWithIndex { _, _ -> Observable<Int> in throw Planted.fault }),
            ["error(fault)"])
    }

    func testWhileWithIndex_endsOrBeginsAtThePredicate() {
        let sequence = Observable.of("a", "b", "c")
        XCTAssertEqual(
            events(of: sequence.takeWhileWithIndex { _, index in index < 2 }), ["next(a)", "next(b)", "completed"])
        XCTAssertEqual(events(of: sequence.skipWhileWithIndex { _, index in index < 2 }), ["next(c)", "completed"])
        XCTAssertEqual(events(of: sequence.takeWhileWithIndex { _, _ in throw Planted.fault }), ["error(fault)"])
        XCTAssertEqual(events(of: sequence.skipWhileWithIndex { _, _ in throw Planted.fault }), ["error(fault)"])
    }

    func testMapWithIndex_countsFromZero() {
        XCTAssertEqual(
            events(of: Observable.of("a", "b").mapWithIndex { "\($0)\($1)" }), ["next(a0)", "next(b1)", "completed"])
    }

    func testShareReplay_afterTheEnd_stillReplays() {
        var subscriptions = 0
        let shared = Observable<Int>.deferred {
            subscriptions += 1
            return .of(1, 2, 3)
        }.shareReplay(2)
        _ = events(of: shared)
        XCTAssertEqual(events(of: shared), ["next(2)", "next(3)", "completed"])
        XCTAssertEqual(subscriptions, 1)
    }

    func testShareReplayLatestWhileConnected_replaysOneValue_andForgetsItWithTheLastSubscriber() {
        let source = PublishSubject<Int>()
        let shared = source.shareReplayLatestWhileConnected()
        let first = shared.subscribe()
        source.onNext(1)
        source.onNext(2)
        var late: [Int] = []
        let second = shared.subscribe(onNext: { late.append($0) })
        XCTAssertEqual(late, [2])
        first.dispose()
        second.dispose()
        var fresh: [Int] = []
        shared.subscribe(onNext: { fresh.append($0) }).dispose()
        XCTAssertEqual(fresh, [])
    }

    func testEveryOperator_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for end in [Event<Int>.completed, .error(Planted.fault), nil] {
            let source = PublishSubject<Int>()
            let subscription = source.doOnNext { _ in }.doOnError { _ in }.doOnCompleted {}.shareReplay(1)
                .shareReplayLatestWhileConnected().mapWithIndex { $0 + $1 }.catchErrorJustReturn(0).subscribeNext { _ in
                }
            source.onNext(1)
            if let end { source.on(end) } else { subscription.dispose() }
        }
        XCTAssertEqual(Resources.total, before)
    }
}
