import Rx
import XCTest

/// No operator uses stack in proportion to the data: each of these sequences ends synchronously 100,000 times on a
/// stack of 512 KiB.
///
/// A failure here is a crash. Variants run 10,000 times: 52 bytes a level, less than one frame. Chains of operators
/// differ: each operator of a chain uses stack once, during the subscription to its sequence, and frees it again.
final class FlatStackTests: XCTestCase {
    private let many = 10_000
    private let levels = 200

    /// Subscribes on the small stack. Returns the number of elements, and the end.
    private func run<Element>(_ make: @escaping () -> Observable<Element>) -> (count: Int, end: String) {
        onSmallStack {
            var count = 0
            var end = "open"
            _ = make().subscribe(
                onNext: { _ in count += 1 }, onError: { end = "\($0)" }, onCompleted: { end = "completed" })
            return (count, end)
        }
    }

    private func expect<Element>(
        _ count: Int, _ end: String = "completed", line: UInt = #line, _ make: @escaping () -> Observable<Element>
    ) {
        let outcome = run(make)
        XCTAssertEqual(outcome.count, count, line: line)
        XCTAssertEqual(outcome.end, end, line: line)
    }

    private typealias Inner = (Int) -> Observable<Int>

    /// Each kind of inner sequence and its count: sequences that send inside `subscribe`, sequences that coordinators
    /// read without a subscription, and sequences on the trampoline.
    nonisolated(unsafe) private static let inners: [(Inner, Int)] = [
        ({ .sending($0) }, 100_000), ({ .just($0) }, 100_000), ({ .of($0) }, 10_000),
        ({ number in .deferred { .just(number) } }, 10_000),
    ]

    // MARK: One after the other

    func testConcatMap_ofSynchronousInners_doesNotGrowTheStack() {
        for (inner, many) in Self.inners { expect(many) { Observable.range(start: 0, count: many).concatMap(inner) } }
    }

    func testConcatMap_whoseInnersAllWaitForTheFirst_doesNotGrowTheStack() {
        for (inner, many) in Self.inners {
            expect(many + 1) {
                // The queue is full when the first inner ends.
                let first = PublishSubject<Int>()
                return Observable<Int>.create { observer in
                    observer.onNext(-1)
                    for number in 0..<many { observer.onNext(number) }
                    first.onNext(0)
                    first.onCompleted()
                    observer.onCompleted()
                    return Disposables.create()
                }.concatMap { $0 < 0 ? first : inner($0) }
            }
        }
    }

    func testMergeMaxConcurrent1_ofSynchronousInners_doesNotGrowTheStack() {
        for (inner, many) in Self.inners {
            expect(many) { Observable.range(start: 0, count: many).map(inner).merge(maxConcurrent: 1) }
        }
    }

    func testConcat_ofALazySequence_doesNotGrowTheStack() {
        for (inner, many) in Self.inners { expect(many) { Observable.concat((0..<many).lazy.map(inner)) } }
    }

    func testConcat_ofAnArray_doesNotGrowTheStack() {
        for (inner, many) in Self.inners { expect(many) { Observable.concat((0..<many).map(inner)) } }
    }

    func testConcat_ofAnEndlessRepetition_doesNotGrowTheStack() {
        for (inner, many) in Self.inners {
            expect(many) { Observable.concat(repeatElement(inner(1), count: .max)).take(many) }
        }
    }

    func testConcat_ofEmptySequences_doesNotGrowTheStack() {
        expect(0) { [many] in Observable<Int>.concat(repeatElement(Observable.empty(), count: many)) }
    }

    func testConcat_chainedToTheLeft_survivesAThousandLevels() {
        for (inner, _) in Self.inners { expect(1_001) { (1...1_000).reduce(inner(0)) { $0.concat(inner($1)) } } }
    }

    func testStartWith_chainedToTheLeft_survivesAThousandLevels() {
        expect(1_001) { (1...1_000).reduce(Observable.just(0)) { $0.startWith($1) } }
    }

    // MARK: The latest, the first, all

    func testFlatMapLatest_ofSynchronousInners_doesNotGrowTheStack() {
        for (inner, many) in Self.inners {
            expect(many) { Observable.range(start: 0, count: many).flatMapLatest(inner) }
        }
    }

    func testSwitchLatest_ofInnersThatStayOpen_doesNotGrowTheStack() {
        expect(0, "open") { [many] in
            Observable.range(start: 0, count: many).map { _ in Observable<Int>.never() }.switchLatest()
        }
    }

    func testFlatMapFirst_ofSynchronousInners_doesNotGrowTheStack() {
        // Excludes sequences on the trampoline: they take turns with the source, whose elements are then dropped.
        for (inner, many) in Self.inners.prefix(2) {
            expect(many) { Observable.range(start: 0, count: many).flatMapFirst(inner) }
        }
    }

    func testFlatMap_ofSynchronousInners_doesNotGrowTheStack() {
        for (inner, many) in Self.inners { expect(many) { Observable.range(start: 0, count: many).flatMap(inner) } }
    }

    func testFlatMap_ofOpenInnersDisposedTogether_doesNotGrowTheStack() {
        expect(many) { [many] in
            Observable.range(start: 0, count: many).flatMap { Observable.just($0).concat(Observable.never()) }.take(
                many)
        }
    }

    func testMerge_ofAnArray_doesNotGrowTheStack() {
        for (inner, many) in Self.inners { expect(many) { Observable.merge((0..<many).map(inner)) } }
    }

