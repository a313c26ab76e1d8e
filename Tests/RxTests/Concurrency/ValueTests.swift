import Rx
import XCTest

/// `value` of `Single`, `Maybe` and `Completable`.
final class ValueTests: XCTestCase {
    private func error(of body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "none"
        } catch {
            return "\(error)"
        }
    }

    func testValue_ofSynchronousSequences_isWhatTheySay() async throws {
        let one = try await Single.just(1).value
        XCTAssertEqual(one, 1)
        let some = try await Maybe.just(1).value
        XCTAssertEqual(some, 1)
        let none = try await Maybe<Int>.empty().value
        XCTAssertNil(none)
        try await Completable.empty().value
        let optional = try await Single<Int?>.just(nil).value
        XCTAssertNil(optional)
    }

    func testValue_ofSequencesThatFail_throwsTheError() async {
        let single = await error { _ = try await Single<Int>.error(Planted.fault).value }
        let maybe = await error { _ = try await Maybe<Int>.error(Planted.fault).value }
        let completable = await error { try await Completable.error(Planted.fault).value }
        XCTAssertEqual([single, maybe, completable], ["fault", "fault", "fault"])
    }

    func testValue_ofAnEventOnAnotherThread_isThat() async throws {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let one = try await Single.just(1).observe(on: scheduler).value
        XCTAssertEqual(one, 1)
        let none = try await Maybe<Int>.empty().observe(on: scheduler).value
        XCTAssertNil(none)
        try await Completable.empty().observe(on: scheduler).value
    }

    func testValue_ofAValueFollowedByAnError_isTheValue() async throws {
        let one = try await Single.just(1).do(afterSuccess: { _ in throw Planted.fault }).value
        XCTAssertEqual(one, 1)
    }

    func testValue_ofSingleWithoutAValue_throwsNoElements() async {
        // Only a retry without attempts ends a `Single` like this.
        let error = await error { _ = try await Single.just(1).retry(0).value }
        XCTAssertEqual(error, "Sequence doesn't contain any elements.")
    }

    func testValue_ofCancelledTask_disposesAndThrowsCancellation() async {
        let (subscribed, disposed) = (TaskGate(), Tally())
        let single = Single<Int>.create { _ in
            subscribed.open()
            return Disposables.create { disposed.add() }
        }
        let task = Task { try await single.value }
        await subscribed.wait()
        task.cancel()
        let error = await error { _ = try await task.value }
        XCTAssertEqual(error, "CancellationError()")
        XCTAssertEqual(disposed.value, 1)
    }

    func testValue_ofMaybeAndCompletable_throwCancellationToo() async {
        for start in [{ _ = try await Maybe<Int>.never().value }, { try await Completable.never().value }]
            as [@Sendable () async throws -> Void]
        {
            let task = Task { try await start() }
            task.cancel()
            let error = await error { try await task.value }
            XCTAssertEqual(error, "CancellationError()")
        }
    }

    func testValue_inATaskCancelledBefore_hasASynchronousAnswer_andDisposes() async throws {
        let (cancelled, disposals) = (TaskGate(), Tally())
        let single = Single<Int>.create { single in
            single(.success(1))
            return Disposables.create { disposals.add() }
        }
        let task = Task {
            await cancelled.wait()
            return try await single.value
        }
        task.cancel()
        cancelled.open()
        let one = try await task.value
        XCTAssertEqual(one, 1)
        XCTAssertEqual(disposals.value, 1)
    }

    func testValue_whateverTheEnd_releasesEverything() async throws {
        let before = Resources.total
        _ = try await Single.just(1).map { $0 }.value
        _ = try await Maybe<Int>.empty().value
        _ = await error { try await Completable.error(Planted.fault).value }
        let subscribed = TaskGate()
        let task = Task { try await Single<Int>.never().do(onSubscribed: { subscribed.open() }).value }
        await subscribed.wait()
        task.cancel()
        _ = await error { _ = try await task.value }
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }
}

/// An event, a disposal and a cancellation at the same time: `value` returns exactly once. (A checked continuation
/// traps at a second answer, and the test hangs without an answer.)
final class ValueRaceTests: XCTestCase {
    private let rounds = 500

