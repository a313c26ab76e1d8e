import Foundation
import Synchronization
import XCTest

@testable import Rx

/// The objects that are kept for senders, and their lifetimes.
final class SenderEpochsTests: XCTestCase {
    override func setUp() {
        allowOverlappingEvents()
        let times = Bias.setTimes(16)
        addTeardownBlock { Bias.setTimes(times) }
    }

    func testSubscribeAndDispose_insideAnEvent_keepsNothingUntilItsEnd() {
        let before = Resources.total
        let subject = PublishSubject<Int>()
        var within: [Int32] = []
        let sender = subject.subscribe(onNext: { value in
            guard value == 1 else { return }
            // The event may see this subscription.
            subject.subscribe().dispose()
            let start = Resources.total
            for _ in 0..<10_000 { subject.map { $0 }.subscribe().dispose() }
            within = [start, Resources.total]
        })
        subject.onNext(1)
        XCTAssertEqual(within.first, within.last)
        sender.dispose()
        withExtendedLifetime(subject) {}
        XCTAssertGreaterThan(Resources.total, before)
    }

    func testDispose_duringAnEvent_releasesWithThatEvent_althoughALaterOneGoesOn() {
        let subject = PublishSubject<Int>()
        let inFirst = DispatchSemaphore(value: 0)
        let inSecond = DispatchSemaphore(value: 0)
        let endFirst = DispatchSemaphore(value: 0)
        let endSecond = DispatchSemaphore(value: 0)
        let stay = subject.subscribe(onNext: { value in
            if value == 1 {
                inFirst.signal()
                endFirst.wait()
            } else {
                inSecond.signal()
                endSecond.wait()
            }
        })
        weak var captured: LifetimeProbe?
        let subscription: any Disposable
        do {
            let probe = LifetimeProbe()
            captured = probe
            subscription = subject.subscribe(onNext: { _ in _ = probe })
        }
        let firstLeft = DispatchSemaphore(value: 0)
        let secondLeft = DispatchSemaphore(value: 0)
        Thread {
            subject.onNext(1)
            firstLeft.signal()
        }.start()
        inFirst.wait()
        subscription.dispose()
        XCTAssertNotNil(captured, "The first event may be on its way to it.")
        Thread {
            subject.onNext(2)
            secondLeft.signal()
        }.start()
        inSecond.wait()
        endFirst.signal()
        firstLeft.wait()
        XCTAssertNil(captured, "The second event has never seen it.")
        endSecond.signal()
        secondLeft.wait()
        stay.dispose()
    }

    func testDispose_insideMoreEventsThanEpochsAreCounted_keepsTheOuterEventWhole() {
        let before = Resources.total
        let subject = PublishSubject<Int>()
        let (second, bag) = (SerialDisposable(), DisposeBag())
        var seen: [String] = []
        weak var probe: LifetimeProbe?
        // More than twice 65,536.
        subject.subscribe(onNext: { number in
            guard number < 0 else { return }
            second.dispose()
            for inner in 0..<140_000 {
                let guest = SerialDisposable()
                guest.disposable = subject.subscribe(onNext: { _ in guest.dispose() })
                subject.onNext(inner)
            }
            XCTAssertEqual(seen, ["inner"])
        }).disposed(by: bag)
        do {
            let object = LifetimeProbe()
            probe = object
            second.disposable = subject.subscribe(onNext: { _ in _ = object })
        }
        var heardInner = false
        subject.subscribe(onNext: { number in
            if number < 0 { return seen.append("outer") }
            if !heardInner { seen.append("inner") }
            heardInner = true
        }).disposed(by: bag)
        subject.onNext(-1)
        XCTAssertEqual(seen, ["inner", "outer"])
        XCTAssertNil(probe)
        // The subject with its two observers, the bag and the disposed observer, but none of the guests.
        XCTAssertLessThan(Resources.total, before + 20)
    }

