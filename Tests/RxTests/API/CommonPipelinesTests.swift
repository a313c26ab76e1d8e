import Foundation
import Rx
import RxBlocking
import RxTest
import XCTest

private struct Item: Equatable, Decodable {
    var id: Int
    var name: String
}

private final class Label: ReactiveCompatible {
    var text: String? = ""
    var isHidden = false
    var count = 0
}

extension Reactive where Base: Label {
    fileprivate var title: Binder<String> { Binder(base) { label, title in label.text = title } }
}

/// Drivers, sharing, subjects and the operators of everyday code.
final class CommonPipelinesTests: XCTestCase {
    private var disposeBag = DisposeBag()

    // MARK: Drivers, signals, bindings

    func testDriver_boundToALabel_showsText() {
        let label = Label()
        let count = BehaviorRelay(value: 1)
        let unread = count.asDriver().map { "\($0) unread" }
        unread.drive(label.rx.text).disposed(by: disposeBag)
        unread.drive(label.rx.title).disposed(by: disposeBag)
        count.asDriver().map { $0 == 0 }.drive(label.rx.isHidden).disposed(by: disposeBag)
        count.asDriver().drive(with: label, onNext: { label, count in label.count = count }).disposed(by: disposeBag)
        count.accept(0)
        XCTAssertEqual(label.text, "0 unread")
        XCTAssertTrue(label.isHidden)
        XCTAssertEqual(label.count, 0)
    }

    func testDriver_combined_enablesAButton() {
        let name = BehaviorRelay(value: "")
        let terms = BehaviorRelay(value: false)
        var enabled: [Bool] = []
        Driver.combineLatest(name.asDriver(), terms.asDriver()) { !$0.isEmpty && $1 }
            .distinctUntilChanged()
            .drive(onNext: { enabled.append($0) })
            .disposed(by: disposeBag)
        Driver.combineLatest(name.asDriver(), terms.asDriver())
            .map { name, terms in name.count > 0 && terms }
            .drive(onNext: { _ in })
            .disposed(by: disposeBag)
        name.accept("Ada")
        terms.accept(true)
        XCTAssertEqual(enabled, [false, true])
    }

    func testSignal_ofTaps_takesTheLatestState() {
        let taps = PublishRelay<Void>()
        let state = BehaviorRelay(value: 7)
        let opened = PublishRelay<Int>()
        var seen: [Int] = []
        opened.asSignal().emit(onNext: { seen.append($0) }).disposed(by: disposeBag)
        taps.asSignal().asObservable()
            .withLatestFrom(state)
            .bind(to: opened)
            .disposed(by: disposeBag)
        taps.asSignal().map { 0 }.emit(to: opened).disposed(by: disposeBag)
        taps.accept(())
        XCTAssertEqual(seen, [7, 0])
    }

    func testSignal_merged_navigates() {
        enum Route {
            case detail(Int)
            case settings
        }
        let detail = PublishRelay<Int>()
        let settings = PublishRelay<Void>()
        var routes: [String] = []
        Signal.merge(detail.asSignal().map(Route.detail), settings.asSignal().map { Route.settings })
            .emit(onNext: { route in
                switch route {
                case .detail(let id): routes.append("detail \(id)")
                case .settings: routes.append("settings")
                }
            })
            .disposed(by: disposeBag)
        detail.accept(3)
        settings.accept(())
        XCTAssertEqual(routes, ["detail 3", "settings"])
    }

    func testBinding_ofOptionalAndPlainValues_compiles() {
        let label = Label()
        let optional = BehaviorRelay<String?>(value: nil)
        Observable.just("plain").bind(to: optional).disposed(by: disposeBag)
        optional.bind(to: label.rx.text).disposed(by: disposeBag)
        Observable.just("x").bind(to: label.rx.text).disposed(by: disposeBag)
        optional.compactMap { $0 }.map { $0.uppercased() }.bind(to: label.rx.title).disposed(by: disposeBag)
        Observable.just(3).bind(with: label) { $0.count = $1 }.disposed(by: disposeBag)
        XCTAssertEqual(label.text, "PLAIN")
        XCTAssertEqual(label.count, 3)
    }

