import Rx
import RxBlocking
import RxTest
import XCTest

/// Calls every public name of `Infallible` in the form that users write. The arities of `combineLatest` and `zip` are
/// in `ArityForms`.
final class InfallibleFormsTests: XCTestCase {
    private let notes = Notes()
    private let source = Infallible.of(1, 2, 2, 3)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    /// The values delivered in virtual time for 1, 2, 3 at 210, 220, 230.
    private func values<Element>(
        _ apply: @escaping (Infallible<Int>, TestScheduler) -> Infallible<Element>
    ) -> [Element] {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)])
        return scheduler.start { apply(source.asInfallible(onErrorJustReturn: 0), scheduler) }.events.compactMap(
            \.value.element)
    }

    /// A generic function that an author writes once for every infallible sequence.
    private func firstTwo<Source: InfallibleType>(_ source: Source) -> Infallible<Source.Element> {
        source.asInfallible().take(2)
    }

    func testCreating() throws {
        let created = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.completed)
            return Disposables.create()
        }
        XCTAssertEqual(try all(created), [1])
        XCTAssertEqual(
            try all(
                Infallible<Int>.create(subscribe: {
                    $0(.completed)
                    return Disposables.create {}
                })), [])
        let observer: Infallible<Int>.InfallibleObserver = { _ in }
        observer(.next(1))
        let event: Event<Int> = InfallibleEvent.next(1).event
        XCTAssertEqual("\(event)", "next(1)")
        XCTAssertEqual(try all(Observable.of(InfallibleEvent.next(1), .completed).dematerialize()), [1])
        let queue = CurrentThreadScheduler.instance
        XCTAssertEqual(try all(Infallible.just(1)), [1])
        XCTAssertEqual(try all(Infallible.just(1, scheduler: queue)), [1])
        XCTAssertEqual(Infallible<Int>.never().synchronousEvents, [])
        XCTAssertEqual(Infallible<Int>.empty().synchronousEvents, ["completed"])
        XCTAssertEqual(try all(Infallible.deferred { .just(1) }), [1])
        XCTAssertEqual(try all(Infallible.of(1, 2)), [1, 2])
        XCTAssertEqual(try all(Infallible.of(1, 2, scheduler: queue)), [1, 2])
        XCTAssertEqual(try all(Infallible.from([1, 2])), [1, 2])
        XCTAssertEqual(try all(Infallible.from([1, 2], scheduler: queue)), [1, 2])
        XCTAssertEqual(try all(Infallible.from(1...2)), [1, 2])
        XCTAssertEqual(try all(Infallible.from(1...2, scheduler: queue)), [1, 2])
        XCTAssertEqual(try all(firstTwo(source)), [1, 2])
    }

    func testConverting() throws {
        let failing = Observable<Int>.error(Planted.fault)
        XCTAssertEqual(try all(failing.asInfallible(onErrorJustReturn: 7)), [7])
        XCTAssertEqual(try all(failing.asInfallible(onErrorFallbackTo: .of(7, 8))), [7, 8])
        XCTAssertEqual(try all(failing.asInfallible(onErrorRecover: { _ in .just(7) })), [7])
        XCTAssertEqual(try all(failing.asInfallible { error in .just(error is Planted ? 7 : 0) }), [7])
        XCTAssertEqual(try all(Single<Int>.error(Planted.fault).asInfallible(onErrorJustReturn: 7)), [7])
        let latest: Infallible<Int> = Observable.of(1).flatMapLatest { Infallible.just($0) }
        XCTAssertEqual(try all(latest), [1])
    }

    func testSubscribing() {
        let notes = notes
        let one = Infallible.just(1)
        one.subscribe { notes.add("\($0)") }.dispose()
        one.subscribe(
            onNext: { notes.add("\($0)") }, onCompleted: { notes.add("completed") },
            onDisposed: { notes.add("disposed") }
        ).dispose()
        one.subscribe(onNext: { notes.add("\($0)") }).dispose()
        one.subscribe().dispose()
        one.subscribe(
            with: notes, onNext: { $0.add("\($1)") }, onCompleted: { $0.add("completed") },
            onDisposed: { $0.add("disposed") }
        ).dispose()
        one.subscribe(with: notes, onNext: { notes, value in notes.add("\(value)") }).dispose()
        XCTAssertEqual(
            notes.lines, ["next(1)", "completed", "1", "completed", "disposed", "1", "1", "completed", "disposed", "1"])
    }

    func testFiltering() throws {
        XCTAssertEqual(try all(source.filter { $0 > 1 }), [2, 2, 3])
        XCTAssertEqual(try all(source.distinctUntilChanged()), [1, 2, 3])
        XCTAssertEqual(try all(source.distinctUntilChanged { $0 / 2 }), [1, 2])
        XCTAssertEqual(try all(source.distinctUntilChanged { $0 == $1 }), [1, 2, 3])
        XCTAssertEqual(try all(source.distinctUntilChanged({ $0 }, comparer: { $0 == $1 })), [1, 2, 3])
        XCTAssertEqual(try all(source.distinctUntilChanged(at: \.description)), [1, 2, 3])
        XCTAssertEqual(try all(source.take(1)), [1])
        XCTAssertEqual(try all(source.take(while: { $0 < 2 })), [1])
        XCTAssertEqual(try all(source.take(while: { $0 < 2 }, behavior: .inclusive)), [1, 2])
        XCTAssertEqual(try all(source.take(until: { $0 == 2 })), [1])
        XCTAssertEqual(try all(source.take(until: { $0 == 2 }, behavior: .inclusive)), [1, 2])
        XCTAssertEqual(try all(source.take(until: Infallible<Int>.never())), [1, 2, 2, 3])
        XCTAssertEqual(try all(source.take(until: Observable.just(1))), [])
        XCTAssertEqual(try all(source.skip(while: { $0 < 3 })), [3])
        XCTAssertEqual(try all(source.skip(until: Infallible.just(1))), [1, 2, 2, 3])
        XCTAssertEqual(try all(source.skip(until: Observable.just(1))), [1, 2, 2, 3])
        XCTAssertEqual(values { $0.take(for: .seconds(25), scheduler: $1) }, [1, 2])
        XCTAssertEqual(values { $0.debounce(.seconds(15), scheduler: $1) }, [3])
        XCTAssertEqual(values { $0.throttle(.seconds(15), scheduler: $1) }, [1, 2, 3])
        XCTAssertEqual(values { $0.throttle(.seconds(15), latest: false, scheduler: $1) }, [1, 3])
    }

    func testTransforming() throws {
        XCTAssertEqual(try all(source.map { $0 * 10 }), [10, 20, 20, 30])
        XCTAssertEqual(try all(Infallible.of("1", "x").compactMap(Int.init)), [1])
        let pair = Infallible.of(1, 2)
        XCTAssertEqual(try all(pair.flatMap { Infallible.just($0) }), [1, 2])
        XCTAssertEqual(try all(pair.flatMapLatest { Infallible.just($0) }), [1, 2])
        XCTAssertEqual(try all(pair.flatMapFirst { Infallible.just($0) }), [1, 2])
        XCTAssertEqual(try all(pair.concatMap { Infallible.of($0, $0) }), [1, 1, 2, 2])
        XCTAssertEqual(try all(pair.scan(0) { $0 + $1 }), [1, 3])
        XCTAssertEqual(try all(pair.scan(0, accumulator: +)), [1, 3])
        XCTAssertEqual(try all(pair.scan(into: []) { $0.append($1) }), [[1], [1, 2]])
        XCTAssertEqual(try all(pair.scan(into: 0, accumulator: { $0 += $1 })), [1, 3])
        XCTAssertEqual(try all(pair.withUnretained(self).map { $0 === self ? $1 : 0 }), [1, 2])
        XCTAssertEqual(try all(pair.withUnretained(self) { $0 === self ? $1 : 0 }), [1, 2])
        XCTAssertEqual(try all(pair.withUnretained(self, resultSelector: { $1 })), [1, 2])
    }

    func testCombining() throws {
        let low = Infallible.of(1, 2)
        let high = Infallible.of(10, 20)
        XCTAssertEqual(try all(low.startWith(0)), [0, 1, 2])
        XCTAssertEqual(try all(low.concat(high)), [1, 2, 10, 20])
        XCTAssertEqual(try all(Infallible.concat(low, high)), [1, 2, 10, 20])
        XCTAssertEqual(try all(Infallible.concat([low, high])), [1, 2, 10, 20])
        XCTAssertEqual(try all(Infallible.concat(AnySequence([low, high]))), [1, 2, 10, 20])
        XCTAssertEqual(try all(Infallible.merge(low, high)), [1, 10, 2, 20])
        XCTAssertEqual(try all(Infallible.merge([low, high])), [1, 10, 2, 20])
        XCTAssertEqual(try all(Infallible.merge([low, high].dropFirst())), [10, 20])
        XCTAssertEqual(try all(low.withLatestFrom(Infallible.just("x"))), ["x", "x"])
        XCTAssertEqual(try all(low.withLatestFrom(Infallible.just("x")) { "\($0)\($1)" }), ["1x", "2x"])
        XCTAssertEqual(
            try all(low.withLatestFrom(Infallible.just("x"), resultSelector: { "\($0)\($1)" })), ["1x", "2x"])
        XCTAssertEqual(try all(Infallible.combineLatest(low, high) { $0 + $1 }), [11, 12, 22])
        XCTAssertEqual(try all(Infallible.combineLatest(low, high, resultSelector: +)), [11, 12, 22])
        let pair: Infallible<(Int, Int)> = Infallible.combineLatest(low, high)
        XCTAssertEqual(try all(pair.map { $0 + $1 }), [11, 12, 22])
        XCTAssertEqual(try all(Infallible.combineLatest([low, high]) { $0.reduce(0, +) }), [11, 12, 22])
        XCTAssertEqual(try all(Infallible.combineLatest([low, high], resultSelector: { $0.count })), [2, 2, 2])
        XCTAssertEqual(try all(Infallible.combineLatest([low, high])), [[1, 10], [2, 10], [2, 20]])
        XCTAssertEqual(try all(Infallible.zip(low, high) { $0 + $1 }), [11, 22])
        XCTAssertEqual(try all(Infallible.zip(low, high, resultSelector: { $0 + $1 })), [11, 22])
    }

    func testSharingAndInspecting() async throws {
        let notes = notes
        XCTAssertEqual(try all(source.share()), [1, 2, 2, 3])
        XCTAssertEqual(try all(source.share(replay: 1, scope: .forever)), [1, 2, 2, 3])
        let inspected = Infallible.just(1).do(
            onNext: { notes.add("on \($0)") }, afterNext: { notes.add("after \($0)") },
            onCompleted: { notes.add("on completed") },
            afterCompleted: { notes.add("after completed") }, onSubscribe: { notes.add("subscribe") },
            onSubscribed: { notes.add("subscribed") },
            onDispose: { notes.add("dispose") })
        XCTAssertEqual(inspected.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            notes.lines, ["subscribe", "on 1", "after 1", "on completed", "after completed", "subscribed", "dispose"])
        XCTAssertEqual(try all(source.debug().debug("id").debug("id", trimOutput: true)), [1, 2, 2, 3])
        var seen: [Int] = []
        for await value in source.values { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 2, 3])
    }

    func testClosuresThatThrow_sendTheErrorToTheHook() {
        let notes = notes
        let sequences: [Infallible<Int>] = [
            .deferred { throw Planted.fault },
            .combineLatest([source, source]) { _ in throw Planted.fault },
            .combineLatest(source, source) { _, _ in throw Planted.fault },
            .zip(source, source) { _, _ in throw Planted.fault },
            source.distinctUntilChanged { _ -> Int in throw Planted.fault },
            source.distinctUntilChanged { (_: Int, _: Int) -> Bool in throw Planted.fault }.skip(while: { $0 == 1 }),
            source.distinctUntilChanged({ $0 }, comparer: { (_: Int, _: Int) in throw Planted.fault }).skip(while: {
                $0 == 1
            }),
            source.take(while: { _ in throw Planted.fault }),
            source.take(until: { _ in throw Planted.fault }),
            source.skip(while: { _ in throw Planted.fault }),
            source.withLatestFrom(source) { _, _ in throw Planted.fault },
            source.do(onNext: { _ in throw Planted.fault }),
        ]
        for (index, sequence) in sequences.enumerated() {
            notingUnhandledErrors(in: notes) { sequence.subscribe { notes.add("\(index) \($0)") }.dispose() }
        }
        XCTAssertEqual(notes.lines, Array(repeating: "unhandled fault", count: sequences.count))
    }

    func testBinding() throws {
        let notes = notes
        let one = Infallible.just(1)
        let subject = PublishSubject<Int>()
        let optional = PublishSubject<Int?>()
        let records = [subject.record(in: notes), optional.record(in: notes)]
        one.bind(onNext: { notes.add("\($0)") }).dispose()
        one.bind { notes.add("\($0)") }.dispose()
        one.bind(to: subject, subject).dispose()
        one.bind(to: optional).dispose()
        XCTAssertEqual(try all(one.bind(to: { $0.map { $0 + 1 } })), [2])
        func add(_ source: Infallible<Int>) -> (Int) -> Infallible<Int> { { more in source.map { $0 + more } } }
        XCTAssertEqual(try all(one.bind(to: add, curriedArgument: 5)), [6])
        XCTAssertEqual(notes.lines, ["1", "1", "next(1)", "next(1)", "completed", "next(Optional(1))", "completed"])
        let publish = PublishRelay<Int>()
        let optionalPublish = PublishRelay<Int?>()
        let behavior = BehaviorRelay(value: 0)
        let optionalBehavior = BehaviorRelay<Int?>(value: nil)
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        let optionalReplay = ReplayRelay<Int?>.createUnbound()
        one.bind(to: publish, publish).dispose()
        one.bind(to: optionalPublish).dispose()
        one.bind(to: behavior).dispose()
        one.bind(to: optionalBehavior).dispose()
        one.bind(to: replay).dispose()
        one.bind(to: optionalReplay).dispose()
        XCTAssertEqual(behavior.value, 1)
        XCTAssertEqual(optionalBehavior.value, 1)
        XCTAssertEqual(replay.synchronousEvents, ["next(1)"])
        XCTAssertEqual(optionalReplay.synchronousEvents, ["next(Optional(1))"])
        records.forEach { $0.dispose() }
    }
}
