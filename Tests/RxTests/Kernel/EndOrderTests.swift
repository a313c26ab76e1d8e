import Rx
import RxTest
import XCTest

/// An end is reported, then what lies upstream is released.
final class EndOrderTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    /// What the subscriber of `make(source)` hears, and when the source is released.
    private func order(
        _ make: (Observable<Int>, TestScheduler) -> Observable<Int>, of events: [Recorded<Event<Int>>]
    ) -> String {
        let log = ReferenceLog()
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(events).asObservable().do(onDispose: { log.add("SRC") })
        let subscription = make(source, scheduler).subscribe(
            onNext: { log.add("\($0)") }, onError: { _ in log.add("ERR") }, onCompleted: { log.add("COMP") },
            onDisposed: { log.add("DISP") })
        scheduler.advanceTo(100)
        log.add("|")
        subscription.dispose()
        return log.text
    }

    func testEnd_ofTimeout_isReportedBeforeTheSourceIsReleased() {
        XCTAssertEqual(order({ $0.timeout(.seconds(10), scheduler: $1) }, of: [.next(5, 1)]), "1 ERR DISP SRC |")
        XCTAssertEqual(
            order({ $0.timeout(.seconds(10), other: Observable.just(2), scheduler: $1) }, of: [.next(5, 1)]),
            "1 2 COMP DISP SRC |")
        XCTAssertEqual(
            order({ $0.first().timeout(.seconds(10), scheduler: $1).asObservable().map { $0 ?? 0 } }, of: []),
            "ERR DISP SRC |")
    }

    func testEnd_ofASourceThatIsSubscribedToLater_isReportedBeforeItIsReleased() {
        let events: [Recorded<Event<Int>>] = [.next(15, 1), .completed(20)]
        let forms: [(String, (Observable<Int>, TestScheduler) -> Observable<Int>)] = [
            ("delaySubscription", { $0.delaySubscription(.seconds(5), scheduler: $1) }),
            ("catch", { source, _ in Observable.error(Planted.fault).catch { _ in source } }),
            ("ifEmpty", { source, _ in Observable.empty().ifEmpty(switchTo: source) }),
            (
                "asInfallible",
                { source, _ in
                    Observable.error(Planted.fault)
                        .asInfallible(onErrorFallbackTo: source.asInfallible(onErrorJustReturn: 0)).asObservable()
                }
            ),
            (
                "timeout other",
                { Observable.never().timeout(.seconds(5), other: $0, scheduler: $1) }
            ),
            ("zip", { source, _ in Observable.zip([Observable.of(7), source]) { $0[1] } }),
        ]
        for (name, make) in forms { XCTAssertEqual(order(make, of: events), "1 COMP DISP SRC |", name) }
    }

    func testZip_ofACollection_completedByItsLastSource_isReportedBeforeThatIsReleased() {
        XCTAssertEqual(
            order({ source, _ in Observable.zip([Observable.empty(), source]) { $0[1] } }, of: [.completed(20)]),
            "COMP DISP SRC |")
    }

    func testDo_underWhatHandsItsEndOn_callsAfterCompletedBeforeOnDispose() {
        let forms: [(String, (Observable<Int>, TestScheduler) -> Observable<Int>)] = [
            ("alone", { source, _ in source }),
            ("share", { source, _ in source.share() }),
            ("share(replay: 1)", { source, _ in source.share(replay: 1) }),
            ("share(replay: 2)", { source, _ in source.share(replay: 2) }),
            ("deferred", { source, _ in Observable.deferred { source } }),
            ("ControlEvent", { source, _ in ControlEvent(events: source).asObservable() }),
            ("observe(on:)", { $0.observe(on: $1) }),
        ]
        for (name, make) in forms {
            let log = ReferenceLog()
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable([.next(5, 1), .completed(10)]).do(
                afterCompleted: { log.add("after") }, onDispose: { log.add("disposed") })
            let subscription = make(source, scheduler).subscribe()
            scheduler.advanceTo(100)
            subscription.dispose()
            XCTAssertEqual(log.text, "after disposed", name)
        }
    }

    func testRelease_thatDisposesTheSubscription_losesNoEnd() {
        let forms: [(String, (Observable<Int>, TestScheduler) -> Observable<Int>)] = [
            ("timeout", { $0.timeout(.seconds(10), scheduler: $1) }),
            ("timeout other", { $0.timeout(.seconds(10), other: Observable.error(Planted.fault), scheduler: $1) }),
            ("delaySubscription", { $0.delaySubscription(.seconds(5), scheduler: $1) }),
            ("catch", { source, _ in Observable.error(Planted.fault).catch { _ in source } }),
            ("ifEmpty", { source, _ in Observable.empty().ifEmpty(switchTo: source) }),
            ("zip", { source, _ in Observable.zip([Observable.empty(), source]) { $0[1] } }),
            ("share", { source, _ in source.share() }),
        ]
        for (name, make) in forms {
            let root = SerialDisposable()
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable([.completed(10)] as [Recorded<Event<Int>>])
                .do(onDispose: { root.dispose() })
            var ends = 0
            root.disposable = make(source, scheduler).subscribe(onError: { _ in ends += 1 }, onCompleted: { ends += 1 })
            scheduler.advanceTo(100)
            XCTAssertEqual(ends, 1, name)
        }
    }
}