    func testDispose_withNobodyInsideAnEvent_releasesAtOnce() {
        let subject = PublishSubject<Int>()
        for _ in 0..<3 {
            var kept: [any Disposable] = []
            for _ in 0..<20 { kept.append(subject.subscribe()) }
            weak var captured: LifetimeProbe?
            let subscription: any Disposable
            do {
                let probe = LifetimeProbe()
                captured = probe
                subscription = subject.subscribe(onNext: { _ in _ = probe })
            }
            subject.onNext(1)
            subscription.dispose()
            XCTAssertNil(captured)
            kept.forEach { $0.dispose() }
        }
    }

    func testDrop_ofSubjectWithManyObservers_releasesThem() {
        let before = Resources.total
        var kept: [any Disposable] = []
        for count in [1, 2, 3, 100] {
            let subject = PublishSubject<Int>()
            for _ in 0..<count { kept.append(subject.subscribe()) }
        }
        // The remaining objects are the subscribers, which their subscriptions keep.
        kept.forEach { $0.dispose() }
        kept = []
        assertResourcesBack(to: before)
    }

    // MARK: Threads

    func testSend_byTheThreadAtHome_releasesWithTheEventWhatAnotherThreadTakesAwayDuringIt() {
        for _ in 0..<20 {
            let subject = PublishSubject<Int>()
            let seen = Guarded<[Int]>([])
            let subscription = subject.subscribe(onNext: { value in seen.withLock { $0.append(value) } })
            for value in 0..<100 { subject.onNext(value) }
            weak var captured: LifetimeProbe?
            let leaving: any Disposable
            do {
                let probe = LifetimeProbe()
                captured = probe
                leaving = subject.subscribe(onNext: { _ in _ = probe })
            }
            let nested = subject.subscribe(onNext: { value in
                guard value == 100 else { return }
                onThreads(1) { _ in leaving.dispose() }
                subject.onNext(101)
                // The event of 100 may still reach the observer.
                XCTAssertNotNil(captured)
            })
            subject.onNext(100)
            XCTAssertNil(captured)
            for value in 102..<200 { subject.onNext(value) }
            XCTAssertEqual(seen.withLock { $0 }, Array(0..<200))
            nested.dispose()
            subscription.dispose()
        }
    }

    func testSend_byTheThreadAtHome_whileAnotherTakesAway_meetsNobodyWhoIsGone() {
        for round in 0..<2_000 {
            let subject = PublishSubject<Int>()
            let seen = Guarded<[Int]>([])
            let subscription = subject.subscribe(onNext: { value in seen.withLock { $0.append(value) } })
            let leaving = (0..<4).map { _ in subject.subscribe(onNext: { [probe = LifetimeProbe()] _ in _ = probe }) }
            let isOwner = Atomic<Bool>(false)
            concurrently(
                {
                    for value in 0..<64 { subject.onNext(value) }
                    isOwner.store(true, ordering: .releasing)
                    for value in 64..<200 { subject.onNext(value) }
                },
                {
                    waitUntil { isOwner.load(ordering: .acquiring) }
                    leaving[round % 4].dispose()
                    leaving.forEach { $0.dispose() }
                })
            XCTAssertEqual(seen.withLock { $0 }, Array(0..<200))
            subscription.dispose()
            XCTAssertFalse(subject.hasObservers)
        }
    }

    func testSend_onMoreThreadsThanThereAreEpochs_releasesEverythingInTheEnd() {
        let subject = PublishSubject<Int>()
        let before = Resources.total
        let send: @Sendable () -> Void = {
            for value in 0..<300 {
                let subscription = subject.subscribe(onNext: { _ in subject.subscribe().dispose() })
                subject.onNext(value)
                subscription.dispose()
            }
        }
        concurrently(send, send, send, send, send, send)
        XCTAssertFalse(subject.hasObservers)
        assertResourcesBack(to: before)
        withExtendedLifetime(subject) {}
    }
}
