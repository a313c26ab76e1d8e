import Rx
import XCTest

/// Each inner disposable is disposed exactly once, even if threads dispose, set or insert at the same time.
final class ConcurrentDisposalTests: XCTestCase {
    private let rounds = 500

    func testComposite_insertedRemovedAndDisposedByFourThreads_disposesEachMemberOnce() {
        let before = Resources.total
        let disposals = Tally()
        for _ in 0..<rounds {
            let composite = CompositeDisposable()
            onThreads(4) { index in
                if index == 3 { return composite.dispose() }
                for turn in 0..<10 {
                    let key = composite.insert(Disposables.create { disposals.add() })
                    if let key, turn % 2 == 0 { composite.remove(for: key) }
                }
            }
        }
        XCTAssertEqual(disposals.value, rounds * 30)
        assertResourcesBack(to: before)
    }

    func testSerial_setAndDisposedByFourThreads_disposesEachContentOnce() {
        let before = Resources.total
        let disposals = Tally()
        for _ in 0..<rounds {
            let serial = SerialDisposable()
            onThreads(4) { index in
                if index == 3 { return serial.dispose() }
                for _ in 0..<10 { serial.disposable = Disposables.create { disposals.add() } }
            }
        }
        XCTAssertEqual(disposals.value, rounds * 30)
        assertResourcesBack(to: before)
    }

    func testSingleAssignment_setAndDisposedByFourThreads_disposesItsContentOnce() {
        let before = Resources.total
        let disposals = Tally()
        for _ in 0..<rounds {
            let single = SingleAssignmentDisposable()
            onThreads(4) { index in
                if index == 0 { single.setDisposable(Disposables.create { disposals.add() }) } else { single.dispose() }
            }
        }
        XCTAssertEqual(disposals.value, rounds)
        assertResourcesBack(to: before)
    }

    func testBag_filledByFourThreads_disposesEachContentOnce() {
        let before = Resources.total
        let disposals = Tally()
        for _ in 0..<rounds {
            let bag = Box<DisposeBag?>(DisposeBag())
            let filled = bag.value!
            onThreads(4) { _ in for _ in 0..<10 { filled.insert(Disposables.create { disposals.add() }) } }
            bag.value = nil
        }
        XCTAssertEqual(disposals.value, rounds * 40)
        assertResourcesBack(to: before)
    }

    func testRefCount_retainedAndReleasedByFourThreads_disposesItsContentOnce() {
        let before = Resources.total
        let disposals = Tally()
        for _ in 0..<rounds {
            let counted = RefCountDisposable(disposable: Disposables.create { disposals.add() })
            onThreads(4) { index in
                if index == 3 { return counted.dispose() }
                for _ in 0..<10 { counted.retain().dispose() }
            }
        }
        XCTAssertEqual(disposals.value, rounds)
        assertResourcesBack(to: before)
    }

    func testAnonymous_disposedByFourThreads_runsOnce() {
        let before = Resources.total
        let disposals = Tally()
        for _ in 0..<rounds {
            let pair = Sent(
                Disposables.create(Disposables.create { disposals.add() }, Disposables.create { disposals.add() }))
            onThreads(4) { _ in pair.value.dispose() }
        }
        XCTAssertEqual(disposals.value, rounds * 2)
        assertResourcesBack(to: before)
    }
}