    func testAmb_ofManySequences_doesNotGrowTheStack() {
        expect(1) { [many] in Observable.amb((0..<many).map { _ in Observable<Int>.never() } + [.just(1)]) }
    }

    func testAmb_chainedToTheLeft_survivesManyLevels() {
        expect(1) { [levels] in (1...levels).reduce(Observable.just(0)) { first, _ in first.amb(Observable.never()) } }
    }

    func testZip_ofManySequences_doesNotGrowTheStack() {
        expect(1) { Observable<Int>.zip((0..<10_000).map { Observable<Int>.just($0) }) }
    }

    // MARK: Repetition

    nonisolated(unsafe) private static let failures: [(() -> Observable<Int>, Int)] = [
        ({ .sending(then: .error(Planted.fault)) }, 100_000), ({ .error(Planted.fault) }, 100_000),
        ({ Observable.of(1).filter { _ in false }.concat(Observable.error(Planted.fault)) }, 10_000),
    ]

    /// A sequence that fails the given number of times, and then sends an element.
    private func attempts(_ times: Int, _ failure: @escaping () -> Observable<Int>) -> Observable<Int> {
        let remaining = Box(times)
        return Observable.deferred {
            remaining.value -= 1
            return remaining.value < 0 ? .just(1) : failure()
        }
    }

    func testRetry_ofSynchronousFailures_doesNotGrowTheStack() {
        for (failure, many) in Self.failures { expect(1) { [self] in attempts(many, failure).retry() } }
    }

    func testRetry_ofACountOfSynchronousFailures_doesNotGrowTheStack() {
        expect(0, "fault") { [many] in Observable<Int>.error(Planted.fault).retry(many) }
    }

    func testRetryWhen_withASynchronousTrigger_doesNotGrowTheStack() {
        for (failure, _) in Self.failures {
            expect(1) { [self] in attempts(many, failure).retry { (errors: Observable<any Error>) in errors } }
            expect(1) { [self] in
                attempts(many, failure).retry { (errors: Observable<any Error>) in
                    errors.flatMap { _ in Observable.of(1) }
                }
            }
        }
    }

    func testRetry_ofASharedSequence_doesNotGrowTheStack() {
        for (failure, _) in Self.failures {
            expect(1) { [self] in attempts(many, failure).share().retry() }
            expect(1) { [self] in attempts(many, failure).share(replay: 1).retry() }
            expect(1) { [self] in attempts(many, failure).publish().refCount().retry() }
        }
    }

    func testRetry_ofUsing_doesNotGrowTheStack() {
        expect(1) { [self] in
            let source = attempts(many) { .error(Planted.fault) }
            return Observable.using({ BooleanDisposable() }, observableFactory: { _ in source }).retry()
        }
    }

    func testCatch_ofASequence_doesNotGrowTheStack() {
        for (failure, many) in Self.failures {
            expect(1) { Observable.catch(sequence: (0...many).lazy.map { $0 < many ? failure() : .just(1) }) }
        }
    }

    func testCatch_chainedToTheLeft_survivesManyLevels() {
        for (failure, _) in Self.failures {
            expect(1) { [levels] in
                (1...levels).reduce(failure()) { first, level in
                    first.catch { _ in level < levels ? failure() : .just(1) }
                }
            }
        }
    }

    func testRepeatElement_ofAnElement_doesNotGrowTheStack() {
        expect(100_000) { Observable.repeatElement(1).take(100_000) }
        expect(many) { [many] in Observable.repeatElement(1).concatMap { Observable.of($0) }.take(many) }
    }

    func testIfEmpty_chainedToTheLeft_survivesManyLevels() {
        expect(1) { [levels] in
            (1...levels).reduce(Observable<Int>.empty()) { first, level in
                first.ifEmpty(switchTo: level < levels ? .empty() : .just(1))
            }
        }
    }

    // MARK: On a scheduler that runs work at once

    func testObserveOn_aSchedulerThatRunsWorkAtOnce_doesNotGrowTheStack() {
        expect(many) { [many] in Observable.range(start: 0, count: many).observe(on: CurrentThreadScheduler.instance) }
        expect(many) { [many] in Observable.range(start: 0, count: many).observe(on: InlineScheduler()) }
    }

    func testGenerate_onASchedulerThatRunsWorkAtOnce_doesNotGrowTheStack() {
        expect(many) { [many] in
            Observable.generate(
                initialState: 0, condition: { $0 < many }, scheduler: InlineScheduler(), iterate: { $0 + 1 })
        }
    }

    // MARK: Release

    func testDispose_ofManyOpenInners_doesNotGrowTheStack() {
        let before = Resources.total
        onSmallStack { [many] in
            let subject = PublishSubject<Int>()
            let subscription = subject.flatMap { _ in Observable<Int>.never() }.subscribe()
            for number in 0..<many { subject.onNext(number) }
            subscription.dispose()
        }
        assertResourcesBack(to: before)
    }

    func testRelease_ofAChainOfManyLevels_needsNoMore() {
        let before = Resources.total
        onSmallStack { [levels] in
            var chain = Observable<Int>.never()
            for level in 0..<levels {
                chain = level % 2 == 0 ? chain.startWith(level) : chain.concat(Observable.just(level))
            }
            let subscription = chain.subscribe()
            subscription.dispose()
        }
        assertResourcesBack(to: before)
    }
}
