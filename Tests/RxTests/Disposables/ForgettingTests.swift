import Rx
import XCTest

/// Bags and composites that outlive their contents.
final class ForgettingTests: XCTestCase {
    /// The number of disposables up to which they are not examined.
    private let smallest = 32

    /// A user-defined disposable, which reports nothing about itself.
    private final class Own: Disposable {
        let tally: Tally
        init(_ tally: Tally) { self.tally = tally }
        func dispose() { tally.add() }
    }

    /// A user-defined subclass.
    private final class OwnSubclass: DisposeBase, Cancelable, @unchecked Sendable {
        // @unchecked: immutable.
        let tally: Tally
        var isDisposed: Bool { true }
        init(_ tally: Tally) {
            self.tally = tally
            super.init()
        }
        func dispose() { tally.add() }
    }

    func testBag_withAMillionSubscriptionsThatEndByThemselves_holdsFew() {
        let before = Resources.total
        do {
            let bag = DisposeBag()
            var most = 0
            for number in 0..<1_000_000 {
                Observable.just(number).subscribe(onNext: { _ in }).disposed(by: bag)
                most = max(most, bag.count)
            }
            XCTAssertEqual(most, smallest)
        }
        assertResourcesBack(to: before)
    }

    func testBag_withSubscriptionsDisposedByHand_holdsFew() {
        let subject = PublishSubject<Int>()
        let bag = DisposeBag()
        for _ in 0..<10_000 {
            let subscription = subject.subscribe(onNext: { _ in })
            subscription.disposed(by: bag)
            subscription.dispose()
        }
        XCTAssertLessThanOrEqual(bag.count, smallest)
        XCTAssertFalse(subject.hasObservers)
    }

    /// Inserts every kind of disposable of this package, and disposes each of them explicitly.
    func testBag_withEachKindOfDisposable_forgetsThoseThatWereDisposed() {
        let source = PublishSubject<Int>().publish()
        let kinds: [(name: String, make: () -> any Disposable)] = [
            ("anonymous", { Disposables.create {} }),
            ("pair", { Disposables.create(Disposables.create {}, Disposables.create {}) }),
            ("group", { Disposables.create([Disposables.create {}, Disposables.create {}]) }),
            ("nothing", { Disposables.create() }),
            ("boolean", { BooleanDisposable() }),
            ("composite", { CompositeDisposable() }),
            ("serial", { SerialDisposable() }),
            ("single assignment", { SingleAssignmentDisposable() }),
            ("counted", { RefCountDisposable(disposable: Disposables.create {}) }),
            ("share of a counted one", { RefCountDisposable(disposable: Disposables.create {}).retain() }),
            (
                "scheduled",
                { ScheduledDisposable(scheduler: CurrentThreadScheduler.instance, disposable: Disposables.create {}) }
            ),
            ("connection", { source.connect() }),
            ("bound subject", { Observable<Int>.never().subscribe(PublishSubject<Int>()) }),
        ]
        for kind in kinds {
            let bag = DisposeBag()
            for _ in 0..<1_000 {
                let disposable = kind.make()
                bag.insert(disposable)
                disposable.dispose()
            }
            XCTAssertLessThanOrEqual(bag.count, smallest, kind.name)
        }
    }

    /// Subscribes in every way, to sequences that end by themselves.
    func testBag_withEachWayToSubscribe_forgetsThoseThatEnded() {
        let source = Observable.just(1)
        let subject = PublishSubject<Int>()
        let relay = PublishRelay<Int>()
        let kinds: [(name: String, make: () -> any Disposable)] = [
            ("closure", { source.subscribe { _ in } }), ("closures", { source.subscribe(onNext: { _ in }) }),
            ("object", { source.subscribe(with: subject, onNext: { _, _ in }) }),
            ("observer", { source.subscribe(AnyObserver<Int> { _ in }) }),
            ("relay", { source.bind(to: relay) }), ("function", { source.bind { _ in } }),
            ("single", { source.asSingle().subscribe(onSuccess: { _ in }) }),
            ("maybe", { source.asMaybe().subscribe(onSuccess: { _ in }) }),
            ("completable", { Completable.empty().subscribe() }),
            ("infallible", { Infallible.just(1).subscribe(onNext: { _ in }) }),
            ("driver", { Driver.just(1).drive(onNext: { _ in }) }),
            ("signal", { Signal.just(1).emit(onNext: { _ in }) }),
            ("share", { source.share().subscribe() }), ("merge", { Observable.merge(source, source).subscribe() }),
        ]
        for kind in kinds {
            let bag = DisposeBag()
            for _ in 0..<1_000 { bag.insert(kind.make()) }
            XCTAssertLessThanOrEqual(bag.count, smallest, kind.name)
        }
    }

