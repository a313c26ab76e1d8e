import Foundation
import Rx
import RxBlocking
import RxTest
import XCTest

/// Schedulers, tests, objects and user-defined types.
final class CommonTestingTests: XCTestCase {
    private var disposeBag = DisposeBag()

    func testHeavyWork_onABackground_returnsToASerialQueue() throws {
        let background = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
        let back = SerialDispatchQueueScheduler(internalSerialQueueName: "back")
        let result = Observable.range(start: 1, count: 5)
            .subscribe(on: background)
            .map { $0 * $0 }
            .observe(on: back)
            .toArray()
        XCTAssertEqual(try result.toBlocking(timeout: 5).single(), [1, 4, 9, 16, 25])
        let parallel = Observable.from([3, 1, 2])
            .flatMap { n in Observable.just(n, scheduler: background).map { $0 * 10 } }
            .toArray()
            .map { $0.sorted() }
        XCTAssertEqual(try parallel.toBlocking().single(), [10, 20, 30])
        let main = try Single.just(1).observe(on: MainScheduler.instance).subscribe(on: background).toBlocking(
            timeout: 5
        ).single()
        XCTAssertEqual(main, 1)
    }

    func testOperatorOfOnesOwn_overObservableType() throws {
        XCTAssertEqual(try Observable.of(1, nil, 3).unwrapped().toBlocking().toArray(), [1, 3])
        XCTAssertEqual(try Observable.of(1, 2).doubled().toBlocking().toArray(), [2, 4])
        XCTAssertEqual(try Observable.of(true, false).not().toBlocking().toArray(), [false, true])
        XCTAssertEqual(try Single.just(2).asObservable().mapTo("x").toBlocking().toArray(), ["x"])
        XCTAssertEqual(try Observable.just(4).withPrevious(startWith: 3).map { $0 + $1 }.toBlocking().single(), 7)
    }

    func testActivity_isTracked() throws {
        let activity = ActivityIndicator()
        var states: [Bool] = []
        activity.asDriver().drive(onNext: { states.append($0) }).disposed(by: disposeBag)
        let request = PublishSubject<Int>()
        request.asObservable().trackActivity(activity).subscribe().disposed(by: disposeBag)
        request.onCompleted()
        XCTAssertEqual(states, [false, true, false])
    }

