import Rx
import Synchronization
import XCTest

final class ReplaySubjectTests: XCTestCase {
    private func events(_ subject: some ObservableType<Int>) -> [String] {
        var seen: [String] = []
        subject.subscribe { seen.append($0.debugDescription) }.dispose()
        return seen
    }

    func testSubscribe_afterMoreValuesThanTheBuffer_replaysTheLastOnes() {
        for (size, expected) in [
            (0, []), (1, ["next(5)"]), (3, ["next(3)", "next(4)", "next(5)"]), (9, (1...5).map { "next(\($0))" }),
        ] {
            let subject = ReplaySubject<Int>.create(bufferSize: size)
            (1...5).forEach(subject.onNext)
            XCTAssertEqual(events(subject), expected, "buffer of \(size)")
        }
    }

    func testSubscribe_toUnbounded_replaysEverything() {
        let subject = ReplaySubject<Int>.createUnbounded()
        (1...1000).forEach(subject.onNext)
        XCTAssertEqual(events(subject), (1...1000).map { "next(\($0))" })
    }

    func testSubscribe_afterTheEnd_replaysThenEnds() {
        let completed = ReplaySubject<Int>.create(bufferSize: 2)
        let failed = ReplaySubject<Int>.create(bufferSize: 2)
        for subject in [completed, failed] { (1...3).forEach(subject.onNext) }
        completed.onCompleted()
        failed.onError(TestError())
        completed.onNext(9)
        XCTAssertEqual(events(completed), ["next(2)", "next(3)", "completed"])
        XCTAssertEqual(events(failed), ["next(2)", "next(3)", "error(TestError())"])
    }

    func testSubscribe_afterDispose_failsWithDisposedAndReplaysNothing() {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        subject.onNext(1)
        subject.dispose()
        var seen: [Int] = []
        var failure: (any Error)?
        _ = subject.subscribe(onNext: { seen.append($0) }, onError: { failure = $0 })
        XCTAssertEqual(seen, [])
        guard case .disposed? = failure as? RxError else { return XCTFail("\(String(describing: failure))") }
    }

    func testSend_fromInsideTheReplay_queuesBehindIt() {
        let subject = ReplaySubject<Int>.create(bufferSize: 3)
        (1...3).forEach(subject.onNext)
        var seen: [Int] = []
        _ = subject.subscribe(onNext: { value in
            seen.append(value)
            if value <= 3 { subject.onNext(value * 10) }
        })
        XCTAssertEqual(seen, [1, 2, 3, 10, 20, 30])
    }

    func testSend_fromAnotherThreadDuringAReplay_returnsAtOnceAndIsDeliveredBehindIt() {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        subject.onNext(1)
        subject.onNext(2)
        var seen: [Int] = []
        _ = subject.subscribe(onNext: { value in
            // If the replay ran under a lock of the subject, this would never return.
            if value == 1 {
                concurrently {
                    subject.onNext(3)
                    subject.onNext(4)
                }
            }
            seen.append(value)
        })
        subject.onNext(5)
        XCTAssertEqual(seen, [1, 2, 3, 4, 5])
    }

    func testDispose_fromInsideTheReplay_endsIt() {
        let subject = ReplaySubject<Int>.createUnbounded()
        (1...5).forEach(subject.onNext)
        var seen: [Int] = []
        _ = subject.map { value -> Int in
            if value == 3 { throw TestError() }
            return value
        }.subscribe(onNext: { seen.append($0) }, onError: { _ in })
        XCTAssertEqual(seen, [1, 2])
        XCTAssertFalse(subject.hasObservers)
    }

    func testRelease_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        weak var remembered: LifetimeProbe?
        for end in ["completed", "error", "dispose", "drop", "disposeSubject"] {
            let subject = ReplaySubject<LifetimeProbe>.create(bufferSize: 2)
            for _ in 0..<3 {
                let value = LifetimeProbe()
                remembered = value
                subject.onNext(value)
            }
            let subscription = subject.map { $0 }.subscribe(onError: { _ in })
            switch end {
            case "completed": subject.onCompleted()
            case "error": subject.onError(TestError())
            case "dispose": subscription.dispose()
            case "disposeSubject":
                subject.dispose()
                XCTAssertNil(remembered)
            default: break
            }
        }
        XCTAssertNil(remembered)
        assertResourcesBack(to: before)
    }

    func testSubscribe_whileAnotherThreadSends_seesEveryValueOnce() {
        let subject = ReplaySubject<Int>.createUnbounded()
        let wrong = Atomic<Int>(0)
        let finished = Atomic<Int>(0)
        let subscribe: @Sendable () -> Void = {
            for _ in 0..<200 {
                let count = Atomic<Int>(0)
                _ = subject.subscribe(
                    onNext: { value in
                        let expected = count.wrappingAdd(1, ordering: .relaxed).newValue
                        if value != expected { wrong.wrappingAdd(1, ordering: .relaxed) }
                    },
                    onCompleted: {
                        if count.load(ordering: .relaxed) != 2_000 { wrong.wrappingAdd(1, ordering: .relaxed) }
                        finished.wrappingAdd(1, ordering: .relaxed)
                    })
            }
        }
        concurrently(
            {
                for value in 1...2_000 { subject.onNext(value) }
                subject.onCompleted()
            }, subscribe, subscribe)
        XCTAssertEqual(wrong.load(ordering: .relaxed), 0)
        XCTAssertEqual(finished.load(ordering: .relaxed), 400)
    }
}
