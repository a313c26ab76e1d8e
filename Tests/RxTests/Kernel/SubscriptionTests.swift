import Rx
import XCTest

/// The objects that a retained subscription keeps alive.
final class SubscriptionTests: XCTestCase {
    private final class Screen {
        let bag = DisposeBag()
        var value = 0
    }

    func testEnd_ofASubscriptionInItsOwnersBag_releasesTheOwner() {
        let before = Resources.total
        weak var released: Screen?
        let source = PublishSubject<Int>()
        do {
            let screen = Screen()
            released = screen
            source.subscribe(onNext: { screen.value = $0 }).disposed(by: screen.bag)
            source.onNext(1)
            XCTAssertEqual(screen.value, 1)
        }
        XCTAssertNotNil(released)
        source.onCompleted()
        XCTAssertNil(released)
        XCTAssertEqual(Resources.total, before + 1)
    }

    func testSynchronousEnd_insideSubscribe_releasesTheClosures() {
        let before = Resources.total
        weak var released: Screen?
        let kept: any Disposable
        do {
            let screen = Screen()
            released = screen
            kept = Observable.just(1).subscribe(onNext: { screen.value = $0 })
        }
        XCTAssertNil(released)
        assertResourcesBack(to: before)
        kept.dispose()
    }

    func testDispose_ofAKeptSubscription_releasesTheClosures() {
        weak var released: Screen?
        let source = PublishSubject<Int>()
        let kept: any Disposable
        do {
            let screen = Screen()
            released = screen
            kept = source.subscribe(onNext: { screen.value = $0 })
        }
        XCTAssertNotNil(released)
        kept.dispose()
        XCTAssertNil(released)
        withExtendedLifetime(kept) {}
    }

    func testDropping_aSubscription_leavesTheSubscriberAtWork() {
        let source = PublishSubject<Int>()
        var seen: [Int] = []
        _ = source.subscribe(onNext: { seen.append($0) })
        source.onNext(1)
        XCTAssertEqual(seen, [1])
    }

    func testEndDisposeAndDrop_onThreeThreads_disposeOnce() {
        let before = Resources.total
        for _ in 0..<500 {
            let source = PublishSubject<Int>()
            let disposals = LockedCount()
            // The box lets one thread drop the subscription while the other threads use it.
            let box = DropBox(source.subscribe(onNext: { _ in }, onDisposed: { disposals.add() }))
            concurrently({ source.onCompleted() }, { box.take()?.dispose() }, { _ = box.take() })
            XCTAssertEqual(disposals.value, 1)
        }
        assertResourcesBack(to: before)
    }

    private final class LockedCount: @unchecked Sendable {
        // @unchecked: guarded by `lock`.
        private let lock = NSLock()
        private var count = 0
        func add() { lock.withLock { count += 1 } }
        var value: Int { lock.withLock { count } }
    }
}
