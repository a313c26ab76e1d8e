import Foundation
import Rx
import RxLegacy
import XCTest

extension Array {
    /// Swift's own `zip`, called in a place where a member of that name would hide it.
    fileprivate var neighbours: [(Element, Element)] { Swift.Array(zip(self, dropFirst())) }
}

/// Old and new spellings in one file: the old ones must not make the new ones ambiguous.
final class MixedSpellingTests: XCTestCase {
    fileprivate enum Planted: Error { case fault }

    fileprivate var seen: [String] = []

    fileprivate func events<Element>(of sequence: Observable<Element>) -> [String] {
        var events: [String] = []
        _ = sequence.subscribe { events.append($0.debugDescription) }
        return events
    }

    // MARK: Today's spelling, with the old names visible. It must compile without a warning.

    func testToday_combining_isNotAmbiguous() {
        let a = Observable.of(1)
        let b = Observable.of("x")
        XCTAssertEqual(events(of: Observable.combineLatest(a, b) { "\($0)\($1)" }), ["next(1x)", "completed"])
        XCTAssertEqual(
            events(of: Observable.combineLatest(a, b, resultSelector: { "\($0)\($1)" })), ["next(1x)", "completed"])
        XCTAssertEqual(events(of: Observable.combineLatest(a, b).map { "\($0.0)\($0.1)" }), ["next(1x)", "completed"])
        XCTAssertEqual(events(of: Observable.zip(a, b) { "\($0)\($1)" }), ["next(1x)", "completed"])
        XCTAssertEqual(events(of: Observable.zip(a, b).map { "\($0.0)\($0.1)" }), ["next(1x)", "completed"])
        XCTAssertEqual(events(of: Observable.combineLatest([a, a]) { $0.reduce(0, +) }), ["next(2)", "completed"])
    }

    func testToday_namesOfSwift_areNotHidden() {
        XCTAssertEqual([1, 2, 3].neighbours.map { $0 + $1 }, [3, 5])
        XCTAssertEqual(zip([1], ["a"]).map { "\($0)\($1)" }, ["1a"])
    }

