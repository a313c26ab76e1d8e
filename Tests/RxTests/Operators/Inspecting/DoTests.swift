import Dispatch
import Rx
import Synchronization
import XCTest

final class DoTests: XCTestCase {
    private let notes = Notes()

    /// Every function notes its name.
    private func watched(_ source: Observable<Int>) -> Observable<Int> {
        let notes = notes
        return source.do(
            onNext: { notes.add("onNext \($0)") }, afterNext: { notes.add("afterNext \($0)") },
            onError: { notes.add("onError \($0)") }, afterError: { notes.add("afterError \($0)") },
            onCompleted: { notes.add("onCompleted") }, afterCompleted: { notes.add("afterCompleted") },
            onSubscribe: { notes.add("onSubscribe") }, onSubscribed: { notes.add("onSubscribed") },
            onDispose: { notes.add("onDispose") })
    }

    /// A source that notes when it is subscribed to and disposed.
    private func source(_ values: Int..., then end: Event<Int>?) -> Observable<Int> {
        let notes = notes
        return .create { observer in
            notes.add("subscribed")
            values.forEach(observer.onNext)
            if let end { observer.on(end) }
            return Disposables.create { notes.add("source disposed") }
        }
    }

    func testDo_untilCompletion_callsAllInOrder() {
        _ = watched(.sending(1)).record(in: notes)
        XCTAssertEqual(
            notes.lines,
            [
                "onSubscribe", "onNext 1", "next(1)", "afterNext 1",
                "onCompleted", "completed", "afterCompleted", "onSubscribed", "onDispose",
            ])
    }

    func testDo_untilError_callsAllInOrder() {
        let subject = PublishSubject<Int>()
        let subscription = watched(subject).record(in: notes)
        subject.onError(Planted.fault)
        XCTAssertEqual(
            notes.lines,
            ["onSubscribe", "onSubscribed", "onError fault", "error(fault)", "afterError fault", "onDispose"])
        subscription.dispose()
    }

    func testDo_disposed_callsOnDisposeOnceAfterTheSource() {
        let subscription = watched(source(then: nil)).subscribe { _ in }
        subscription.dispose()
        subscription.dispose()
        XCTAssertEqual(notes.lines, ["onSubscribe", "subscribed", "onSubscribed", "source disposed", "onDispose"])
    }

    func testDo_disposedWhileItSubscribes_callsOnDisposeLast() {
        _ = watched(source(1, then: nil)).take(1).subscribe { _ in }
        XCTAssertEqual(
            notes.lines,
            ["onSubscribe", "subscribed", "onNext 1", "afterNext 1", "source disposed", "onSubscribed", "onDispose"])
    }

    func testDo_afterError_callsOnDisposeAfterTheSource() {
        let notes = notes
        let subject = PublishSubject<Int>()
        let ending = Observable<Int>.create { observer in
            let inner = subject.subscribe(observer)
            return Disposables.create {
                inner.dispose()
                notes.add("source disposed")
            }
        }
        let subscription = ending.do(onDispose: { notes.add("onDispose") }).record(in: notes)
        subject.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["error(fault)", "source disposed", "onDispose"])
        subscription.dispose()
    }

    func testDo_whenDisposedMidway_deliversNothingMore() {
        let subject = PublishSubject<Int>()
        let subscription = subject.do(onNext: { [notes] in notes.add("onNext \($0)") }).record(in: notes)
        subject.onNext(1)
        subscription.dispose()
        subject.onNext(2)
        XCTAssertEqual(notes.lines, ["onNext 1", "next(1)"])
    }

    func testDo_withoutFunctions_isTheSequence() {
        XCTAssertEqual(Observable.sending(1).do().synchronousEvents, ["next(1)", "completed"])
    }

    func testDo_linkOrder_isBeforeDeliveryAfter() {
        let notes = notes
        _ = Observable.sending(1)
            .do(
                onNext: { notes.add("before \($0)") }, afterNext: { notes.add("after \($0)") },
                onCompleted: { notes.add("before end") }, afterCompleted: { notes.add("after end") }
            )
            .record(in: notes)
        XCTAssertEqual(notes.lines, ["before 1", "next(1)", "after 1", "before end", "completed", "after end"])
    }

    func testDo_whenOnNextThrows_replacesTheElement() {
        XCTAssertEqual(
            Observable.sending(1).do(onNext: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(
            Observable.sending(1).do(onNext: { _ in throw Planted.other }, onDispose: {}).synchronousEvents,
            ["error(other)"])
    }

    func testDo_whenAfterNextThrows_failsAfterTheElement() {
        XCTAssertEqual(
            Observable.sending(1, 2).do(afterNext: { _ in throw Planted.other }).synchronousEvents,
            ["next(1)", "error(other)"])
        XCTAssertEqual(
            Observable.sending(1, 2).do(afterNext: { _ in throw Planted.other }, onDispose: {}).synchronousEvents,
            ["next(1)", "error(other)"])
    }

    func testDo_whenOnCompletedThrows_fails() {
        XCTAssertEqual(
            Observable.sending(1).do(onCompleted: { throw Planted.other }).synchronousEvents,
            ["next(1)", "error(other)"])
    }

    func testDo_whenOnErrorThrows_replacesTheError() {
        XCTAssertEqual(
            Observable<Int>.error(Planted.fault).do(onError: { _ in throw Planted.other }).synchronousEvents,
            ["error(other)"])
    }

    func testDo_whenAfterCompletedThrows_changesNothing() {
        XCTAssertEqual(
            Observable<Int>.empty().do(afterCompleted: { throw Planted.other }).synchronousEvents, ["completed"])
    }

    func testDo_ofElementSentFromInside_nests() {
        let subject = PublishSubject<Int>()
        let notes = notes
        let subscription =
            subject
            .do(onNext: { notes.add("before \($0)") }, afterNext: { notes.add("after \($0)") })
            .subscribe(onNext: { if $0 == 1 { subject.onNext(2) } })
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["before 1", "before 2", "after 2", "after 1"])
        subscription.dispose()
    }

    func testDo_endedAndDisposedByTwoThreads_callsOnDisposeOnce() {
        for round in 0..<2_000 {
            let calls = Counter()
            let subject = PublishSubject<Int>()
            let pair = Pair(
                first: { if round.isMultiple(of: 2) { subject.onCompleted() } else { subject.onError(Planted.fault) } },
                second: subject.do(onDispose: { calls.value.wrappingAdd(1, ordering: .relaxed) }).subscribe { _ in }
                    .dispose)
            DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? pair.first() : pair.second() }
            XCTAssertEqual(calls.value.load(ordering: .relaxed), 1)
        }
    }

    private final class Counter: Sendable { let value = Atomic<Int>(0) }

    // @unchecked: subjects and subscriptions may be used from any thread.
    private struct Pair: @unchecked Sendable {
        let first: () -> Void
        let second: () -> Void
    }

    func testDo_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.do(onNext: { _ in }, afterNext: { _ in }, onCompleted: {}) }
        runToEveryEnd { $0.do(onSubscribe: {}, onSubscribed: {}, onDispose: {}) }
        runToEveryEnd { $0.do(onNext: { _ in throw Planted.other }, onDispose: {}) }
        assertResourcesBack(to: before)
    }
}