    /// Starts a task that waits for `value`, and passes its observer to `race` once the task waits.
    private func rounds(
        _ race: (_ send: @escaping @Sendable (SingleEvent<Int>) -> Void, _ task: Task<Int, any Error>) -> Void
    ) async -> [String] {
        var answers: [String] = []
        for _ in 0..<rounds {
            let observers = AsyncStream<@Sendable (SingleEvent<Int>) -> Void>.makeStream()
            let disposed = Tally()
            let single = Single<Int>.create { single in
                observers.continuation.yield(single)
                return Disposables.create { disposed.add() }
            }
            let task = Task { try await single.value }
            var iterator = observers.stream.makeAsyncIterator()
            let send = await iterator.next()!
            race(send, task)
            switch await task.result {
            case .success(let value): answers.append("\(value)")
            case .failure(let error): answers.append("\(error)")
            }
            XCTAssertTrue(comesTrue { disposed.value == 1 })
        }
        return answers
    }

    func testValue_ofSuccessFailureAndCancellationAtOnce_isAnsweredOnce() async {
        let before = Resources.total
        let answers = await rounds { send, task in
            onThreads(3) { index in
                switch index {
                case 0: send(.success(1))
                case 1: send(.failure(Planted.fault))
                default: task.cancel()
                }
            }
        }
        XCTAssertEqual(answers.count, 500)
        XCTAssertEqual(Set(answers).subtracting(["1", "fault", "CancellationError()"]), [])
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }

    func testValue_ofSuccessAndCancellationAtOnce_isAnsweredOnce() async {
        let answers = await rounds { send, task in
            onThreads(2) { index in if index == 0 { send(.success(1)) } else { task.cancel() } }
        }
        XCTAssertEqual(answers.count, 500)
        XCTAssertEqual(Set(answers).subtracting(["1", "CancellationError()"]), [])
    }

    /// Starts 1000 tasks that wait for a `value`, and then runs both actions on each, on two synchronised threads.
    private func thousandRaces(
        _ first: @escaping @Sendable (AnyObserver<Int>, Task<Int, any Error>) -> Void,
        _ second: @escaping @Sendable (AnyObserver<Int>, Task<Int, any Error>) -> Void
    ) async -> [String] {
        var waiting: [(observer: AnyObserver<Int>, task: Task<Int, any Error>)] = []
        for _ in 0..<1_000 {
            let observers = AsyncStream<AnyObserver<Int>>.makeStream()
            let source = Observable<Int>.create {
                observers.continuation.yield($0)
                return Disposables.create()
            }
            let task = Task { try await Single(raw: source).value }
            var iterator = observers.stream.makeAsyncIterator()
            waiting.append((await iterator.next()!, task))
        }
        let pace = Pace()
        onThreads(2) { [waiting] index in
            for (round, (observer, task)) in waiting.enumerated() {
                // One of the threads runs a little later than the other, by a different span each time.
                pace.meet(round, delayedBy: index == 0 ? round % 32 : 16)
                (index == 0 ? first : second)(observer, task)
            }
        }
        var answers: [String] = []
        for (_, task) in waiting {
            switch await task.result {
            case .success(let value): answers.append("\(value)")
            case .failure(let error): answers.append("\(error)")
            }
        }
        return answers
    }

    func testValue_ofThousandEventsAgainstCancellations_isAnsweredOnceEach() async {
        var seen: Set<String> = []
        for _ in 0..<10 {
            seen.formUnion(
                await thousandRaces(
                    { observer, _ in
                        observer.onNext(1)
                        observer.onCompleted()
                    }, { _, task in task.cancel() }))
        }
        XCTAssertEqual(seen.subtracting(["1", "CancellationError()"]), [])
    }

    /// A source that sends from two threads at once breaks the rules. It makes the race more likely than a correct
    /// source does.
    func testValue_ofThousandSourcesThatSendFromTwoThreads_isAnsweredOnceEach() async {
        var seen: Set<String> = []
        for _ in 0..<10 {
            seen.formUnion(
                await thousandRaces({ observer, _ in observer.onNext(1) }, { observer, _ in observer.onNext(2) }))
        }
        XCTAssertEqual(seen.subtracting(["1", "2"]), [])
    }

    func testValue_cancelledWhileItSubscribes_isAnsweredOnce() async {
        let before = Resources.total
        let (opened, disposed) = (Tally(), Tally())
        for _ in 0..<rounds {
            let single = Single<Int>.create { _ in
                opened.add()
                return Disposables.create { disposed.add() }
            }
            let task = Task { try await single.value }
            // Cancels the task before it has begun, while it subscribes, or after that.
            onThreads(2) { index in if index == 0 { task.cancel() } }
            let result = await task.result
            XCTAssertThrowsError(try result.get())
        }
        XCTAssertTrue(comesTrue { opened.value == disposed.value && Resources.total <= before })
    }
}
