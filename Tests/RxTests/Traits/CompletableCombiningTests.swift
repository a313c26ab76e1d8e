import Rx
import RxTest
import XCTest

/// `andThen`, `concat` and `zip` of `Completable`.
final class CompletableCombiningTests: XCTestCase {
    private let notes = Notes()
    private let fault = Completable.error(Planted.fault)
    private let scheduler = TestScheduler(initialClock: 0)

    private func done(at time: TestTime) -> TestableObservable<Never> {
        scheduler.createColdObservable([.completed(time)])
    }
    private func failing(at time: TestTime) -> TestableObservable<Never> {
        scheduler.createColdObservable([.error(time, Planted.fault)])
    }

    // MARK: andThen

    func testAndThen_ofEachKind_subscribesAtCompletion() {
        let first = done(at: 20)
        let second = scheduler.createColdObservable([.next(30, 7), .completed(40)])
        let result = scheduler.start { first.asCompletable().andThen(second.asObservable()) }
        XCTAssertEqual(result.events, [.next(250, 7), .completed(260)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 220)])
        XCTAssertEqual(second.subscriptions, [Subscription(220, 260)])
    }

    func testAndThen_aSingleMaybeOrCompletable_givesThat() {
        let empty = Completable.empty()
        XCTAssertEqual(empty.andThen(Single.just(1)).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(empty.andThen(Single<Int>.error(Planted.other)).synchronousEvents, ["error(other)"])
        XCTAssertEqual(empty.andThen(Maybe.just(1)).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(empty.andThen(Maybe<Int>.empty()).synchronousEvents, ["completed"])
        XCTAssertEqual(empty.andThen(empty).synchronousEvents, ["completed"])
        XCTAssertEqual(empty.andThen(fault).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(empty.andThen(Observable.of(1, 2)).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testAndThen_afterAnError_doesNotSubscribe() {
        let first = failing(at: 20)
        let second = scheduler.createColdObservable([.next(30, 7), .completed(40)])
        let result = scheduler.start { first.asCompletable().andThen(second.asSingle()) }
        XCTAssertEqual(result.events, [.error(220, Planted.fault)])
        XCTAssertEqual(second.subscriptions, [])
    }

    func testAndThen_disposedMidway_disposesWhatRuns() {
        let first = done(at: 20)
        let second = scheduler.createColdObservable([.next(30, 7), .completed(40)])
        let result = scheduler.start(disposed: 230) { first.asCompletable().andThen(second.asSingle()) }
        XCTAssertEqual(result.events, [])
        XCTAssertEqual(second.subscriptions, [Subscription(220, 230)])
    }

    /// Outlives the test's thread: releasing a long chain uses stack, but running it must not.
    private var chain = Completable.empty()

    func testAndThen_manyTimes_needsNoStack() {
        for _ in 0..<2_000 {
            chain = chain.andThen(
                Completable.create {
                    $0(.completed)
                    return Disposables.create()
                })
        }
        let result = onSmallStack { [chain] in chain.andThen(Single.just(1)).synchronousEvents }
        XCTAssertEqual(result, ["next(1)", "completed"])
    }

    // MARK: concat

    func testConcat_withASecond_subscribesAtCompletion() {
        let (first, second) = (done(at: 20), done(at: 30))
        let result = scheduler.start { first.asCompletable().concat(second.asCompletable()) }
        XCTAssertEqual(result.events, [.completed(250)])
        XCTAssertEqual(second.subscriptions, [Subscription(220, 250)])
    }

    func testConcat_ofSequenceCollectionAndVariadic_runsOneAfterTheOther() {
        func noting(_ name: String) -> Completable {
            Completable.empty().do(onSubscribe: { [notes] in notes.add(name) })
        }
        let sequence = AnySequence(["a", "b"]).lazy.map { noting($0) }
        XCTAssertEqual(Completable.concat(sequence).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.concat([noting("c"), noting("d")]).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.concat(noting("e"), noting("f")).synchronousEvents, ["completed"])
        XCTAssertEqual(notes.lines, ["a", "b", "c", "d", "e", "f"])
    }

    func testConcat_atAnError_endsWithoutTheRest() {
        let notes = notes
        let last = Completable.empty().do(onSubscribe: { notes.add("last") })
        XCTAssertEqual(Completable.concat(.empty(), fault, last).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(fault.concat(last).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(notes.lines, [])
    }

    func testConcat_disposedMidway_disposesWhatRuns() {
        let (first, second) = (done(at: 20), done(at: 30))
        XCTAssertEqual(
            scheduler.start(disposed: 240) { Completable.concat(first.asCompletable(), second.asCompletable()) }.events,
            [])
        XCTAssertEqual(second.subscriptions, [Subscription(220, 240)])
    }

    // MARK: zip

    func testZip_completesWhenAllHave() {
        let (first, second, third) = (done(at: 30), done(at: 50), done(at: 10))
        let result = scheduler.start {
            Completable.zip([first, second, third].map { $0.asCompletable() })
        }
        XCTAssertEqual(result.events, [.completed(250)])
        XCTAssertEqual(
            [first, second, third].flatMap(\.subscriptions),
            [Subscription(200, 230), Subscription(200, 250), Subscription(200, 210)])
    }

    func testZip_atAnError_endsTheOthers() {
        let (first, second) = (failing(at: 30), done(at: 50))
        let result = scheduler.start { Completable.zip(first.asCompletable(), second.asCompletable()) }
        XCTAssertEqual(result.events, [.error(230, Planted.fault)])
        XCTAssertEqual(second.subscriptions, [Subscription(200, 230)])
    }

    func testZip_disposedMidway_disposesAll() {
        let (first, second) = (done(at: 30), done(at: 50))
        XCTAssertEqual(
            scheduler.start(disposed: 240) { Completable.zip(first.asCompletable(), second.asCompletable()) }.events, []
        )
        XCTAssertEqual([first, second].flatMap(\.subscriptions), [Subscription(200, 230), Subscription(200, 240)])
    }

    func testZip_ofCollectionArrayVariadicAndNothing_completes() {
        XCTAssertEqual(
            Completable.zip(Set([1, 2]).lazy.map { _ in Completable.empty() }).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.zip([.empty(), .empty()]).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.zip(.empty(), .empty()).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.zip([]).synchronousEvents, ["completed"])
    }

    // MARK: Resources

    func testCombining_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runCompletableToEveryEnd { $0.andThen(Single.just(1)) }
        runCompletableToEveryEnd { $0.andThen(Maybe.just(1)) }
        runCompletableToEveryEnd { $0.andThen(Completable.empty()) }
        runCompletableToEveryEnd { $0.andThen(Observable.of(1, 2)) }
        runCompletableToEveryEnd { Completable.empty().andThen($0) }
        runCompletableToEveryEnd { $0.concat(.empty()) }
        runCompletableToEveryEnd { Completable.concat($0, .empty()) }
        runCompletableToEveryEnd { Completable.concat(AnySequence([.empty(), $0])) }
        runCompletableToEveryEnd { Completable.zip($0, .empty()) }
        runCompletableToEveryEnd { Completable.zip([$0, .error(Planted.other)]) }
        assertResourcesBack(to: before)
    }
}
