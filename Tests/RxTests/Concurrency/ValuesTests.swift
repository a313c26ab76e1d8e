import Rx
import XCTest

/// `values`: an observable as an asynchronous sequence.
final class ValuesTests: XCTestCase {
    func testValues_ofSequenceThatCompletes_areItsElements() async throws {
        var seen: [Int] = []
        for try await value in Observable.of(1, 2, 3).values { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testValues_withABoundedBuffer_dropWhatTheTaskIsTooSlowFor() async throws {
        var newest: [Int] = []
        for try await value in Observable.of(1, 2, 3).values(bufferingPolicy: .bufferingNewest(2)) {
            newest.append(value)
        }
        XCTAssertEqual(newest, [2, 3])
        var oldest: [Int] = []
        for await value in Infallible.of(1, 2, 3).values(bufferingPolicy: .bufferingOldest(2)) { oldest.append(value) }
        XCTAssertEqual(oldest, [1, 2])
        var driven: [Int] = []
        for await value in await Driver.of(1, 2, 3).values(bufferingPolicy: .unbounded) { driven.append(value) }
        XCTAssertEqual(driven, [1, 2, 3])
    }

    func testValues_ofTraits_areTheirs() async throws {
        var seen: [Int] = []
        for try await value in Single.just(1).values { seen.append(value) }
        for try await value in Maybe<Int>.empty().values { seen.append(value) }
        for try await _ in Completable.empty().values {}
        XCTAssertEqual(seen, [1])
    }

    func testValues_ofSequenceThatFails_throwAfterItsElements() async {
        var seen: [Int] = []
        do {
            for try await value in Observable.sending(1, 2, then: .error(Planted.fault)).values { seen.append(value) }
            XCTFail("The error was not thrown.")
        } catch {
            XCTAssertEqual("\(error)", "fault")
        }
        XCTAssertEqual(seen, [1, 2])
    }

    func testValues_readButNotYetAskedFor_keepWhatComes() async throws {
        let subject = PublishSubject<Int>()
        let values = subject.values
        for value in 1...100 { subject.onNext(value) }
        subject.onCompleted()
        var seen: [Int] = []
        for try await value in values { seen.append(value) }
        XCTAssertEqual(seen, Array(1...100))
    }

    func testValues_leftByBreak_endTheSubscription() async throws {
        let subject = PublishSubject<Int>()
        func first() async throws -> Int? {
            let values = subject.values
            subject.onNext(1)
            for try await value in values { return value }
            return nil
        }
        let value = try await first()
        XCTAssertEqual(value, 1)
        XCTAssertFalse(subject.hasObservers)
    }

    func testValues_letGoOf_endTheSubscription() {
        let subject = PublishSubject<Int>()
        do {
            let values = subject.values
            XCTAssertTrue(subject.hasObservers)
            withExtendedLifetime(values) {}
        }
        XCTAssertFalse(subject.hasObservers)
    }

    func testValues_inACancelledTask_throwCancellationAndDispose() async {
        let disposed = TaskGate()
        let seen = SharedNotes()
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            return Disposables.create { disposed.open() }
        }
        let received = TaskGate()
        let task = Task {
            for try await value in source.values {
                seen.add("\(value)")
                received.open()
            }
        }
        await received.wait()
        task.cancel()
        do {
            try await task.value
            XCTFail("The cancellation was not thrown.")
        } catch {
            XCTAssertTrue(error is CancellationError)
        }
        await disposed.wait()
        XCTAssertEqual(seen.lines, ["1"])
    }

    func testValues_whateverTheEnd_releaseEverything() async throws {
        let before = Resources.total
        for try await _ in Observable.of(1, 2).map({ $0 }).values {}
        for try await _ in Observable.of(1, 2).values { break }
        do { for try await _ in Observable<Int>.error(Planted.fault).values {} } catch {}
        do { _ = Observable<Int>.never().values }
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }

    func testValues_cancelledWhileElementsCome_disposeOnce() async {
        let before = Resources.total
        for _ in 0..<300 {
            let disposed = Tally()
            let observers = AsyncStream<AnyObserver<Int>>.makeStream()
            let source = Observable<Int>.create { observer in
                observers.continuation.yield(observer)
                return Disposables.create { disposed.add() }
            }
            let task = Task {
                var last = 0
                for try await value in source.values {
                    XCTAssertEqual(value, last + 1)
                    last = value
                }
            }
            var iterator = observers.stream.makeAsyncIterator()
            let observer = await iterator.next()!
            onThreads(2) { index in
                if index == 0 {
                    for value in 1...50 { observer.onNext(value) }
                    observer.onCompleted()
                } else {
                    task.cancel()
                }
            }
            _ = await task.result
            XCTAssertTrue(comesTrue { disposed.value == 1 })
        }
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }
}
