import Rx
import RxTest
import XCTest

final class CompletableTests: XCTestCase {
    private let notes = Notes()
    private let fault = Completable.error(Planted.fault)

    // MARK: Creating

    func testCreate_asUsersWriteIt_completes() {
        let saved = Completable.create { completable in
            completable(.completed)
            return Disposables.create()
        }
        XCTAssertEqual(saved.synchronousEvents, ["completed"])
    }

    func testCreate_ofEachEvent_deliversTheFirstAndDisposesAfterIt() {
        let notes = notes
        for event in [CompletableEvent.error(Planted.fault), .completed] {
            let completable = Completable.create { completable in
                completable(event)
                completable(.error(Planted.other))
                completable(.completed)
                return Disposables.create { notes.add("disposed") }
            }
            _ = completable.subscribe { notes.add("\($0)") }
        }
        XCTAssertEqual(notes.lines, ["error(RxTests.Planted.fault)", "disposed", "completed", "disposed"])
    }

    func testCreate_calledFromInsideDelivery_deliversOnce() {
        let notes = notes
        var send: ((CompletableEvent) -> Void)?
        let completable = Completable.create {
            send = $0
            return Disposables.create()
        }
        let subscription = completable.subscribe {
            notes.add("\($0)")
            send?(.error(Planted.fault))
        }
        send?(.completed)
        XCTAssertEqual(notes.lines, ["completed"])
        subscription.dispose()
    }

    func testCreate_disposedMidway_disposesAndRefusesWhatComes() {
        let notes = notes
        var late: ((CompletableEvent) -> Void)?
        let completable = Completable.create { completable in
            late = completable
            return Disposables.create { notes.add("disposed") }
        }
        completable.subscribe { notes.add("\($0)") }.dispose()
        late?(.completed)
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testErrorNeverEmpty_asObservable_sayWhatTheyShould() {
        XCTAssertEqual(fault.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Completable.never().synchronousEvents, [])
        XCTAssertEqual(Completable.empty().synchronousEvents, ["completed"])
    }

    // MARK: Subscribing

    func testSubscribe_withFunctions_callsThem() {
        for completable in [Completable.empty(), fault] {
            _ = completable.subscribe(
                onCompleted: { [notes] in notes.add("completed") }, onError: { [notes] in notes.add("\($0)") },
                onDisposed: { [notes] in notes.add("disposed") })
        }
        XCTAssertEqual(notes.lines, ["completed", "disposed", "fault", "disposed"])
    }

    func testSubscribe_disposedMidway_tellsOnDisposedAlone() {
        let notes = notes
        Completable.never().subscribe(onCompleted: { notes.add("completed") }, onDisposed: { notes.add("disposed") })
            .dispose()
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testSubscribe_withoutOnError_callsTheHook() {
        notingUnhandledErrors(in: notes) {
            _ = fault.subscribe(onCompleted: {})
            _ = fault.subscribe(with: self, onCompleted: { _ in })
        }
        XCTAssertEqual(notes.lines, ["unhandled fault", "unhandled fault"])
    }

    func testSubscribeWith_aLiveObject_handsItOver() {
        for completable in [Completable.empty(), fault] {
            _ = completable.subscribe(
                with: notes, onCompleted: { $0.add("completed") }, onError: { $0.add("\($1)") },
                onDisposed: { $0.add("disposed") })
        }
        XCTAssertEqual(notes.lines, ["completed", "disposed", "fault", "disposed"])
    }

    func testSubscribeWith_anObjectThatIsGone_callsNothing() {
        let notes = notes
        for event in [CompletableEvent.error(Planted.fault), .completed] {
            var object: LifetimeProbe? = LifetimeProbe()
            var send: ((CompletableEvent) -> Void)?
            let completable = Completable.create {
                send = $0
                return Disposables.create()
            }
            let subscription = completable.subscribe(
                with: object!, onCompleted: { _ in notes.add("completed") },
                onError: { _, error in notes.add("\(error)") },
                onDisposed: { _ in notes.add("disposed") })
            object = nil
            send?(event)
            subscription.dispose()
        }
        XCTAssertEqual(notes.lines, [])
    }

    // MARK: do

    private func observed(_ completable: Completable) -> Completable {
        let notes = notes
        return completable.do(
            onError: { notes.add("onError \($0)") }, afterError: { notes.add("afterError \($0)") },
            onCompleted: { notes.add("onCompleted") }, afterCompleted: { notes.add("afterCompleted") },
            onSubscribe: { notes.add("onSubscribe") }, onSubscribed: { notes.add("onSubscribed") },
            onDispose: { notes.add("onDispose") })
    }

    func testDo_ofEachEnd_callsInOrder() {
        _ = observed(.empty()).subscribe { [notes] in notes.add("\($0)") }
        _ = observed(fault).subscribe { [notes] _ in notes.add("error") }
        XCTAssertEqual(
            notes.lines,
            [
                "onSubscribe", "onCompleted", "completed", "afterCompleted", "onSubscribed", "onDispose",
                "onSubscribe", "onError fault", "error", "afterError fault", "onSubscribed", "onDispose",
            ])
    }

    func testDo_thatThrows_replacesTheEvent() {
        XCTAssertEqual(Completable.empty().do(onCompleted: { throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.do(onError: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(Completable.empty().do(afterCompleted: { throw Planted.other }).synchronousEvents, ["completed"])
    }

    // MARK: Resources

    func testCompletable_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { source in
            Completable.create { completable in
                source.subscribe(onError: { completable(.error($0)) }, onCompleted: { completable(.completed) })
            }
        }
        runCompletableToEveryEnd { self.observed($0) }
        for completable in [Completable.empty(), .error(Planted.fault), .never()] {
            completable.subscribe { _ in }.dispose()
            completable.subscribe(with: self, onCompleted: { _ in }, onError: { _, _ in }).dispose()
        }
        assertResourcesBack(to: before)
    }
}
