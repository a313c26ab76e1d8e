import Rx
import RxTest
import XCTest

/// An end is reported before the upstream is released.
final class EndOrderTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    /// The events that the subscriber of `make(source)` receives, and when the source is released.
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
        var forms = Self.handingOn
        forms.append(("observe(on:)", { $0.observe(on: $1) }))
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

    // MARK: Each operator in each place

    private typealias Form = (name: String, make: @Sendable (Observable<Int>, TestScheduler) -> Observable<Int>)

    /// The operators that end with, or continue after, a source that sends 1 at 5 and ends at 20.
    private static func operators(fails: Bool) -> [Form] {
        let second = Observable.of(7)
        var forms: [Form] = [
            ("map", { source, _ in source.map { $0 } }),
            ("timeout", { $0.timeout(.seconds(10), scheduler: $1) }),
            ("timeout other", { $0.timeout(.seconds(10), other: second, scheduler: $1) }),
            ("timeout empty other", { $0.timeout(.seconds(10), other: Observable.empty(), scheduler: $1) }),
            ("delaySubscription", { $0.delaySubscription(.seconds(3), scheduler: $1) }),
            ("catch's other", { source, _ in Observable.error(Planted.fault).catch { _ in source } }),
            ("ifEmpty's other", { source, _ in Observable.empty().ifEmpty(switchTo: source) }),
            ("zip of a collection", { source, _ in Observable.zip([source, Observable.of(1)]) { $0[0] } }),
            ("zip of a collection, last", { source, _ in Observable.zip([.empty(), source]) { $0[1] } }),
            ("combineLatest of a collection", { source, _ in Observable.combineLatest([source]) { $0[0] } }),
            ("andThen", { source, _ in Completable.empty().andThen(source) }),
            (
                "andThen later",
                { Observable<Never>.empty().delay(.seconds(2), scheduler: $1).asCompletable().andThen($0) }
            ),
            ("subscribe(on:)", { $0.subscribe(on: $1) }),
            ("take(until:)", { $0.take(until: Observable<Int>.timer(.seconds(8), scheduler: $1)) }),
            ("take(for:)", { $0.take(for: .seconds(8), scheduler: $1) }),
            ("take", { source, _ in source.take(1) }),
            ("amb", { source, _ in Observable.amb([source, .never()]) }),
            ("retry", { source, _ in source.retry(1) }),
            ("using", { source, _ in Observable.using({ BooleanDisposable() }) { _ in source } }),
            ("first", { source, _ in source.first().asObservable().map { $0 ?? 0 } }),
            (
                "single with a timeout",
                {
                    $0.first().timeout(.seconds(3), scheduler: $1).asObservable().map { $0 ?? 0 }
                }
            ),
            ("maybe with a timeout", { $0.asMaybe().timeout(.seconds(3), scheduler: $1).asObservable() }),
        ]
        if !fails {
            forms.append(
                (
                    "asInfallible's other",
                    { source, _ in
                        Observable.error(Planted.fault)
                            .asInfallible(onErrorFallbackTo: source.asInfallible(onErrorJustReturn: 0)).asObservable()
                    }
                ))
        }
        return forms
    }

    /// Forms that forward the end of their source.
    private static let handingOn: [Form] = [
        ("alone", { source, _ in source }),
        ("share", { source, _ in source.share() }),
        ("share(replay: 1)", { source, _ in source.share(replay: 1) }),
        ("share(replay: 2)", { source, _ in source.share(replay: 2) }),
        ("deferred", { source, _ in Observable.deferred { source } }),
        ("ControlEvent", { source, _ in ControlEvent(events: source).asObservable() }),
    ]

    /// Forms that delay the end, or call a closure at the end.
    private static let holdingBack: [Form] = [
        ("maybe", { source, _ in source.takeLast(1).asMaybe().asObservable() }),
        ("do", { source, _ in source.do(afterCompleted: {}, onDispose: {}) }),
    ]

    func testEnd_ofEachOperatorInEachPlace_isReportedBeforeTheSourceIsReleased_andIsNotLost() {
        for fails in [false, true] {
            for (name, make) in Self.operators(fails: fails) {
                for (place, put) in Self.handingOn + Self.holdingBack {
                    let log = ReferenceLog()
                    let scheduler = TestScheduler(initialClock: 0)
                    let root = SerialDisposable()
                    let end: Recorded<Event<Int>> = fails ? .error(20, Planted.fault) : .completed(20)
                    let source = scheduler.createHotObservable([.next(5, 1), end]).do(onDispose: {
                        log.add("SRC")
                        root.dispose()
                    })
                    root.disposable = put(make(source, scheduler), scheduler).subscribe(
                        onError: { _ in log.add("END") }, onCompleted: { log.add("END") },
                        onDisposed: { log.add("DISP") })
                    scheduler.advanceTo(100)
                    root.dispose()
                    XCTAssertEqual(log.text, "END DISP SRC", "\(name), \(place), fails: \(fails)")
                }
            }
        }
    }

    // MARK: andThen

    /// A sequence that logs when it is subscribed to and released, and completes at once or at `tick`.
    private func step(
        _ name: String, _ log: ReferenceLog, at tick: TestTime? = nil, on scheduler: TestScheduler,
        released: @escaping () -> Void = {}
    ) -> Completable {
        Completable.create { completable in
            log.add("+\(name)")
            if let tick {
                _ = scheduler.scheduleAbsoluteVirtual((), time: tick) { _ in
                    completable(.completed)
                    return Disposables.create()
                }
            } else {
                completable(.completed)
            }
            return Disposables.create {
                log.add("-\(name)")
                released()
            }
        }
    }

    /// The events that the subscriber of `make` receives, and when its steps are subscribed to and released.
    private func trace(
        _ make: (ReferenceLog, TestScheduler) -> Observable<Int>
    ) -> String {
        let log = ReferenceLog()
        let scheduler = TestScheduler(initialClock: 0)
        let subscription = make(log, scheduler).subscribe(
            onNext: { log.add("\($0)") }, onError: { _ in log.add("ERR") }, onCompleted: { log.add("COMP") },
            onDisposed: { log.add("DISP") })
        log.add("|")
        scheduler.start()
        subscription.dispose()
        return log.text
    }

    func testAndThen_insideASubscription_reportsTheEndBeforeAnythingIsReleased() {
        let single = { (log: ReferenceLog) in
            Single<Int>.create { single in
                log.add("+b")
                single(.success(1))
                return Disposables.create { log.add("-b") }
            }
        }
        XCTAssertEqual(
            trace { self.step("a", $0, on: $1).andThen(single($0)).asObservable() }, "+a +b 1 COMP DISP -a -b |")
        XCTAssertEqual(
            trace { self.step("a", $0, on: $1).andThen(single($0).asMaybe()).asObservable() },
            "+a +b 1 COMP DISP -a -b |")
        XCTAssertEqual(
            trace { self.step("a", $0, on: $1).andThen(single($0).asObservable()) }, "+a +b 1 COMP DISP -a -b |")
        XCTAssertEqual(trace { self.step("a", $0, on: $1).andThen(Observable.just(1)) }, "+a 1 COMP DISP -a |")
        XCTAssertEqual(
            trace { self.step("a", $0, on: $1).andThen(Observable<Int>.error(Planted.fault)) }, "+a ERR DISP -a |")
        XCTAssertEqual(
            trace { log, scheduler in
                self.step("a", log, on: scheduler).andThen(self.step("b", log, on: scheduler))
                    .andThen(self.step("c", log, on: scheduler)).asObservable().map { _ in }.map { 0 }
            }, "+a +b +c COMP DISP -a -b -c |")
    }

    func testAndThen_releasesWhatHasCompletedOnceTheNextSequenceWasSubscribedTo() {
        XCTAssertEqual(
            trace { log, scheduler in
                self.step("a", log, on: scheduler).andThen(self.step("b", log, on: scheduler))
                    .andThen(self.step("c", log, at: 10, on: scheduler)).asObservable().map { _ in }.map { 0 }
            }, "+a +b +c -b -a | COMP DISP -c")
        XCTAssertEqual(
            trace { log, scheduler in
                self.step("a", log, at: 5, on: scheduler).andThen(self.step("b", log, at: 10, on: scheduler))
                    .andThen(self.step("c", log, on: scheduler)).asObservable().map { _ in }.map { 0 }
            }, "+a | +b -a +c COMP DISP -b -c")
        // As above: sequences of `concat` do not overlap.
        XCTAssertEqual(
            trace { log, scheduler in
                self.step("a", log, on: scheduler).concat(self.step("b", log, at: 10, on: scheduler))
                    .asObservable().map { _ in }.map { 0 }
            }, "+a -a +b | COMP DISP -b")
        // The two sequences within `concat` are released before it continues.
        XCTAssertEqual(
            trace { log, scheduler in
                self.step("a", log, on: scheduler).andThen(self.step("b", log, on: scheduler))
                    .concat(self.step("c", log, at: 10, on: scheduler)).asObservable().map { _ in }.map { 0 }
            }, "+a +b -b -a +c | COMP DISP -c")
    }

    func testAndThen_releaseThatDisposesTheSubscription_losesNoEnd() {
        for depth in 1...3 {
            for tick in [nil, 5] as [TestTime?] {
                let log = ReferenceLog()
                let scheduler = TestScheduler(initialClock: 0)
                let root = SerialDisposable()
                var chain = step("a", log, at: tick, on: scheduler) { root.dispose() }
                for _ in 1..<depth { chain = chain.andThen(step("b", log, on: scheduler) { root.dispose() }) }
                var values: [Int] = []
                root.disposable = chain.andThen(Single.just(1)).subscribe(onSuccess: { values.append($0) })
                scheduler.start()
                XCTAssertEqual(values, [1], "\(depth) \(String(describing: tick))")
            }
        }
    }

    func testAndThen_ofManyThatEndInsideTheirSubscriptions_releasesEach() {
        var released = 0
        var chain = Completable.empty()
        for _ in 0..<2_000 {
            chain = chain.andThen(
                Completable.create { completable in
                    completable(.completed)
                    return Disposables.create { released += 1 }
                })
        }
        var completed = 0
        chain.subscribe(onCompleted: { completed += 1 }).dispose()
        XCTAssertEqual(completed, 1)
        XCTAssertEqual(released, 2_000)
    }
}