    func testMenu_ofToggles_remembersTheSelection() {
        let toggles = PublishSubject<Int>()
        let selected =
            toggles
            .scan(into: Set<Int>()) { set, id in
                if !set.insert(id).inserted { set.remove(id) }
            }
            .startWith([])
            .asDriver(onErrorJustReturn: [])
        var last: Set<Int> = []
        selected.drive(onNext: { last = $0 }).disposed(by: disposeBag)
        [1, 2, 1].forEach(toggles.onNext)
        XCTAssertEqual(last, [2])
    }

    func testCountdown_withTimerAndTake_reachesZero() {
        let scheduler = TestScheduler(initialClock: 0)
        let seconds = 3
        let countdown = Observable<Int>.timer(.seconds(0), period: .seconds(1), scheduler: scheduler)
            .map { seconds - $0 }
            .take(while: { $0 >= 0 })
        let result = scheduler.start { countdown }
        XCTAssertEqual(result.events, [.next(201, 3), .next(202, 2), .next(203, 1), .next(204, 0), .completed(205)])
    }

    func testDoubleTap_withBuffer_isRecognised() {
        let scheduler = TestScheduler(initialClock: 0)
        let taps = scheduler.createHotObservable([.next(213, ()), .next(215, ()), .next(240, ())])
        let result = scheduler.start {
            taps.buffer(timeSpan: .seconds(10), count: 2, scheduler: scheduler).map { $0.count }.filter { $0 == 2 }
        }
        XCTAssertEqual(result.events.map { $0.time }, [215])
    }

    // MARK: Sharing

    func testShare_withReplay_requestsOnce() {
        var requests = 0
        let response = Observable<Int>.create { observer in
            requests += 1
            observer.onNext(requests)
            return Disposables.create()
        }
        .share(replay: 1)
        var values: [Int] = []
        response.subscribe(onNext: { values.append($0) }).disposed(by: disposeBag)
        response.map { $0 * 10 }.subscribe(onNext: { values.append($0) }).disposed(by: disposeBag)
        XCTAssertEqual(requests, 1)
        XCTAssertEqual(values, [1, 10])
    }

    func testPublish_withRefCountAndConnect_sharesOneSubscription() {
        let source = PublishSubject<Int>()
        let shared = source.do(onSubscribe: {}).publish()
        var values: [Int] = []
        shared.subscribe(onNext: { values.append($0) }).disposed(by: disposeBag)
        shared.subscribe(onNext: { values.append(-$0) }).disposed(by: disposeBag)
        shared.connect().disposed(by: disposeBag)
        source.onNext(1)
        let counted = source.replay(2).refCount()
        counted.subscribe().disposed(by: disposeBag)
        source.onNext(2)
        counted.subscribe(onNext: { values.append($0 * 100) }).disposed(by: disposeBag)
        XCTAssertEqual(values, [1, -1, 2, -2, 200])
    }

    // MARK: Events

    func testMaterialize_splitsResultsAndErrors() {
        enum Oops: Error { case odd }
        let actions = PublishSubject<Int>()
        let results =
            actions
            .flatMapLatest { n -> Observable<Event<Int>> in
                (n % 2 == 0 ? Observable.just(n) : .error(Oops.odd)).materialize()
            }
            .share()
        let values = results.compactMap { $0.element }
        let errors = results.compactMap { $0.error }
        var log: [String] = []
        values.subscribe(onNext: { log.append("\($0)") }).disposed(by: disposeBag)
        errors.subscribe(onNext: { log.append("\($0)") }).disposed(by: disposeBag)
        for n in 1...3 { actions.onNext(n) }
        XCTAssertEqual(log, ["odd", "2", "odd"])
    }

