import Rx
import Synchronization
import XCTest

final class PublishSubjectTests: XCTestCase {
    func testSend_withTwoObservers_reachesBothInOrderOfSubscription() {
        let subject = PublishSubject<Int>()
        var seen: [String] = []
        _ = subject.subscribe(onNext: { seen.append("a\($0)") })
        _ = subject.subscribe(onNext: { seen.append("b\($0)") })
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(seen, ["a1", "b1", "a2", "b2"])
    }

    func testSubscribe_afterCompletion_completesAtOnceAndIgnoresLaterValues() {
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        subject.onNext(1)
        subject.onError(TestError())
        var seen: [String] = []
        _ = subject.subscribe { seen.append($0.debugDescription) }
        XCTAssertEqual(seen, ["completed"])
        XCTAssertFalse(subject.hasObservers)
    }

    func testSubscribe_afterDispose_failsWithDisposed() {
        let subject = PublishSubject<Int>()
        var first: [String] = []
        _ = subject.subscribe { first.append($0.debugDescription) }
        subject.dispose()
        subject.onNext(1)
        subject.onCompleted()
        XCTAssertEqual(first, [])
        XCTAssertTrue(subject.isDisposed)
        var failure: (any Error)?
        _ = subject.subscribe(onError: { failure = $0 })
        guard case .disposed(let object)? = failure as? RxError else {
            return XCTFail("\(String(describing: failure))")
        }
        XCTAssertTrue(object === subject)
    }

    func testDispose_afterError_changesWhatLateSubscribersGet() {
        let subject = PublishSubject<Int>()
        subject.onError(TestError())
        subject.dispose()
        var failure: (any Error)?
        _ = subject.subscribe(onError: { failure = $0 })
        guard case .disposed? = failure as? RxError else { return XCTFail("\(String(describing: failure))") }
    }

    func testSend_fromInsideAnEvent_isDelivered() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        _ = subject.subscribe(onNext: { value in
            seen.append(value)
            if value < 3 { subject.onNext(value + 1) }
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testSubscribe_fromInsideAnEvent_doesNotGetThatEvent() {
        let subject = PublishSubject<Int>()
        var inner: [Int] = []
        var isFirst = true
        _ = subject.subscribe(onNext: { _ in
            if isFirst {
                isFirst = false
                _ = subject.subscribe(onNext: { inner.append($0) })
            }
        })
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(inner, [2])
    }

    func testDispose_ofLaterObserverFromInsideAnEvent_keepsThatEventFromIt() {
        let subject = PublishSubject<Int>()
        var later: (any Disposable)?
        var seen: [Int] = []
        _ = subject.subscribe(onNext: { _ in later?.dispose() })
        later = subject.subscribe(onNext: { seen.append($0) })
        subject.onNext(1)
        XCTAssertEqual(seen, [])
    }

    func testHasObservers_followsSubscriptions() {
        let subject = PublishSubject<Int>()
        XCTAssertFalse(subject.hasObservers)
        let first = subject.subscribe()
        let second = subject.subscribe()
        first.dispose()
        XCTAssertTrue(subject.hasObservers)
        second.dispose()
        XCTAssertFalse(subject.hasObservers)
    }

    // MARK: Release

    func testRelease_afterCompletionErrorAndDispose_returnsEveryResource() {
        let before = Resources.total
        for end in ["completed", "error", "dispose"] {
            let subject = PublishSubject<Int>()
            let subscription = subject.map { $0 }.subscribe(onError: { _ in })
            switch end {
            case "completed": subject.onCompleted()
            case "error": subject.onError(TestError())
            default: subscription.dispose()
            }
        }
        assertResourcesBack(to: before)
    }

    func testDrop_withLiveSubscribers_releasesThem() {
        let before = Resources.total
        weak var captured: AnyObject?
        do {
            let subject = PublishSubject<Int>()
            let object = LifetimeProbe()
            captured = object
            _ = subject.subscribe(onNext: { _ in _ = object })
            _ = subject.map { $0 + 1 }.filter { $0 > 0 }.subscribe(onNext: { _ in _ = object })
            subject.onNext(1)
        }
        XCTAssertNil(captured)
        assertResourcesBack(to: before)
    }

    func testDispose_afterTheSubjectIsGone_callsOnDisposedOnce() {
        var disposals = 0
        var subject: PublishSubject<Int>? = PublishSubject()
        let subscription = subject!.subscribe(onDisposed: { disposals += 1 })
        subject = nil
        subscription.dispose()
        subscription.dispose()
        XCTAssertEqual(disposals, 1)
    }

    func testRelease_ofObserversDisposedInsideAnEvent_happensByTheEndOfTheEvent() {
        let subject = PublishSubject<Int>()
        let before = Resources.total
        let driver = subject.subscribe(onNext: { _ in
            for _ in 0..<100 { subject.subscribe().dispose() }
        })
        let within = Resources.total
        subject.onNext(1)
        assertResourcesBack(to: within)
        driver.dispose()
        withExtendedLifetime(driver) {}
        XCTAssertGreaterThanOrEqual(within, before)
    }

    // MARK: Threads

    func testSend_againstSubscribeAndDispose_losesNothingForSteadyObserver() {
        let subject = PublishSubject<Int>()
        let before = Resources.total
        let count = Atomic<Int>(0)
        let steady = subject.subscribe(onNext: { _ in count.wrappingAdd(1, ordering: .relaxed) })
        let isDone = Atomic<Bool>(false)
        concurrently(
            {
                for value in 0..<20_000 { subject.onNext(value) }
                isDone.store(true, ordering: .relaxed)
            },
            { while !isDone.load(ordering: .relaxed) { subject.subscribe(onNext: { _ in }).dispose() } },
            { while !isDone.load(ordering: .relaxed) { subject.map { $0 + 1 }.subscribe(onNext: { _ in }).dispose() } })
        XCTAssertEqual(count.load(ordering: .relaxed), 20_000)
        steady.dispose()
        XCTAssertFalse(subject.hasObservers)
        assertResourcesBack(to: before)
    }

    func testComplete_againstSubscribe_endsEveryoneExactlyOnce() {
        for _ in 0..<300 {
            let subject = PublishSubject<Int>()
            let ends = Atomic<Int>(0)
            let values = Atomic<Int>(0)
            let subscribe: @Sendable () -> Void = {
                for _ in 0..<20 {
                    _ = subject.subscribe(
                        onNext: { _ in values.wrappingAdd(1, ordering: .relaxed) },
                        onCompleted: { ends.wrappingAdd(1, ordering: .relaxed) })
                }
            }
            concurrently(
                subscribe, subscribe,
                {
                    subject.onCompleted()
                    for value in 0..<20 { subject.onNext(value) }
                })
            XCTAssertEqual(ends.load(ordering: .relaxed), 40)
            XCTAssertEqual(values.load(ordering: .relaxed), 0)
        }
    }

    func testDispose_againstSubscribeAndSend_leavesNobody() {
        let before = Resources.total
        for _ in 0..<300 {
            let subject = PublishSubject<Int>()
            concurrently(
                { for _ in 0..<20 { _ = subject.subscribe(onError: { _ in }) } },
                { for value in 0..<20 { subject.onNext(value) } },
                { subject.dispose() })
            XCTAssertFalse(subject.hasObservers)
        }
        assertResourcesBack(to: before)
    }
}
