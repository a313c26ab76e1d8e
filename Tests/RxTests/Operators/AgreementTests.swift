import Rx
import RxTest
import XCTest

/// Shared sources, sequences of sequences and ties, where the order determines which values arrive.
final class AgreementTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    private func record(_ make: (TestScheduler) -> Observable<Int>) -> String {
        let source = make(scheduler)
        let events = scheduler.start(disposed: 1000) { source }.events
        return events.map { record in
            switch record.value {
            case .next(let value): "\(value)@\(record.time)"
            case .error(let error): "!\(name(error))@\(record.time)"
            case .completed: "|@\(record.time)"
            }
        }.joined(separator: " ")
    }

    private func name(_ error: any Error) -> String {
        if let error = error as? RxError, case .timeout = error { return "timeout" }
        return "fault"
    }

    private func values(_ source: Observable<Int>) -> String {
        var lines: [String] = []
        _ = source.subscribe(
            onNext: { lines.append("\($0)") }, onError: { lines.append("!\(self.name($0))") },
            onCompleted: { lines.append("|") })
        return lines.joined(separator: " ")
    }

    // MARK: Shared sources

    func testShare_subscribedToAgainAtItsEnd_keepsItsSourceConnected() {
        for replay in 0...2 {
            let scheduler = TestScheduler(initialClock: 0)
            let ticks = Observable<Int>.interval(.seconds(1), scheduler: scheduler).share()
            let shared = ticks.take(2).share(replay: replay)
            let events = scheduler.start { shared.concat(shared) }.events
            XCTAssertEqual(
                events, [.next(201, 0), .next(202, 1), .next(203, 2), .next(204, 3), .completed(204)],
                "replay: \(replay)")
        }
    }

    func testShareForever_afterItsEnd_servesASubscriptionInsideItsReplayAtOnce() {
        let forms: [(Observable<Int>) -> Observable<Int>] = [
            { $0.share(replay: 1, scope: .forever) }, { $0.multicast(ReplaySubject.create(bufferSize: 1)).refCount() },
        ]
        for form in forms {
            let subject = PublishSubject<Int>()
            let shared = form(subject)
            let subscriptions = [shared.subscribe(onError: { _ in }), shared.subscribe(onError: { _ in })]
            subject.onNext(3)
            subject.onNext(1)
            subject.onError(Planted.fault)
            XCTAssertEqual(values(shared.flatMap { value in shared.map { value * 10 + $0 } }), "11 !fault")
            subscriptions.forEach { $0.dispose() }
        }
    }

    func testShareForever_subscribedToInsideItsReplay_connectsOnce() {
        var connections = 0
        let source = Observable<Int>.deferred {
            connections += 1
            return Observable.of(1, 2).concat(Observable.never())
        }
        let shared = source.share(replay: 1, scope: .forever)
        shared.subscribe().dispose()
        var lines: [String] = []
        let subscription = shared.flatMap { value in shared.map { "\(value):\($0)" } }
            .subscribe(onNext: { lines.append($0) })
        XCTAssertEqual(connections, 2)
        XCTAssertEqual(lines.first, "2:2")
        subscription.dispose()
    }

    // MARK: Sequences of sequences

    func testConcatMap_subscribesToTheNextInItsTurn() {
        let mapped = Observable.of(0, 1, 2, 3).concatMap { value in
            if value == 3 { throw Planted.fault }
            return Observable.of(value * 10)
        }
        XCTAssertEqual(values(mapped), "0 !fault")
    }

    func testConcat_andMergeWithALimit_subscribeToTheNextInItsTurn() {
        for limit in 1...2 {
            let outer = Observable.of(0, 1, 2, 3, 4, 5).map { value -> Observable<Int> in
                if value == 5 { throw Planted.fault }
                return Observable.of(value)
            }
            XCTAssertEqual(values(outer.merge(maxConcurrent: limit)), limit == 1 ? "0 1 !fault" : "0 1 2 3 4 !fault")
        }
    }

    func testConcatMap_ofManyThatEndAtOnce_needsNoStack() {
        let count = onSmallStack {
            var count = 0
            let subject = PublishSubject<Int>()
            _ = Observable.range(start: 0, count: 100_000).concatMap { Observable.of($0) }
                .subscribe(onNext: { _ in count += 1 })
            let subscription = subject.concatMap { value in value == 0 ? subject.take(1) : Observable.of(value) }
                .subscribe(onNext: { _ in count += 1 })
            for value in 0...10_000 { subject.onNext(value) }
            subscription.dispose()
            return count
        }
        XCTAssertEqual(count, 110_001)
    }

    func testRetryWhen_notifierEndsWithItsElement_endsASourceThatFailsInsideItsSubscription() {
        var attempts = 0
        let flaky = Observable<Int>.create { observer in
            attempts += 1
            observer.onNext(attempts)
            if attempts == 1 { observer.onError(Planted.fault) } else { observer.onCompleted() }
            return Disposables.create()
        }
        XCTAssertEqual(values(flaky.retry(when: { (errors: Observable<any Error>) in errors.take(1) })), "1 |")
        attempts = 0
        let failing = flaky.retry(when: { (errors: Observable<any Error>) in
            errors.map { _ in 0 }.take(1).concat(Observable.error(Planted.fault))
        })
        XCTAssertEqual(values(failing), "1 !fault")
    }

    func testRetryWhen_notifierEndsWhileTheNextAttemptRuns_letsItRun() {
        let result = record { scheduler in
            scheduler.createColdObservable([.next(10, 1), .error(20, Planted.fault)])
                .retry(when: { (errors: Observable<any Error>) in errors.take(1) })
        }
        XCTAssertEqual(result, "1@210 1@230 |@240")
    }

    func testSkipUntil_errorRightBehindTheFirstElementOfTheOther_ends() {
        let others: [Observable<Int>] = [
            Observable.just(0).concat(Observable.error(Planted.fault)),
            .create {
                $0.onNext(0)
                $0.onError(Planted.fault)
                return Disposables.create()
            },
        ]
        for other in others { XCTAssertEqual(values(Observable.of(1, 2).skip(until: other)), "!fault") }
        let later = PublishSubject<Int>()
        let source = PublishSubject<Int>()
        var lines: [String] = []
        let subscription = source.skip(until: later).subscribe(
            onNext: { lines.append("\($0)") }, onError: { _ in lines.append("!") })
        later.onNext(0)
        XCTAssertFalse(later.hasObservers)
        later.onError(Planted.fault)
        source.onNext(1)
        XCTAssertEqual(lines, ["1"])
        subscription.dispose()
    }

    // MARK: Ties in virtual time

    func testTimeout_elementDueWithTheTimer_comesFirstIfItWasScheduledBeforeThat() {
        let result = record { scheduler in
            scheduler.createColdObservable([.next(0, 1), .next(10, 2)])
                .timeout(.seconds(10), scheduler: scheduler)
        }
        XCTAssertEqual(result, "1@200 2@210 !timeout@220")
    }

    func testDebounce_elementDueWithTheTimer_comesAfterItIfItWasScheduledAfterThat() {
        let result = record { scheduler in
            scheduler.createColdObservable([.next(9, 1), .next(9, 2), .next(12, 0)]).observe(on: scheduler)
                .debounce(.seconds(2), scheduler: scheduler)
        }
        XCTAssertEqual(result, "2@213 0@215")
    }

    /// A timer that is moved has the place of a timer that is disposed and started again, among all other work.
    func testTimers_thatAreMoved_standWhereThoseStandThatAreStartedAgain() {
        typealias Operator = (Observable<Int>, any SchedulerType) -> Observable<Int>
        let operators: [(String, Operator)] = [
            ("debounce", { $0.debounce(.seconds(3), scheduler: $1) }),
            ("timeout", { $0.timeout(.seconds(4), scheduler: $1) }),
            ("timeout other", { $0.timeout(.seconds(3), other: Observable.just(-1), scheduler: $1) }),
        ]
        for (name, apply) in operators {
            for seed in 0..<UInt64(200) {
                func run(_ isMoved: Bool) -> [Recorded<Event<Int>>] {
                    var random = SplitMix(seed: seed)
                    let scheduler = TestScheduler(initialClock: 0)
                    var time = 0
                    let events = (0..<30).map { number -> Recorded<Event<Int>> in
                        time += Int.random(in: 0...3, using: &random)
                        return .next(time, number)
                    }
                    let cold = scheduler.createColdObservable(events)
                    let source: Observable<Int> =
                        Bool.random(using: &random) ? cold.observe(on: scheduler) : cold.asObservable()
                    let timing: any SchedulerType = isMoved ? scheduler : StartingAgain(base: scheduler)
                    return scheduler.start(disposed: 500) {
                        Observable.merge(apply(source, timing), source.delay(.seconds(3), scheduler: scheduler))
                    }.events
                }
                XCTAssertEqual(run(true), run(false), "\(name), seed \(seed)")
            }
        }
    }
}

/// A user-defined scheduler, whose timers cannot be moved.
private struct StartingAgain: SchedulerType {
    let base: TestScheduler

    var now: RxTime { base.now }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        base.schedule(state, action: action)
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { base.scheduleRelative(state, dueTime: dueTime, action: action) }
}
