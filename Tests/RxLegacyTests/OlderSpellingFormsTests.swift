import Foundation
import Rx
import RxLegacy
import XCTest

/// Calls every older spelling in the form that documents of 2015 to 2019 use.
final class OlderSpellingFormsTests: XCTestCase {
    fileprivate enum Planted: Error { case fault }

    fileprivate let scheduler = HistoricalScheduler()
    fileprivate var seen: [String] = []

    fileprivate func events<Source: ObservableConvertibleType>(of source: Source) -> [String] {
        var events: [String] = []
        source.asObservable().subscribe { events.append($0.debugDescription) }.dispose()
        return events
    }

    fileprivate final class Label { var text = "" }
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension OlderSpellingFormsTests {
    func testSubscribingAndDisposing() {
        let bag = DisposeBag()
        Observable.of(1, 2).subscribeNext { self.seen.append("\($0)") }.addDisposableTo(bag)
        Observable<Int>.failWith(Planted.fault).subscribeError { self.seen.append("\($0)") }.addDisposableTo(bag)
        Observable<Int>.empty().subscribeCompleted { self.seen.append("completed") }.addDisposableTo(bag)
        XCTAssertEqual(seen, ["1", "2", "fault", "completed"])
        var disposals = 0
        var scope: ScopedDisposable? = AnonymousDisposable { disposals += 1 }.scopedDispose()
        withExtendedLifetime(scope) {}
        scope = nil
        StableCompositeDisposable.create(AnonymousDisposable { disposals += 1 }, NopDisposable.instance).dispose()
        let group = CompositeDisposable()
        let key = group.addDisposable(AnonymousDisposable { disposals += 1 })
        group.removeDisposable(key!)
        XCTAssertEqual(disposals, 3)
        assertCountsTheSame()
    }

    /// Asserts that both names read one counter. Threads of other tests may change the counter between two reads, so
    /// only a read between two equal reads is conclusive.
    private func assertCountsTheSame() {
        for _ in 0..<1_000 {
            let before = Resources.total
            let older = resourceCount
            let after = Resources.total
            if before == after { return XCTAssertEqual(older, before) }
        }
        XCTFail("The counter never stood still for three reads.")
    }

    func testVariableAndBinding() {
        let name = Variable("ada")
        let label = Label()
        let other = Variable("")
        let subscriptions = [
            name.asObservable().bindTo(Binder(label) { $0.text = $1 }),
            name.asObservable().bindTo(UIBindingObserver(UIElement: label) { $0.text = $1 }),
            name.asObservable().bindTo(other),
            name.asObservable().bindNext { self.seen.append($0) },
            name.asDriver().driveNext { self.seen.append("driven \($0)") },
        ]
        name.value = "bob"
        XCTAssertEqual(label.text, "bob")
        XCTAssertEqual(other.value, "bob")
        XCTAssertEqual(seen, ["ada", "driven ada", "bob", "driven bob"])
        subscriptions.forEach { $0.dispose() }
    }

    func testVariable_completesWhenItGoes() {
        var variable: Variable<Int>? = Variable(1)
        let subscription = variable!.asObservable().subscribe { self.seen.append("\($0)") }
        variable = nil
        XCTAssertEqual(seen, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testSharing() {
        XCTAssertEqual(events(of: Observable.of(1, 2).shareReplay(1)), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(
            events(of: Observable.of(1, 2).shareReplayLatestWhileConnected()), ["next(1)", "next(2)", "completed"])
    }

    func testSchedulers() {
        XCTAssertTrue(MainScheduler.sharedInstance === MainScheduler.instance)
        let background = ConcurrentDispatchQueueScheduler(globalConcurrentQueueQOS: .Background)
        let serial = SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .userInitiated)
        let done = expectation(description: "delivered")
        let subscription = Observable.just(1).subscribeOn(background).observeOn(serial).subscribeNext { _ in
            done.fulfill()
        }
        wait(for: [done], timeout: 20)
        subscription.dispose()
    }

    func testOperators() {
        let source = Observable.of("a", "b")
        XCTAssertEqual(events(of: source.mapWithIndex { "\($0)\($1)" }), ["next(a0)", "next(b1)", "completed"])
        XCTAssertEqual(
            events(of: source.flatMapWithIndex { Observable.just("\($0)\($1)") }),
            ["next(a0)", "next(b1)", "completed"])
        XCTAssertEqual(events(of: source.takeWhileWithIndex { _, index in index < 1 }), ["next(a)", "completed"])
        XCTAssertEqual(events(of: source.skipWhileWithIndex { _, index in index < 1 }), ["next(b)", "completed"])
        let watched = source.doOn { self.seen.append("on \($0)") }.doOnNext { self.seen.append($0) }.doOnError { _ in }
            .doOnCompleted { self.seen.append("completed") }
        watched.subscribe().dispose()
        XCTAssertEqual(seen, ["on next(a)", "a", "on next(b)", "b", "on completed", "completed"])
        let array: Observable<[String]> = source.toArray()
        XCTAssertEqual(events(of: array), [#"next(["a", "b"])"#, "completed"])
        let end: Completable = source.ignoreElements()
        XCTAssertEqual(events(of: end), ["completed"])
    }

    func testCreating() {
        XCTAssertEqual(events(of: Observable.sequenceOf(1, 2)), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: Observable.returnElement(1)), ["next(1)", "completed"])
        XCTAssertEqual(events(of: [1, 2].toObservable()), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: (1 as Int?).toObservable()), ["next(1)", "completed"])
        XCTAssertEqual(events(of: just(1) as Observable<Int>), ["next(1)", "completed"])
        XCTAssertEqual(events(of: empty() as Observable<Int>), ["completed"])
        let created: Observable<Int> = create { observer in
            observer.on(.Next(1))
            observer.on(.Completed)
            return NopDisposable.instance
        }
        XCTAssertEqual(events(of: created), ["next(1)", "completed"])
        let failed: Observable<Int> = create { observer in
            observer.on(.Error(Planted.fault))
            return AnonymousDisposable {}
        }
        XCTAssertEqual(events(of: failed), ["error(fault)"])
        XCTAssertEqual(events(of: zip(just(1), just("a")) { "\($0)\($1)" }), ["next(1a)", "completed"])
        XCTAssertEqual(events(of: combineLatest(just(1), just("a")) { "\($0)\($1)" }), ["next(1a)", "completed"])
        XCTAssertEqual(
            events(of: Observable.combineLatest(just(1), just("a")) { "\($0)\($1)" }), ["next(1a)", "completed"])
    }

    func testTime() {
        let subscriptions = [
            interval(1, scheduler).take(2).subscribeNext { self.seen.append("\($0)") },
            Observable.just(7).throttle(0.3, scheduler: scheduler).subscribeNext { self.seen.append("\($0)") },
            Observable<Int>.interval(1, scheduler: scheduler).takeDuration(1.5, scheduler: scheduler).subscribeCompleted
            { self.seen.append("over") },
            Observable<Int>.interval(1, scheduler: scheduler).take(for: .milliseconds(1500), scheduler: scheduler)
                .subscribe(),
        ]
        scheduler.advanceTo(Date(timeIntervalSince1970: 5))
        XCTAssertEqual(seen, ["7", "0", "over", "1"])
        subscriptions.forEach { $0.dispose() }
    }

    func testTraits() {
        let single = Single<Int>.create { single in
            single(.error(Planted.fault))
            return Disposables.create()
        }
        single.subscribe(onSuccess: { _ in }, onError: { self.seen.append("\($0)") }).dispose()
        XCTAssertEqual(seen, ["fault"])
        let text: String =
            switch Event.next(1) {
            case .Next(1): "one"
            case .Completed: "completed"
            default: "other"
            }
        XCTAssertEqual(text, "one")
        let unbounded = ReplaySubject<Int>.createUnbounded()
        unbounded.onNext(1)
        XCTAssertEqual(events(of: unbounded), ["next(1)"])
    }
}
