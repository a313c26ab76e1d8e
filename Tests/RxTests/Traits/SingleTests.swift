import Rx
import RxTest
import XCTest

/// Creating a `Single`, and subscribing to it.
final class SingleTests: XCTestCase {
    private let notes = Notes()

    // MARK: Creating

    func testCreate_ofSuccess_deliversAndDisposesAfterIt() {
        let notes = notes
        let subject = PublishSubject<Int>()
        let single = Single<Int>.create { observer in
            let inner = subject.subscribe(onNext: {
                observer(.success($0))
                observer(.success($0 + 1))
            })
            return Disposables.create {
                inner.dispose()
                notes.add("disposed")
            }
        }
        let subscription = single.subscribe { notes.add("\($0)") }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["success(1)", "disposed"])
        subscription.dispose()
    }

    func testCreate_ofSuccessBeforeItReturns_disposesWhatItReturns() {
        let notes = notes
        let single = Single<Int>.create { single in
            single(.success(1))
            single(.failure(Planted.fault))
            return Disposables.create { notes.add("disposed") }
        }
        _ = single.subscribe { notes.add("\($0)") }
        XCTAssertEqual(notes.lines, ["success(1)", "disposed"])
    }

    func testCreate_calledFromInsideDelivery_deliversOnce() {
        let subject = PublishSubject<Int>()
        let single = Single<Int>.create { observer in subject.subscribe(onNext: { observer(.success($0)) }) }
        let subscription = single.subscribe { [notes] in
            notes.add("\($0)")
            subject.onNext(2)
        }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["success(1)"])
        subscription.dispose()
    }

    func testCreate_ofFailure_fails() {
        let single = Single<Int>.create { observer in
            observer(.failure(Planted.fault))
            observer(.success(1))
            return Disposables.create()
        }
        XCTAssertEqual(single.asObservable().synchronousEvents, ["error(fault)"])
    }

    func testCreate_disposedMidway_disposesAndRefusesWhatComes() {
        let notes = notes
        var late: ((SingleEvent<Int>) -> Void)?
        let single = Single<Int>.create { single in
            late = single
            return Disposables.create { notes.add("disposed") }
        }
        single.subscribe { notes.add("\($0)") }.dispose()
        late?(.success(1))
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testCreate_calledByFourThreads_deliversOnce() {
        let delivered = Tally()
        for _ in 0..<200 {
            let observer = Box<(@Sendable (SingleEvent<Int>) -> Void)?>(nil)
            let single = Single<Int>.create {
                observer.value = $0
                return Disposables.create()
            }
            let subscription = single.subscribe { _ in delivered.add() }
            let send = observer.value!
            onThreads(4) { index in send(index < 2 ? .success(index) : .failure(Planted.fault)) }
            subscription.dispose()
        }
        XCTAssertEqual(delivered.value, 200)
    }

    func testJustErrorNever_asObservable_sayWhatTheyShould() {
        XCTAssertEqual(Single.just(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Single<Int>.error(Planted.fault).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Single<Int>.never().synchronousEvents, [])
    }

    func testJust_onScheduler_isDeliveredThere() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Single.just(1, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 1), .completed(202)])
    }

    // MARK: Subscribing

    func testSubscribe_withFunctions_callsThem() {
        let notes = notes
        _ = Single.just(1).subscribe(onSuccess: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") })
        _ = Single<Int>.error(Planted.fault).subscribe(
            onFailure: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") })
        XCTAssertEqual(notes.lines, ["1", "disposed", "fault", "disposed"])
    }

    func testSubscribe_withAnEventClosure_isPreferredForATrailingOne() {
        let notes = notes
        _ = Single.just(1).subscribe { event in
            switch event {
            case .success(let value): notes.add("\(value)")
            case .failure(let error): notes.add("\(error)")
            }
        }
        XCTAssertEqual(notes.lines, ["1"])
    }

    func testSubscribe_disposedMidway_tellsOnDisposedAlone() {
        let notes = notes
        let subscription = Single<Int>.never().subscribe(
            onSuccess: { notes.add("\($0)") }, onFailure: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") })
        subscription.dispose()
        subscription.dispose()
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testSubscribe_toWhatFailsAfterItsValue_hearsTheValueAlone() {
        let notes = notes
        let single = Single.just(1).do(afterSuccess: { _ in throw Planted.fault })
        XCTAssertEqual(single.synchronousEvents, ["next(1)", "error(fault)"])
        notingUnhandledErrors(in: notes) {
            _ = single.subscribe { notes.add("\($0)") }
            _ = single.subscribe(onSuccess: { notes.add("\($0)") })
        }
        XCTAssertEqual(notes.lines, ["success(1)", "1"])
    }

    func testSubscribe_withoutOnFailure_callsTheHook() {
        let notes = notes
        notingUnhandledErrors(in: notes) { _ = Single<Int>.error(Planted.fault).subscribe(onSuccess: { _ in }) }
        XCTAssertEqual(notes.lines, ["unhandled fault"])
    }

    func testSubscribe_withoutOnFailureWhileStacksAreRecorded_bringsTheStackOfTheSubscription() {
        let before = (Hooks.defaultErrorHandler, Hooks.customCaptureSubscriptionCallstack, Hooks.recordCallStackOnError)
        defer {
            (Hooks.defaultErrorHandler, Hooks.customCaptureSubscriptionCallstack, Hooks.recordCallStackOnError) = before
        }
        var stacks: [[String]] = []
        Hooks.defaultErrorHandler = { stack, _ in stacks.append(stack) }
        Hooks.recordCallStackOnError = true
        Hooks.customCaptureSubscriptionCallstack = { ["subscribed here"] }
        _ = Single<Int>.error(Planted.fault).subscribe(onSuccess: { _ in })
        XCTAssertEqual(stacks, [["subscribed here"]])
    }

    func testSubscribeWith_aLiveObject_handsItOver() {
        let notes = notes
        _ = Single.just(1).subscribe(with: notes, onSuccess: { $0.add("\($1)") }, onDisposed: { $0.add("disposed") })
        _ = Single<Int>.error(Planted.fault).subscribe(with: notes, onFailure: { $0.add("\($1)") })
        XCTAssertEqual(notes.lines, ["1", "disposed", "fault"])
    }

    func testSubscribeWith_anObjectThatIsGone_callsNothing() {
        let notes = notes
        for event in [SingleEvent.success(1), .failure(Planted.fault)] {
            var object: LifetimeProbe? = LifetimeProbe()
            var send: ((SingleEvent<Int>) -> Void)?
            let single = Single<Int>.create {
                send = $0
                return Disposables.create()
            }
            let subscription = single.subscribe(
                with: object!, onSuccess: { _, value in notes.add("\(value)") },
                onFailure: { _, error in notes.add("\(error)") },
                onDisposed: { _ in notes.add("disposed") })
            weak let held = object
            object = nil
            XCTAssertNil(held)
            send?(event)
            subscription.dispose()
        }
        XCTAssertEqual(notes.lines, [])
    }

    func testSubscribeWith_withoutOnFailure_callsTheHook() {
        let notes = notes
        notingUnhandledErrors(in: notes) {
            _ = Single<Int>.error(Planted.fault).subscribe(with: notes, onSuccess: { $0.add("\($1)") })
        }
        XCTAssertEqual(notes.lines, ["unhandled fault"])
    }

    // MARK: Resources

    func testSingle_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { source in
            Single<Int>.create { observer in
                source.subscribe(onNext: { observer(.success($0)) }, onError: { observer(.failure($0)) })
            }
        }
        runSingleToEveryEnd { $0 }
        for single in [
            Single.just(1), .error(Planted.fault), .never(), .just(1, scheduler: CurrentThreadScheduler.instance),
        ] {
            single.subscribe { _ in }.dispose()
            single.subscribe(onSuccess: { _ in }, onFailure: { _ in }, onDisposed: {}).dispose()
            single.subscribe(with: self, onSuccess: { _, _ in }, onFailure: { _, _ in }, onDisposed: { _ in }).dispose()
        }
        assertResourcesBack(to: before)
    }
}