    func testColdObservable_isSubscribedTwiceByRetry() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 1, simulateProcessingDelay: true)
        let xs = scheduler.createColdObservable([.next(10, 1), .error(20, RxError.unknown)])
        let result = scheduler.start { xs.retry(2) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(230, 1), .error(240, RxError.unknown)])
        XCTAssertEqual(xs.subscriptions, [Subscription(200, 220), Subscription(220, 240)])
    }

    func testObserver_ofTheScheduler_recordsWhatIsBound() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.createObserver(Int.self)
        let subject = PublishSubject<Int>()
        scheduler.scheduleAt(10) { subject.subscribe(observer).disposed(by: self.disposeBag) }
        scheduler.scheduleAt(20) { subject.onNext(1) }
        scheduler.scheduleAt(30) { subject.onCompleted() }
        scheduler.start()
        XCTAssertEqual(observer.events, [.next(20, 1), .completed(30)])
        XCTAssertRecordedElements(Array(observer.events.dropLast()), [1])
        XCTAssertTrue(observer.events[0].value.element == 1 && observer.events.last!.value.isCompleted)
        let correct = Recorded.events(.next(20, 1), .completed(30))
        XCTAssertEqual(observer.events, correct)
    }

    func testBlocking_materialized_tellsTheError() {
        let failing = Observable<Int>.of(1, 2).concat(Observable.error(RxError.noElements))
        switch failing.toBlocking().materialize() {
        case .completed: XCTFail("It fails.")
        case .failed(let elements, let error):
            XCTAssertEqual(elements, [1, 2])
            guard case RxError.noElements = error else { return XCTFail("\(error)") }
        }
        XCTAssertThrowsError(try failing.toBlocking().toArray())
        XCTAssertThrowsError(try Observable<Int>.never().toBlocking(timeout: 0.01).first())
    }

    func testCreate_withAResource_isCleanedUp() {
        var log: [String] = []
        let source = Observable<Int>.create { observer in
            log.append("open")
            observer.on(.next(1))
            return Disposables.create { log.append("close") }
        }
        source.take(1).subscribe(onNext: { log.append("\($0)") }).disposed(by: disposeBag)
        _ = Observable<Int>.using({ BooleanDisposable() }, observableFactory: { _ in source }).subscribe()
        XCTAssertEqual(log, ["open", "1", "close", "open"])
    }

    func testAsync_bridges() async throws {
        let value = try await Single<Int>.create { try await Self.answer() }.value
        XCTAssertEqual(value, 42)
        var values: [Int] = []
        for try await value in Observable.of(1, 2, 3).values { values.append(value) }
        for await value in Infallible.of(4, 5).values { values.append(value) }
        XCTAssertEqual(values, [1, 2, 3, 4, 5])
        let stream = AsyncStream<Int> { continuation in
            continuation.yield(6)
            continuation.finish()
        }
        let first = try await stream.asObservable().asSingle().value
        XCTAssertEqual(first, 6)
        let nothing = try await Maybe<Int>.empty().value
        XCTAssertNil(nothing)
        try await Completable.empty().value
    }

    func testWithUnretained_andSubscribeWith_doNotKeepTheObject() {
        let source = PublishSubject<Int>()
        var label: Label? = Label()
        weak let weakLabel = label
        var values: [Int] = []
        source.withUnretained(label!).subscribe(onNext: { label, value in values.append(value + label.count) })
            .disposed(by: disposeBag)
        source.withUnretained(label!) { $1 }.subscribe(onNext: { values.append($0) }).disposed(by: disposeBag)
        source.subscribe(with: label!, onNext: { label, value in values.append(value) }).disposed(by: disposeBag)
        source.subscribe(onNext: { [weak label] in label?.count = $0 }).disposed(by: disposeBag)
        source.onNext(1)
        label = nil
        source.onNext(2)
        XCTAssertNil(weakLabel)
        XCTAssertEqual(values, [1, 1, 1])
    }

    func testTakeUntil_deallocation_endsWithTheOwner() {
        let source = PublishSubject<Int>()
        let gone = PublishSubject<Void>()
        var completed = false
        source.take(until: gone).subscribe(onCompleted: { completed = true }).disposed(by: disposeBag)
        gone.onNext(())
        XCTAssertTrue(completed)
        XCTAssertFalse(source.hasObservers)
    }

    func testDisposeBag_replaced_ends() {
        let source = PublishSubject<Int>()
        var values: [Int] = []
        source.subscribe(onNext: { values.append($0) }).disposed(by: disposeBag)
        source.onNext(1)
        disposeBag = DisposeBag()
        source.onNext(2)
        let serial = SerialDisposable()
        serial.disposable = source.subscribe(onNext: { values.append($0) })
        source.onNext(3)
        serial.disposable = Disposables.create()
        source.onNext(4)
        let both = CompositeDisposable(source.subscribe(), source.subscribe())
        both.dispose()
        XCTAssertFalse(source.hasObservers)
        XCTAssertEqual(values, [1, 3])
    }

    private static func answer() async throws -> Int { 42 }

    /// The longest expressions that people write. They must type-check within a moment.
    func testLongChain_withoutHints_typeChecks() throws {
        let numbers = Observable.of(1, 2, 3, 4, 5, 6)
        let result =
            numbers
            .filter { $0 % 2 == 0 }
            .map { $0 * 3 }
            .flatMap { n in Observable.of(n, n + 1) }
            .map { "\($0)" }
            .scan("") { $0 + $1 }
            .map { $0.count }
            .distinctUntilChanged()
            .map { ($0, "\($0)") }
            .filter { $0.0 > 0 && !$0.1.isEmpty }
            .flatMapLatest { pair in Single.just(pair.0) }
            .do(onNext: { _ in }, onCompleted: {})
            .take(4)
            .reduce(0) { $0 + $1 }
        XCTAssertEqual(try result.toBlocking().single(), 13)
        let form = Observable.combineLatest(
            Observable.just("a"), Observable.just(1), Observable.just(true), Observable.just(2.0), Observable.just([1]),
            Observable.just("b")
        ) { name, age, isMember, score, ids, note in "\(name)\(age)\(isMember)\(score)\(ids.count)\(note)" }
        XCTAssertEqual(try form.toBlocking().single(), "a1true2.01b")
        let tuple = Observable.combineLatest(Observable.just("a"), Observable.just(1), Observable.just(true))
            .filter { $2 }
            .map { name, age, _ in "\(name)\(age)" }
        XCTAssertEqual(try tuple.toBlocking().single(), "a1")
    }
}

