import Rx
import Synchronization
import XCTest

final class BehaviorSubjectTests: XCTestCase {
    func testSubscribe_getsLatestValueThenLiveOnes() {
        let subject = BehaviorSubject(value: 0)
        subject.onNext(1)
        var seen: [Int] = []
        _ = subject.subscribe(onNext: { seen.append($0) })
        subject.onNext(2)
        XCTAssertEqual(seen, [1, 2])
    }

    func testSubscribe_afterCompletionOrError_getsOnlyTheStopEvent() {
        let completed = BehaviorSubject(value: 0)
        let failed = BehaviorSubject(value: 0)
        completed.onCompleted()
        failed.onError(TestError())
        completed.onNext(5)
        var seen: [String] = []
        _ = completed.subscribe { seen.append($0.debugDescription) }
        _ = failed.subscribe { seen.append($0.debugDescription) }
        XCTAssertEqual(seen, ["completed", "error(TestError())"])
    }

    func testValue_overTheSubjectsLife_isLatestThenThrows() throws {
        let subject = BehaviorSubject(value: 0)
        XCTAssertEqual(try subject.value(), 0)
        subject.onNext(1)
        subject.onCompleted()
        subject.onNext(2)
        XCTAssertEqual(try subject.value(), 1)
        let failed = BehaviorSubject(value: 0)
        failed.onError(TestError())
        XCTAssertThrowsError(try failed.value()) { XCTAssertTrue($0 is TestError) }
        failed.dispose()
        XCTAssertThrowsError(try failed.value()) { error in
            guard case .disposed? = error as? RxError else { return XCTFail("\(error)") }
        }
    }

    func testSend_fromInsideTheReplay_followsIt() {
        let subject = BehaviorSubject(value: 0)
        var seen: [Int] = []
        _ = subject.subscribe(onNext: { value in
            seen.append(value)
            if value == 0 {
                subject.onNext(1)
                subject.onNext(2)
                XCTAssertEqual(seen, [0])
            }
        })
        subject.onNext(3)
        XCTAssertEqual(seen, [0, 1, 2, 3])
    }

    func testEnd_fromInsideTheReplay_followsWhatWaits() {
        let subject = BehaviorSubject(value: 0)
        var seen: [String] = []
        _ = subject.subscribe { event in
            seen.append(event.debugDescription)
            if event.element == 0 {
                subject.onNext(1)
                subject.onCompleted()
            }
        }
        XCTAssertEqual(seen, ["next(0)", "next(1)", "completed"])
    }

    func testDispose_ofSubjectInsideTheReplay_silencesTheObserver() {
        let subject = BehaviorSubject(value: 0)
        var seen: [String] = []
        _ = subject.subscribe { event in
            seen.append(event.debugDescription)
            if event.element == 0 {
                subject.onNext(1)
                subject.dispose()
            }
        }
        XCTAssertEqual(seen, ["next(0)"])
        XCTAssertFalse(subject.hasObservers)
    }

    func testFailure_downstreamOfTheReplay_keepsTheObserverOffTheList() {
        let subject = BehaviorSubject(value: 0)
        var seen: [Int] = []
        // An operator that fails during the replay ends the subscription from inside the replay.
        _ = subject.map { value -> Int in
            if value == 0 { throw TestError() }
            return value
        }.subscribe(onNext: { seen.append($0) }, onError: { _ in })
        XCTAssertFalse(subject.hasObservers)
        subject.onNext(1)
        XCTAssertEqual(seen, [])
    }

    func testRelease_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for end in ["completed", "error", "dispose", "drop", "disposeSubject"] {
            let subject = BehaviorSubject(value: LifetimeProbe())
            let subscription = subject.map { $0 }.subscribe(onError: { _ in })
            switch end {
            case "completed": subject.onCompleted()
            case "error": subject.onError(TestError())
            case "dispose": subscription.dispose()
            case "disposeSubject": subject.dispose()
            default: break
            }
        }
        assertResourcesBack(to: before)
    }

    func testOldValue_whoseEndUsesTheSubject_doesNotDeadlock() {
        final class Reader {
            let atEnd: () -> Void
            init(atEnd: @escaping () -> Void) { self.atEnd = atEnd }
            deinit { atEnd() }
        }
        var isFree = false
        let subject = BehaviorSubject<Reader?>(value: nil)
        subject.onNext(
            Reader {
                concurrently { _ = try? subject.value() }
                isFree = true
            })
        subject.onNext(nil)
        XCTAssertTrue(isFree)
    }

    func testSubscribe_whileAnotherThreadSends_seesEveryValueFromThereOn() {
        let subject = BehaviorSubject(value: 0)
        let isDone = Atomic<Bool>(false)
        let gaps = Atomic<Int>(0)
        let subscribe: @Sendable () -> Void = {
            while !isDone.load(ordering: .relaxed) {
                let last = Atomic<Int>(-1)
                let subscription = subject.subscribe(onNext: { value in
                    let before = last.exchange(value, ordering: .relaxed)
                    if before != -1, value != before + 1 { gaps.wrappingAdd(1, ordering: .relaxed) }
                })
                for _ in 0..<50 where last.load(ordering: .relaxed) < 0 {}
                subscription.dispose()
            }
        }
        concurrently(
            {
                for value in 1...30_000 { subject.onNext(value) }
                isDone.store(true, ordering: .relaxed)
            }, subscribe, subscribe)
        XCTAssertEqual(gaps.load(ordering: .relaxed), 0)
        XCTAssertFalse(subject.hasObservers)
    }
}
