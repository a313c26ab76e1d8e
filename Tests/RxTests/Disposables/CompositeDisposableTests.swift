import Rx
import XCTest

final class CompositeDisposableTests: XCTestCase {
    private var log: [Int] = []

    private func entry(_ number: Int) -> any Disposable { Disposables.create { self.log.append(number) } }

    func testDispose_ofSeveralMembers_disposesThemInOrderOfInsertion() {
        let before = Resources.total
        do {
            let composite = CompositeDisposable(entry(1), entry(2), entry(3), entry(4), entry(5))
            composite.insert(entry(6))
            XCTAssertEqual(composite.count, 6)
            composite.dispose()
            composite.dispose()
            XCTAssertEqual(composite.count, 0)
            XCTAssertTrue(composite.isDisposed)
        }
        XCTAssertEqual(log, [1, 2, 3, 4, 5, 6])
        assertResourcesBack(to: before)
    }

    func testInsert_afterDispose_disposesTheArgumentAndReturnsNil() {
        let before = Resources.total
        do {
            let composite = CompositeDisposable(entry(1), entry(2))
            composite.dispose()
            XCTAssertNil(composite.insert(entry(3)))
        }
        XCTAssertEqual(log, [1, 2, 3])
        assertResourcesBack(to: before)
    }

    func testRemove_twice_disposesTheMemberOnce() throws {
        let before = Resources.total
        do {
            let composite = CompositeDisposable(entry(1), entry(2), entry(3))
            let key = try XCTUnwrap(composite.insert(entry(4)))
            composite.remove(for: key)
            composite.remove(for: key)
            XCTAssertEqual(log, [4])
            XCTAssertEqual(composite.count, 3)
            composite.dispose()
            composite.remove(for: key)
        }
        XCTAssertEqual(log, [4, 1, 2, 3])
        assertResourcesBack(to: before)
    }

    func testRemove_ofMostMembersInAnyOrder_forgetsNoOther() throws {
        var generator = SplitMix(seed: 7)
        let composite = CompositeDisposable()
        var keys: [(Int, CompositeDisposable.DisposeKey)] = []
        for number in 0..<1_000 { keys.append((number, try XCTUnwrap(composite.insert(entry(number))))) }
        keys.shuffle(using: &generator)
        for (_, key) in keys.prefix(900) { composite.remove(for: key) }
        XCTAssertEqual(log, keys.prefix(900).map(\.0))
        XCTAssertEqual(composite.count, 100)
        log = []
        composite.dispose()
        XCTAssertEqual(log, keys.dropFirst(900).map(\.0).sorted())
    }

    func testDispose_whoseMemberUsesTheComposite_doesNotDeadlock() {
        let composite = CompositeDisposable()
        composite.insert(
            Disposables.create {
                self.log.append(composite.count)
                composite.insert(self.entry(9))
            })
        composite.dispose()
        XCTAssertEqual(log, [0, 9])
    }
}