private final class Label: ReactiveCompatible {
    var text: String? = ""
    var isHidden = false
    var count = 0
}

private protocol OptionalType {
    associatedtype Wrapped
    var optional: Wrapped? { get }
}

extension Optional: OptionalType {
    fileprivate var optional: Wrapped? { self }
}

extension ObservableType where Element: OptionalType {
    fileprivate func unwrapped() -> Observable<Element.Wrapped> {
        flatMap { element -> Observable<Element.Wrapped> in element.optional.map(Observable.just) ?? .empty() }
    }
}

extension ObservableType where Element == Bool {
    fileprivate func not() -> Observable<Bool> { map(!) }
}

extension ObservableType {
    fileprivate func mapTo<Result>(_ value: Result) -> Observable<Result> { map { _ in value } }

    fileprivate func withPrevious(startWith first: Element) -> Observable<(Element, Element)> {
        scan((first, first)) { ($0.1, $1) }
    }

    fileprivate func trackActivity(_ indicator: ActivityIndicator) -> Observable<Element> {
        indicator.track(asObservable())
    }
}

extension ObservableType where Element == Int {
    fileprivate func doubled() -> Observable<Int> {
        Observable.create { observer in
            self.subscribe { event in
                switch event {
                case .next(let value): observer.on(.next(value * 2))
                case .error(let error): observer.on(.error(error))
                case .completed: observer.on(.completed)
                }
            }
        }
    }
}

/// From RxSwift's example application.
private final class ActivityIndicator: SharedSequenceConvertibleType {
    typealias Element = Bool
    typealias SharingStrategy = DriverSharingStrategy

    private let lock = NSRecursiveLock()
    private let relay = BehaviorRelay(value: 0)
    private let loading: SharedSequence<SharingStrategy, Bool>

    init() { loading = relay.asDriver().map { $0 > 0 }.distinctUntilChanged() }

    func track<Source: ObservableConvertibleType>(_ source: Source) -> Observable<Source.Element> {
        Observable.using(
            { () -> ActivityToken<Source.Element> in
                self.change(1)
                return ActivityToken(source: source.asObservable(), disposeAction: { self.change(-1) })
            }, observableFactory: { $0.asObservable() })
    }

    private func change(_ difference: Int) {
        lock.lock()
        relay.accept(relay.value + difference)
        lock.unlock()
    }

    func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { loading }
}

private struct ActivityToken<Element>: ObservableConvertibleType, Disposable {
    private let source: Observable<Element>
    private let cancel: Cancelable

    init(source: Observable<Element>, disposeAction: @escaping () -> Void) {
        self.source = source
        cancel = Disposables.create(with: disposeAction)
    }

    func dispose() { cancel.dispose() }
    func asObservable() -> Observable<Element> { source }
}
