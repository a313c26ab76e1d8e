import Rx
import RxBlocking
import RxTest
import XCTest

/// Calls every public name that all primitive sequences share, and every name of `Single`, in the form that users
/// write. The arities of `zip` are in `ArityForms`.
final class SingleFormsTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)
    private let failing = Single<Int>.error(Planted.fault)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    // MARK: All primitive sequences

    func testTypes() {
        let single: PrimitiveSequence<SingleTrait, Int> = Single.just(1)
        let maybe: PrimitiveSequence<MaybeTrait, Int> = Maybe.just(1)
        let completable: PrimitiveSequence<CompletableTrait, Never> = Completable.empty()
        XCTAssertEqual(single.primitiveSequence.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(maybe.asObservable().synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(completable.asObservable().synchronousEvents, ["completed"])
        let events: [SingleEvent<Int>] = [.success(1), .failure(Planted.fault)]
        let result: Result<Int, any Error> = events[0]
        XCTAssertEqual(try result.get(), 1)
        let observer: Single<Int>.SingleObserver = { _ in }
        observer(events[1])
    }

    /// A function that is written once for all primitive sequences, also by users.
    private func twice<Sequence: PrimitiveSequenceType>(
        _ sequence: Sequence
    ) -> PrimitiveSequence<Sequence.Trait, Sequence.Element> {
        sequence.primitiveSequence.retry(2)
    }

    func testCreatingForAllTraits() throws {
        XCTAssertEqual(try all(Single.deferred { .just(1) }), [1])
        XCTAssertEqual(try all(Maybe<Int>.deferred { throw Planted.fault }.catchAndReturn(2)), [2])
        XCTAssertEqual(Completable.deferred { .empty() }.synchronousEvents, ["completed"])
        let resource = BooleanDisposable()
        XCTAssertEqual(try all(Single.using({ resource }, primitiveSequenceFactory: { _ in Single.just(1) })), [1])
        XCTAssertTrue(resource.isDisposed)
        XCTAssertEqual(Completable.using({ BooleanDisposable() }) { _ in .empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(
            Maybe<Int>.using({ throw Planted.fault }, primitiveSequenceFactory: { (_: BooleanDisposable) in .empty() })
                .synchronousEvents, ["error(fault)"])
        let scheduler = scheduler
        let result = scheduler.start { Single<Int>.timer(.seconds(10), scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(210, 0), .completed(210)])
    }

    func testTimeForAllTraits() {
        func events(_ single: @escaping (TestScheduler) -> Single<Int>) -> [Recorded<Event<Int>>] {
            let scheduler = TestScheduler(initialClock: 0)
            return scheduler.start { single(scheduler) }.events
        }
        XCTAssertEqual(events { Single.just(1).delay(.seconds(10), scheduler: $0) }, [.next(210, 1), .completed(211)])
        XCTAssertEqual(
            events { Single.just(1).delaySubscription(.seconds(10), scheduler: $0) }, [.next(210, 1), .completed(210)])
        XCTAssertEqual(events { Single.just(1).observe(on: $0) }, [.next(201, 1), .completed(202)])
        XCTAssertEqual(events { Single.just(1).subscribe(on: $0) }, [.next(201, 1), .completed(201)])
        XCTAssertEqual(
            events { Single<Int>.never().timeout(.seconds(10), scheduler: $0) }, [.error(210, RxError.timeout)])
        XCTAssertEqual(
            events { Single.never().timeout(.seconds(10), other: .just(2), scheduler: $0) },
            [.next(210, 2), .completed(210)])
    }

    func testRecoveringForAllTraits() throws {
        XCTAssertEqual(try all(failing.catch { error in .just(error is Planted ? 7 : 0) }), [7])
        XCTAssertEqual(Completable.error(Planted.fault).catch { _ in .empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(
            Maybe<Int>.error(Planted.fault).catch { _ in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(failing.retry(2).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(twice(failing).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(
            failing.retry { errors in errors.flatMap { Observable<Int>.error($0) } }.synchronousEvents, ["error(fault)"]
        )
        XCTAssertEqual(
            failing.retry(when: { (errors: Observable<Planted>) in errors.flatMap { Observable<Int>.error($0) } })
                .synchronousEvents, ["error(fault)"])
        let attempts = Notes()
        let counted = Completable.deferred {
            attempts.add("attempt")
            return attempts.lines.count < 3 ? .error(Planted.fault) : .empty()
        }
        XCTAssertEqual(
            counted.retry { (errors: Observable<any Error>) in errors.map { _ in () } }.synchronousEvents, ["completed"]
        )
        XCTAssertEqual(attempts.lines.count, 3)
    }

    func testDebugForAllTraits() throws {
        XCTAssertEqual(try all(Single.just(1).debug()), [1])
        XCTAssertEqual(try all(Maybe<Int>.empty().debug("maybe")), [])
        XCTAssertEqual(
            try all(
                Completable.empty().debug(
                    "completable", trimOutput: true, file: #file, line: #line, function: #function)
            ).count, 0)
    }

    // MARK: Single

    func testCreate() throws {
        let single = Single<Int>.create { single in
            single(.success(1))
            return Disposables.create()
        }
        XCTAssertEqual(try all(single), [1])
        let fails = Single<Int>.create(subscribe: { observer in
            observer(.failure(Planted.fault))
            return Disposables.create {}
        })
        XCTAssertEqual(fails.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(try all(Single.just(1, scheduler: CurrentThreadScheduler.instance)), [1])
        XCTAssertEqual(Single<Int>.never().synchronousEvents, [])
        let inferred: Single<String> = .just("a")
        XCTAssertEqual(try inferred.toBlocking().single(), "a")
    }

    func testSubscribe() {
        let notes = Notes()
        Single.just(1).subscribe { notes.add("\($0)") }.dispose()
        Single.just(1).subscribe(
            onSuccess: { notes.add("\($0)") }, onFailure: { _ in }, onDisposed: { notes.add("disposed") }
        ).dispose()
        failing.subscribe(onFailure: { notes.add("\($0)") }).dispose()
        Single.just(2).subscribe(onSuccess: { notes.add("\($0)") }).dispose()
        Single.just(2).subscribe(onSuccess: { notes.add("\($0)") }, onFailure: { notes.add("\($0)") }).dispose()
        Single.just(3).subscribe().dispose()
        Single.just(3).subscribe(
            with: notes, onSuccess: { $0.add("\($1)") }, onFailure: { $0.add("\($1)") },
            onDisposed: { $0.add("disposed") }
        ).dispose()
        Single.just(4).subscribe(with: notes) { notes, value in
            notes.add("\(value)")
        } onFailure: { notes, error in
            notes.add("\(error)")
        }.dispose()
        XCTAssertEqual(notes.lines, ["success(1)", "1", "disposed", "fault", "2", "2", "3", "disposed", "4"])
    }

    func testDo() {
        let notes = Notes()
        let single = Single.just(1).do(
            onSuccess: { notes.add("on \($0)") }, afterSuccess: { notes.add("after \($0)") }, onError: { _ in },
            afterError: { _ in },
            onSubscribe: { notes.add("subscribe") }, onSubscribed: { notes.add("subscribed") },
            onDispose: { notes.add("dispose") })
        single.subscribe(onSuccess: { notes.add("\($0)") }).dispose()
        XCTAssertEqual(notes.lines, ["subscribe", "on 1", "1", "after 1", "subscribed", "dispose"])
        XCTAssertEqual(Single.just(1).do(onSuccess: { _ in throw Planted.fault }).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(
            failing.do(onError: { notes.add("on \($0)") }, afterError: { notes.add("after \($0)") }).synchronousEvents,
            ["error(fault)"])
        XCTAssertEqual(notes.lines.suffix(2), ["on fault", "after fault"])
    }

    func testOperators() throws {
        let one = Single.just(1)
        let filtered: Maybe<Int> = one.filter { $0 > 1 }
        XCTAssertEqual(try all(filtered), [])
        XCTAssertEqual(try all(one.map { $0 + 1 }), [2])
        XCTAssertEqual(try all(one.map(String.init)), ["1"])
        XCTAssertEqual(one.map { _ -> Int in throw Planted.fault }.synchronousEvents, ["error(fault)"])
        let compact: Maybe<Int> = Single.just("x").compactMap { Int($0) }
        XCTAssertEqual(try all(compact), [])
        XCTAssertEqual(try all(Single.just("1").compactMap(Int.init)), [1])
        XCTAssertEqual(try all(one.flatMap { Single.just("\($0)") }), ["1"])
        XCTAssertEqual(
            try all(
                one.flatMap { value -> Single<Int> in
                    if value > 5 { throw Planted.fault }
                    return .just(value * 10)
                }), [10])
        let maybe: Maybe<String> = one.flatMapMaybe { _ in .empty() }
        XCTAssertEqual(try all(maybe), [])
        let completable: Completable = one.flatMapCompletable { _ in .empty() }
        XCTAssertEqual(completable.synchronousEvents, ["completed"])
        XCTAssertEqual(try all(failing.catchAndReturn(7)), [7])
        let asMaybe: Maybe<Int> = one.asMaybe()
        XCTAssertEqual(try all(asMaybe), [1])
        let asCompletable: Completable = one.asCompletable()
        XCTAssertEqual(asCompletable.synchronousEvents, ["completed"])
    }

    func testZip() throws {
        XCTAssertEqual(try all(Single.zip(Single.just(1), Single.just("a")) { "\($0)\($1)" }), ["1a"])
        XCTAssertEqual(try all(Single.zip(Single.just(1), Single.just("a"), resultSelector: { "\($0)\($1)" })), ["1a"])
        let pair: Single<(Int, String)> = Single.zip(.just(1), .just("a"))
        XCTAssertEqual(try all(pair.map { "\($0)\($1)" }), ["1a"])
        XCTAssertEqual(
            try all(Single.zip(Single.just(1), Single.just("a"), Single.just(true)).map { "\($0)\($1)\($2)" }),
            ["1atrue"])
        XCTAssertEqual(try all(Single.zip([Single.just(1), .just(2)]) { $0.reduce(0, +) }), [3])
        XCTAssertEqual(try all(Single.zip([Single.just(1), .just(2)], resultSelector: { $0.count })), [2])
        XCTAssertEqual(try all(Single.zip([Single.just(1), .just(2)])), [[1, 2]])
        XCTAssertEqual(try all(Single.zip([1, 2].lazy.map { Single.just($0) })), [[1, 2]])
        XCTAssertEqual(
            Single.zip(Single.just(1), Single.just(2)) { _, _ -> Int in throw Planted.fault }.synchronousEvents,
            ["error(fault)"])
    }

    // MARK: From an observable

    func testConversions() throws {
        let single: Single<Int> = Observable.of(1).asSingle()
        XCTAssertEqual(try all(single), [1])
        let first: Single<Int?> = Observable.of(1, 2).first()
        XCTAssertEqual(try all(first), [1])
        let maybe: Maybe<Int> = Observable<Int>.empty().asMaybe()
        XCTAssertEqual(try all(maybe), [])
        let completable: Completable = Observable.of(1, 2).ignoreElements().asCompletable()
        XCTAssertEqual(completable.synchronousEvents, ["completed"])
        XCTAssertEqual(Observable<Never>.error(Planted.fault).asCompletable().synchronousEvents, ["error(fault)"])
        XCTAssertEqual(try all(Observable.of(1, 2).flatMap { Single.just($0) }.toArray()), [[1, 2]])
    }
}