    func testSubscribe_withAllClosures_hearsAll() {
        var log: [String] = []
        Observable.from(["a", "b"])
            .subscribe(
                onNext: { value in log.append(value) },
                onError: { error in log.append("\(error)") },
                onCompleted: { log.append("completed") },
                onDisposed: { log.append("disposed") }
            )
            .disposed(by: disposeBag)
        Observable.of(1).subscribe { event in
            switch event {
            case .next(let value): log.append("next \(value)")
            case .error(let error): log.append("\(error)")
            case .completed: log.append("end")
            }
        }.disposed(by: disposeBag)
        Single.just(1).subscribe { result in
            switch result {
            case .success(let value): log.append("success \(value)")
            case .failure(let error): log.append("\(error)")
            }
        }.disposed(by: disposeBag)
        XCTAssertEqual(log, ["a", "b", "completed", "disposed", "next 1", "end", "success 1"])
    }

    func testTrailingClosures_ofSubscribe_areWhatTheySay() {
        var values: [Int] = []
        _ = Single.just(1).subscribe { values.append((try? $0.get()) ?? 0) }
        _ = Single.just(2).subscribe(onSuccess: { values.append($0) })
        _ = Maybe.just(3).subscribe { if case .success(let value) = $0 { values.append(value) } }
        _ = Completable.empty().subscribe { _ in values.append(4) }
        _ = Completable.empty().subscribe(onCompleted: { values.append(5) })
        _ = Infallible.just(6).subscribe(onNext: { values.append($0) })
        _ = Observable.just(7).bind { values.append($0) }
        _ = Driver.just(8).drive { values.append($0) }
        _ = Signal.just(9).emit { values.append($0) }
        _ = Observable.just(10).subscribe { values.append($0) }
        _ = Infallible.just(11).bind { values.append($0) }
        XCTAssertEqual(values, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    }

    // MARK: Collections

    func testItems_decodedSortedAndGrouped() throws {
        let json = Data(#"[{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]"#.utf8)
        let items = try Observable.just(json)
            .decode(type: [Item].self, decoder: JSONDecoder())
            .map { $0.sorted { $0.id < $1.id } }
            .toBlocking().single()
        XCTAssertEqual(items.map(\.name), ["a", "b"])
        let counts = try Observable.from(["apple", "avocado", "banana"])
            .groupBy { $0.first! }
            .flatMap { group in group.toArray().map { "\(group.key)\($0.count)" } }
            .toBlocking().toArray()
        XCTAssertEqual(counts, ["a2", "b1"])
    }

    func testArrays_ofObservables_areCombined() throws {
        let sources = [1, 2, 3].map { Observable.just($0) }
        XCTAssertEqual(try Observable.combineLatest(sources).toBlocking().first(), [1, 2, 3])
        XCTAssertEqual(try Observable.combineLatest(sources) { $0.reduce(0, +) }.toBlocking().first(), 6)
        XCTAssertEqual(try Observable.zip(sources) { $0.max() ?? 0 }.toBlocking().first(), 3)
        XCTAssertEqual(try Observable.merge(sources).toArray().toBlocking().first(), [1, 2, 3])
        XCTAssertEqual(try Observable.concat(sources).toBlocking().toArray(), [1, 2, 3])
        XCTAssertEqual(try Observable.concat([.just(1), .just(2)]).toBlocking().toArray(), [1, 2])
        XCTAssertEqual(try Observable.merge(.just(1), .just(2)).toBlocking().toArray(), [1, 2])
        XCTAssertEqual(try Observable.amb([.never(), .just(2)]).toBlocking().toArray(), [2])
        XCTAssertEqual(try Observable.from(sources).merge(maxConcurrent: 1).toBlocking().toArray(), [1, 2, 3])
        XCTAssertEqual(try Completable.zip(.empty(), .empty()).andThen(Observable.just(1)).toBlocking().toArray(), [1])
    }

    func testPairs_ofPreviousAndCurrent_areMade() throws {
        let source = Observable.of(1, 4, 9)
        let differences = Observable.zip(source, source.skip(1)) { $1 - $0 }
        XCTAssertEqual(try differences.toBlocking().toArray(), [3, 5])
        let pairs = source.scan((0, 0)) { ($0.1, $1) }.map { "\($0.0)-\($0.1)" }
        XCTAssertEqual(try pairs.toBlocking().last(), "4-9")
        let indexed = source.enumerated().map { index, element in index * element }
        XCTAssertEqual(try indexed.toBlocking().toArray(), [0, 4, 18])
    }
}