    func testToday_creating_isNotAmbiguous() {
        XCTAssertEqual(events(of: Observable.just(1)), ["next(1)", "completed"])
        XCTAssertEqual(events(of: .just(1)), ["next(1)", "completed"])
        XCTAssertEqual(events(of: Observable<Int>.empty()), ["completed"])
        XCTAssertEqual(events(of: Observable.range(start: 1, count: 2)), ["next(1)", "next(2)", "completed"])
        let created = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.on(.completed)
            return Disposables.create()
        }
        XCTAssertEqual(events(of: created), ["next(1)", "completed"])
        XCTAssertEqual(
            events(of: created.concat(Observable.empty()).startWith(0)), ["next(0)", "next(1)", "completed"])
    }

    func testToday_time_isNotAmbiguous() {
        let scheduler = HistoricalScheduler()
        let subscriptions = [
            Observable<Int>.interval(.seconds(1), scheduler: scheduler).throttle(
                .milliseconds(300), scheduler: scheduler
            ).subscribe(),
            Observable<Int>.timer(.seconds(1), period: .seconds(1), scheduler: scheduler).debounce(
                .seconds(1), scheduler: scheduler
            ).subscribe(),
            Observable<Int>.timer(.seconds(1), scheduler: scheduler).delay(.seconds(1), scheduler: scheduler)
                .subscribe(),
            Observable.of(1).timeout(.seconds(1), scheduler: scheduler).take(for: .seconds(1), scheduler: scheduler)
                .take(1).skip(1).subscribe(),
            Observable.of(1).buffer(timeSpan: .never, count: 2, scheduler: scheduler).subscribe(),
        ]
        subscriptions.forEach { $0.dispose() }
    }

    func testToday_resultsOfOtherTypes_areThoseOfToday() {
        let array = Observable.of(1, 2).toArray()
        let end = Observable.of(1, 2).ignoreElements()
        let single: Single<[Int]> = array
        let never: Observable<Never> = end
        XCTAssertEqual(events(of: single.asObservable()), ["next([1, 2])", "completed"])
        XCTAssertEqual(events(of: never), ["completed"])
        _ = Observable.of(1, 2).toArray().subscribe(onSuccess: { self.seen.append("\($0)") })
        _ = Observable.of(1, 2).toArray().map { $0.count }.subscribe { self.seen.append("\($0)") }
        _ = Observable.of(1, 2).ignoreElements().subscribe(onCompleted: { self.seen.append("completed") })
        _ = Observable.of(1, 2).ignoreElements().asCompletable().andThen(Observable.just(3)).subscribe(onNext: {
            self.seen.append("\($0)")
        })
        XCTAssertEqual(seen, ["[1, 2]", "success(2)", "completed", "3"])
    }

    func testToday_sideEffectsAndEnds_areNotAmbiguous() {
        _ = Observable.of(1).do(onNext: { self.seen.append("do \($0)") }).subscribe {
            self.seen.append($0.debugDescription)
        }
        _ = Single.just(1).subscribe { self.seen.append("\($0)") }
        _ = Single<Int>.create { single in
            single(.failure(Planted.fault))
            return Disposables.create()
        }.subscribe(onFailure: { self.seen.append("\($0)") })
        let event = Event.next(1)
        switch event {
        case .next(let value): seen.append("\(value)")
        case .error(let error): seen.append("\(error)")
        case .completed: seen.append("completed")
        }
        XCTAssertEqual(seen, ["do 1", "next(1)", "completed", "success(1)", "fault", "1"])
    }

    func testToday_bindings_areNotAmbiguous() {
        let relay = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let subject = PublishSubject<Int>()
        _ = Observable.just(1).bind(to: relay)
        _ = Observable.just(1).bind(to: optional)
        let subscription = Observable.just(1).bind(to: subject)
        _ = Observable.just(2).bind { self.seen.append("\($0)") }
        _ = Driver.just(3).drive(relay)
        _ = Driver.just(4).drive(onNext: { self.seen.append("\($0)") })
        XCTAssertEqual([relay.value, optional.value], [3, 1])
        XCTAssertEqual(seen, ["2", "4"])
        subscription.dispose()
    }
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension MixedSpellingTests {
    func testSearchField_asInAGuideOfVersion2_findsResults() {
        struct Repository: Equatable { let name: String }
        func search(_ query: String) -> Observable<[Repository]> {
            query == "boom" ? Observable.error(Planted.fault) : [[Repository(name: query + "Rx")]].toObservable()
        }
        let scheduler = HistoricalScheduler()
        let bag = DisposeBag()
        let text = Variable("")
        let results = Variable<[Repository]>([])
        text.asObservable()
            .throttle(0.3, scheduler: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { (query: String) -> Observable<[Repository]> in
                if query.isEmpty { return .just([]) }
                return search(query).catchErrorJustReturn([])
            }
            .observeOn(MainScheduler.sharedInstance)
            .bindTo(results)
            .addDisposableTo(bag)
        text.value = "sw"
        text.value = "swift"
        scheduler.advanceTo(Date(timeIntervalSince1970: 1))
        XCTAssertEqual(results.value, [Repository(name: "swiftRx")])
        text.value = "boom"
        scheduler.advanceTo(Date(timeIntervalSince1970: 2))
        XCTAssertEqual(results.value, [])
    }

    func testSharedRequest_asInAGuideOfVersion2_runsOnce() {
        var requests = 0
        let request = Observable<Int>.create { observer in
            requests += 1
            observer.on(.Next(requests))
            return AnonymousDisposable {}
        }
        let shared = request.shareReplay(1)
        let first = shared.subscribeNext { self.seen.append("first \($0)") }
        let second = shared.doOnNext { _ in self.seen.append("seen") }.subscribe(onNext: {
            self.seen.append("second \($0)")
        })
        XCTAssertEqual(requests, 1)
        XCTAssertEqual(seen, ["first 1", "seen", "second 1"])
        first.dispose()
        second.dispose()
    }

    func testCountdown_asInAGuideOfVersion1_counts() {
        let scheduler = HistoricalScheduler()
        let subscription = interval(1, scheduler)
            .map { 3 - $0 }
            .takeWhileWithIndex { _, index in index < 3 }
            .subscribeNext { self.seen.append("\($0)") }
        scheduler.advanceTo(Date(timeIntervalSince1970: 10))
        XCTAssertEqual(seen, ["3", "2", "1"])
        subscription.dispose()
    }

    func testOldResultTypes_areChosenWhereOnlyTheyFit() {
        _ = Observable.of(1, 2).toArray().subscribe(onNext: { self.seen.append("\($0)") })
        _ = Observable.of(1, 2).toArray().subscribeNext { self.seen.append("\($0)") }
        let observable: Observable<[Int]> = Observable.of(1, 2).toArray()
        XCTAssertEqual(events(of: observable), ["next([1, 2])", "completed"])
        _ = Observable.of(1, 2).ignoreElements().andThen(Single.just(3)).subscribe(onSuccess: {
            self.seen.append("\($0)")
        })
        let completable: Completable = Observable.of(1, 2).ignoreElements()
        _ = completable.subscribe(onCompleted: { self.seen.append("completed") })
        XCTAssertEqual(seen, ["[1, 2]", "[1, 2]", "3", "completed"])
    }

    func testValidation_inOldAndNewWords_combines() {
        let name = Variable("ada")
        let password = BehaviorRelay(value: "secret")
        let old = combineLatest(name, password) { !$0.isEmpty && $1.count > 3 }
        let new = Observable.combineLatest(name.asObservable(), password) { !$0.isEmpty && $1.count > 3 }
        let both = Observable.zip(old, new) { $0 == $1 }
        let subscription = both.subscribe(onNext: { self.seen.append("\($0)") })
        password.accept("no")
        name.value = ""
        XCTAssertEqual(seen, ["true", "true", "true"])
        subscription.dispose()
    }
}
