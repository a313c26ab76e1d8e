import Rx
import XCTest

/// `AsyncSequence.asObservable()`.
final class AsyncSequenceTests: XCTestCase {
    /// Counts to `count`, and then ends in the given way.
    private struct Counting: AsyncSequence {
        let count: Int
        var error: (any Error)?

        struct Iterator: AsyncIteratorProtocol {
            var next = 1
            let counting: Counting

            mutating func next() async throws -> Int? {
                defer { next += 1 }
                if next <= counting.count { return next }
                if let error = counting.error { throw error }
                return nil
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(counting: self) }
    }

    /// Returns the events up to the end, and the end of the task.
    private func events(of observable: Observable<Int>) async -> [String] {
        let notes = SharedNotes()
        let ended = TaskGate()
        let subscription = observable.subscribe {
            notes.add($0.debugDescription)
            if $0.isStopEvent { ended.open() }
        }
        await ended.wait()
        withExtendedLifetime(subscription) {}
        return notes.lines
    }

    func testAsObservable_ofSequenceThatEnds_completes() async {
        let events = await events(of: Counting(count: 2).asObservable())
        XCTAssertEqual(events, ["next(1)", "next(2)", "completed"])
    }

    func testAsObservable_ofSequenceThatThrows_fails() async {
        let events = await events(of: Counting(count: 1, error: Planted.fault).asObservable())
        XCTAssertEqual(events, ["next(1)", "error(fault)"])
    }

    func testAsObservable_ofSequenceThatThrowsCancellation_completes() async {
        let events = await events(of: Counting(count: 1, error: CancellationError()).asObservable(priority: .high))
        XCTAssertEqual(events, ["next(1)", "completed"])
    }

    func testAsObservable_isWalkedBySubscribersEach() async {
        let counting = Counting(count: 1).asObservable()
        let first = await events(of: counting)
        let second = await events(of: counting)
        XCTAssertEqual(first + second, ["next(1)", "completed", "next(1)", "completed"])
    }

    func testAsObservable_endedFromBelow_walksNoFurther() async {
        let events = await events(of: Counting(count: .max).asObservable().take(2))
        XCTAssertEqual(events, ["next(1)", "next(2)", "completed"])
    }

    func testAsObservable_thereAndBack_keepsTheElements() async throws {
        var seen: [Int] = []
        for try await value in Counting(count: 3).asObservable().map({ $0 * 10 }).values { seen.append(value) }
        XCTAssertEqual(seen, [10, 20, 30])
    }

    func testAsObservable_disposed_cancelsTheTask() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let (received, cancelled) = (TaskGate(), TaskGate())
        continuation.onTermination = { if case .cancelled = $0 { cancelled.open() } }
        let notes = SharedNotes()
        let subscription = stream.asObservable().subscribe {
            notes.add($0.debugDescription)
            received.open()
        }
        continuation.yield(1)
        await received.wait()
        subscription.dispose()
        await cancelled.wait()
        continuation.yield(2)
        XCTAssertEqual(notes.lines, ["next(1)"])
    }

    func testAsObservable_disposedWhileElementsCome_endsEachTask() async {
        let before = Resources.total
        for _ in 0..<300 {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let received = TaskGate()
            let subscription = Sent(stream.asObservable().subscribe { _ in received.open() })
            continuation.yield(0)
            await received.wait()
            onThreads(2) { index in
                if index == 0 {
                    for value in 1...50 { continuation.yield(value) }
                } else {
                    subscription.value.dispose()
                }
            }
        }
        // A task that continued would keep its sink.
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }

    func testAsObservable_atEveryEnd_releasesEverything() async {
        let before = Resources.total
        _ = await events(of: Counting(count: 2).asObservable())
        _ = await events(of: Counting(count: 2, error: Planted.fault).asObservable())
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        stream.asObservable().subscribe { _ in }.dispose()
        XCTAssertTrue(comesTrue { Resources.total <= before })
        continuation.finish()
    }
}
