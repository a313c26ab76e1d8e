import Rx
import RxTest
import XCTest

/// Calls every public name of shared sequences in the form that users write. The arities of `combineLatest` and `zip`
/// are in `ArityForms`.
final class SharedSequenceFormsTests: XCTestCase {
    private let notes = Notes()

    /// The values delivered in virtual time for 1, 2, 3. A driver delivers these at 211, 221 and 231.
    private func values<Result>(
        _ apply: (Driver<Int>) -> SharedSequence<some SharingStrategyProtocol, Result>
    ) -> [Result] {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)])
        var values: [Result] = []
        SharingScheduler.mock(scheduler: scheduler) {
            let sequence = apply(source.asDriver(onErrorJustReturn: 0))
            values = scheduler.start { sequence }.events.compactMap(\.value.element)
        }
        return values
    }

    // MARK: Types

    /// A user-defined strategy, which shares nothing.
    private struct Unshared: SharingStrategyProtocol {
        static var scheduler: any SchedulerType { SharingScheduler.make() }

        static func share<Element>(_ source: Observable<Element>) -> Observable<Element> { source }
    }

    /// A generic function that a user writes once for all shared sequences.
    private func firstOnly<Source: SharedSequenceConvertibleType>(
        _ source: Source
    ) -> SharedSequence<Source.SharingStrategy, Bool> {
        source.asSharedSequence().map { _ in true }.distinctUntilChanged()
    }

    func testTypes() {
        let driver: SharedSequence<DriverSharingStrategy, Int> = Driver.just(1)
        let signal: SharedSequence<SignalSharingStrategy, Int> = Signal.just(1)
        XCTAssertEqual(driver.asObservable().synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(signal.asObservable().synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(firstOnly(Driver.just(1)).synchronousEvents, ["next(true)", "completed"])
        let own: SharedSequence<Unshared, Int> = Observable.just(1).asSharedSequence(onErrorJustReturn: 0)
        XCTAssertEqual(own.synchronousEvents, ["next(1)", "completed"])
    }

    func testSharingScheduler() throws {
        let make: () -> any SchedulerType = SharingScheduler.make
        XCTAssertTrue(make() is MainScheduler)
        let mocked = HistoricalScheduler()
        SharingScheduler.mock(scheduler: mocked) { XCTAssertTrue(SharingScheduler.make() as AnyObject === mocked) }
        try SharingScheduler.mock(
            makeScheduler: { mocked },
            action: { XCTAssertTrue(try XCTUnwrap(SharingScheduler.make() as? HistoricalScheduler) === mocked) })
        SharingScheduler.mock(scheduler: mocked, action: {})
        XCTAssertThrowsError(try SharingScheduler.mock(scheduler: mocked) { throw Planted.fault })
    }

    // MARK: Creating

    func testCreating() {
        XCTAssertEqual(Driver<Int>.empty().synchronousEvents, ["completed"])
        XCTAssertEqual(Driver<Int>.never().synchronousEvents, [])
        XCTAssertEqual(Signal.just(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Driver.deferred { .just(1) }.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(values { _ in Driver.of(1, 2) }, [1, 2])
        XCTAssertEqual(values { _ in Driver.from([1, 2]) }, [1, 2])
        XCTAssertEqual(values { _ in Driver.from(1...2) }, [1, 2])
        XCTAssertEqual(values { _ in Driver.from(optional: 1) }, [1])
        XCTAssertEqual(values { _ in Signal<Int>.from(optional: nil) }, [])
        XCTAssertEqual(values { _ in Driver<Int>.interval(.seconds(300)) }, [0, 1])
        XCTAssertEqual(values { _ in Signal<Int>.timer(.seconds(100), period: .seconds(300)) }, [0, 1, 2])
    }

    func testCombining() {
        XCTAssertEqual(values { Driver.merge($0, $0) }, [1, 1, 2, 2, 3, 3])
        XCTAssertEqual(values { Driver.merge([$0, .empty()]) }, [1, 2, 3])
        XCTAssertEqual(values { Driver.merge([$0, .empty()].dropLast()) }, [1, 2, 3])
        XCTAssertEqual(values { Driver.concat([.just(0), $0]) }, [0, 1, 2, 3])
        XCTAssertEqual(values { Driver.concat(AnySequence([.just(0), $0])) }, [0, 1, 2, 3])
        XCTAssertEqual(values { Driver.zip($0, $0) { $0 + $1 } }, [2, 4, 6])
        XCTAssertEqual(values { Driver.zip($0, $0, resultSelector: { $0 * $1 }) }, [1, 4, 9])
        XCTAssertEqual(values { Driver.zip($0, $0).map { $0 + $1 } }, [2, 4, 6])
        XCTAssertEqual(values { Driver.zip([$0, $0]) { $0.reduce(0, +) } }, [2, 4, 6])
        XCTAssertEqual(values { Driver.zip([$0, $0]) }, [[1, 1], [2, 2], [3, 3]])
        XCTAssertEqual(values { Driver.combineLatest($0, Driver.just(1)) { $0 + $1 } }, [2, 3, 4])
        XCTAssertEqual(
            values { Driver.combineLatest($0, Driver.just("x"), resultSelector: { "\($0)\($1)" }) }, ["1x", "2x", "3x"])
        XCTAssertEqual(values { Driver.combineLatest($0, Driver.just("x")).map { "\($0)\($1)" } }, ["1x", "2x", "3x"])
        XCTAssertEqual(values { Driver.combineLatest([$0, .just(1)]) { $0.reduce(0, +) } }, [2, 3, 4])
        XCTAssertEqual(values { Driver.combineLatest([$0, .just(1)]) }, [[1, 1], [2, 1], [3, 1]])
        XCTAssertEqual(values { $0.startWith(0) }, [0, 1, 2, 3])
        XCTAssertEqual(values { $0.withLatestFrom(Driver.just("x")) }, ["x", "x", "x"])
        XCTAssertEqual(values { $0.withLatestFrom(Driver.just("x")) { "\($0)\($1)" } }, ["1x", "2x", "3x"])
        XCTAssertEqual(values { $0.withLatestFrom(Driver.just(1), resultSelector: { $0 + $1 }) }, [2, 3, 4])
    }

    // MARK: Operators

    func testTransforming() {
        XCTAssertEqual(values { $0.map { $0 * 10 } }, [10, 20, 30])
        XCTAssertEqual(values { $0.compactMap { $0 > 1 ? "\($0)" : nil } }, ["2", "3"])
        XCTAssertEqual(values { $0.scan(0) { $0 + $1 } }, [1, 3, 6])
        XCTAssertEqual(values { $0.scan("", accumulator: { "\($0)\($1)" }) }, ["1", "12", "123"])
        XCTAssertEqual(values { driver -> Signal<Int> in driver.flatMap { Signal.just($0) } }, [1, 2, 3])
        XCTAssertEqual(values { driver -> Driver<Int> in driver.flatMapLatest { Driver.just($0) } }, [1, 2, 3])
        XCTAssertEqual(values { driver -> Driver<Int> in driver.flatMapFirst { Driver.just($0) } }, [1, 2, 3])
        XCTAssertEqual(values { $0.map { Driver.just($0) }.switchLatest() }, [1, 2, 3])
        XCTAssertEqual(values { $0.map { Signal.just($0) }.merge() }, [1, 2, 3])
        XCTAssertEqual(values { $0.map { Driver.just($0) }.merge(maxConcurrent: 1) }, [1, 2, 3])
    }

    func testFilteringAndTime() {
        XCTAssertEqual(values { $0.filter { $0 > 1 } }, [2, 3])
        XCTAssertEqual(values { $0.skip(1) }, [2, 3])
        XCTAssertEqual(values { $0.distinctUntilChanged() }, [1, 2, 3])
        XCTAssertEqual(values { $0.distinctUntilChanged { $0 / 2 } }, [1, 2])
        XCTAssertEqual(values { $0.distinctUntilChanged { $0 / 2 == $1 / 2 } }, [1, 2])
        XCTAssertEqual(values { $0.distinctUntilChanged({ $0 / 2 }, comparer: { $0 == $1 }) }, [1, 2])
        XCTAssertEqual(values { $0.throttle(.seconds(15)) }, [1, 2, 3])
        XCTAssertEqual(values { $0.throttle(.seconds(15), latest: false) }, [1, 3])
        XCTAssertEqual(values { $0.debounce(.seconds(15)) }, [3])
        XCTAssertEqual(values { $0.delay(.seconds(15)) }, [1, 2, 3])
    }

    func testInspecting() {
        let notes = notes
        let inspected = Driver.just(1).do(
            onNext: { notes.add("on \($0)") }, afterNext: { notes.add("after \($0)") },
            onCompleted: { notes.add("on completed") },
            afterCompleted: { notes.add("after completed") }, onSubscribe: { notes.add("subscribe") },
            onSubscribed: { notes.add("subscribed") },
            onDispose: { notes.add("dispose") })
        XCTAssertEqual(inspected.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            notes.lines, ["subscribe", "on 1", "after 1", "on completed", "after completed", "subscribed", "dispose"])
        XCTAssertEqual(Signal.just(1).do(onNext: { _ in }).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            Driver.just(1).debug().debug("id", trimOutput: true).synchronousEvents, ["next(1)", "completed"])
    }

    func testWithUnretained() {
        XCTAssertEqual(
            values { $0.asSignal(onErrorJustReturn: 0).withUnretained(self).map { $0 === self ? $1 : 0 } }, [1, 2, 3])
        XCTAssertEqual(
            values { $0.asSignal(onErrorJustReturn: 0).withUnretained(self) { $0 === self ? $1 : 0 } }, [1, 2, 3])
        XCTAssertEqual(
            values { $0.asSignal(onErrorJustReturn: 0).withUnretained(self, resultSelector: { $1 }) }, [1, 2, 3])
    }

    @MainActor
    func testValues() async {
        var seen: [Int] = []
        for await value in Driver.of(1, 2).values { seen.append(value) }
        let stream: AsyncStream<Int> = Signal.just(3).values
        for await value in stream { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    // MARK: Converting

    func testConverting() {
        let failing = Observable<Int>.error(Planted.fault)
        XCTAssertEqual(failing.asDriver(onErrorJustReturn: 7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(failing.asDriver(onErrorDriveWith: .empty()).synchronousEvents, ["completed"])
        XCTAssertEqual(failing.asDriver(onErrorRecover: { _ in .just(7) }).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(
            failing.asDriver { error in .just(error is Planted ? 7 : 0) }.synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(failing.asSignal(onErrorJustReturn: 7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(failing.asSignal(onErrorSignalWith: .empty()).synchronousEvents, ["completed"])
        XCTAssertEqual(failing.asSignal(onErrorRecover: { _ in .just(7) }).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(
            failing.asSharedSequence(sharingStrategy: DriverSharingStrategy.self, onErrorJustReturn: 7)
                .synchronousEvents, ["next(7)", "completed"])
        let driver: Driver<Int> = failing.asSharedSequence(onErrorDriveWith: .empty())
        XCTAssertEqual(driver.synchronousEvents, ["completed"])
        let signal: Signal<Int> = failing.asSharedSequence(onErrorRecover: { _ in .just(7) })
        XCTAssertEqual(signal.synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(
            Single<Int>.error(Planted.fault).asDriver(onErrorJustReturn: 7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(Infallible.just(1).asDriver().synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(BehaviorRelay(value: 1).asDriver().synchronousEvents, ["next(1)"])
        XCTAssertEqual(PublishRelay<Int>().asSignal().synchronousEvents, [])
        XCTAssertEqual(Driver.just(1).asDriver().synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Signal.just(1).asSignal().synchronousEvents, ["next(1)", "completed"])
        let infallible: Infallible<Int> = Driver.just(1).asInfallible()
        XCTAssertEqual(infallible.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Signal.just(1).asDriver(onErrorJustReturn: 0).synchronousEvents, ["next(1)", "completed"])
    }
}