    func testBag_withWorkThatHasRun_forgetsIt() {
        let scheduler = HistoricalScheduler()
        let bag = DisposeBag()
        for _ in 0..<1_000 {
            scheduler.scheduleRelative((), dueTime: .seconds(1)) { _ in Disposables.create() }.disposed(by: bag)
            scheduler.start()
        }
        XCTAssertLessThanOrEqual(bag.count, smallest)
    }

    func testBag_withWorkWhoseResultLives_keepsIt() {
        let scheduler = HistoricalScheduler()
        let tally = Tally()
        var bag = DisposeBag()
        for _ in 0..<100 {
            scheduler.scheduleRelative((), dueTime: .seconds(1)) { _ in Disposables.create { tally.add() } }.disposed(
                by: bag)
            scheduler.start()
        }
        XCTAssertEqual(bag.count, 100)
        bag = DisposeBag()
        XCTAssertEqual(tally.value, 100)
    }

    func testBag_withLiveMembersAmongFinishedOnes_disposesTheLiveOnesInOrder() {
        var log: [Int] = []
        do {
            let bag = DisposeBag()
            for number in 0..<10_000 {
                bag.insert(Disposables.create { log.append(number) })
                for _ in 0..<3 { Observable.just(0).subscribe().disposed(by: bag) }
            }
            XCTAssertLessThanOrEqual(bag.count, 20_000)
        }
        XCTAssertEqual(log, Array(0..<10_000))
    }

    func testBag_afterACrowdHasGone_shrinksWithTheNextOnes() {
        let subject = PublishSubject<Int>()
        let bag = DisposeBag()
        for _ in 0..<100 { subject.subscribe().disposed(by: bag) }
        XCTAssertEqual(bag.count, 100)
        subject.onCompleted()
        for _ in 0..<200 { Observable.just(0).subscribe().disposed(by: bag) }
        XCTAssertLessThanOrEqual(bag.count, smallest)
    }

    func testBag_withDisposablesOfUsersOwnTypes_keepsAndDisposesAll() {
        let tally = Tally()
        do {
            let bag = DisposeBag()
            for _ in 0..<1_000 {
                bag.insert(Own(tally))
                bag.insert(OwnSubclass(tally))
                Observable.just(0).subscribe().disposed(by: bag)
            }
            XCTAssertEqual(tally.value, 0)
        }
        XCTAssertEqual(tally.value, 2_000)
    }

    func testComposite_withSubscriptionsThatEndByThemselves_holdsFew() {
        let composite = CompositeDisposable()
        for number in 0..<100_000 { composite.insert(Observable.just(number).subscribe()) }
        XCTAssertLessThanOrEqual(composite.count, smallest)
    }

    func testComposite_withFewMembers_countsThoseThatHaveEndedToo() {
        let composite = CompositeDisposable()
        for _ in 0..<smallest { composite.insert(Disposables.create()) }
        XCTAssertEqual(composite.count, smallest)
    }

    func testComposite_keysOfForgottenMembers_removeNothing() throws {
        var log: [Int] = []
        let composite = CompositeDisposable()
        var keys: [CompositeDisposable.DisposeKey] = []
        for number in 0..<1_000 {
            let member = Disposables.create { log.append(number) }
            keys.append(try XCTUnwrap(composite.insert(member)))
            if number % 10 != 0 { member.dispose() }
        }
        log = []
        for (number, key) in keys.enumerated() where number % 20 == 0 { composite.remove(for: key) }
        for (number, key) in keys.enumerated() where number % 10 != 0 { composite.remove(for: key) }
        XCTAssertEqual(log, Array(stride(from: 0, to: 1_000, by: 20)))
        XCTAssertEqual(composite.count, 50)
        composite.dispose()
        XCTAssertEqual(log.suffix(50), Array(stride(from: 10, to: 1_000, by: 20))[...])
    }

    func testComposite_thatContainsItself_asksItWithoutWaiting() {
        let composite = CompositeDisposable()
        for _ in 0..<100 { composite.insert(composite) }
        XCTAssertEqual(composite.count, 100)
        composite.dispose()
        XCTAssertEqual(composite.count, 0)
    }

    func testBag_filledByManyThreads_losesNoneAndForgetsTheFinished() {
        let tally = Tally()
        do {
            let bag = DisposeBag()
            onThreads(4) { _ in
                for _ in 0..<2_000 {
                    bag.insert(Disposables.create { tally.add() })
                    Observable.just(0).subscribe().disposed(by: bag)
                }
            }
            XCTAssertLessThanOrEqual(bag.count, 16_000)
        }
        XCTAssertEqual(tally.value, 8_000)
    }
}
