import Foundation
import XCTest

@testable import RxTraceObjects

class Animal {
    // A stored property, so that objects of the type are not empty.
    var name = "an animal"
}
final class Dog: Animal {}
final class Crate<Element> {
    var element: Element?
    init() {}
}
actor Keeper { var count = 0 }
final class Refused: Animal {
    let child = Animal()
    init?(_ accepted: Bool) {
        super.init()
        if !accepted { return nil }
    }
}
private final class Hidden {}

nonisolated(unsafe) private var kept: [AnyObject] = []
nonisolated(unsafe) private var closures: [() -> Void] = []

/// Live objects by type. Counts are per process: XCTest runs these tests one after the other.
final class LiveObjectsTests: XCTestCase {
    private var before = LiveObjects()

    override func setUp() { before = LiveObjects() }

    override func tearDown() {
        kept = []
        closures = []
    }

    private func expect(_ change: [String: Int], line: UInt = #line) {
        // Objects that Foundation and the test runner keep are not checked here.
        let found = LiveObjects().difference(from: before)?.filter { $0.key.hasPrefix("RxTraceObjectsTests.") }
        XCTAssertEqual(found, change, line: line)
    }

    func testObjects_keptAndDropped_countByTheirOwnType() {
        kept = [Animal(), Dog(), Dog()]
        expect(["RxTraceObjectsTests.Animal": 1, "RxTraceObjectsTests.Dog": 2])
        kept.removeFirst()
        expect(["RxTraceObjectsTests.Dog": 2])
        kept = []
        expect([:])
    }

    func testObjects_thatComeAndGo_leaveNothing() {
        for _ in 0..<1_000 { _ = Dog().name }
        expect([:])
    }

    func testGenericObjects_countBySpecialisation() {
        kept = [Crate<Int>(), Crate<Int>(), Crate<Dog>()]
        expect(["RxTraceObjectsTests.Crate<Swift.Int>": 2, "RxTraceObjectsTests.Crate<RxTraceObjectsTests.Dog>": 1])
    }

    func testActor_keptAndDropped_counts() {
        kept = [Keeper()]
        expect(["RxTraceObjectsTests.Keeper": 1])
        kept = []
        expect([:])
    }

    func testInitialiser_thatReturnsNil_leavesNothing() {
        for _ in 0..<10 { XCTAssertNil(Refused(false)) }
        expect([:])
    }

    func testSleeps_thatWereCancelled_leaveNoClosure() async throws {
        func cancelSleeps(_ count: Int) async {
            for _ in 0..<count {
                let (begun, beginning) = AsyncStream<Void>.makeStream()
                let task = Task {
                    beginning.finish()
                    try? await Task.sleep(for: .seconds(3_600))
                }
                for await _ in begun {}
                // Most tasks sleep by then. A task that doesn't sleep yet leaves nothing anyway.
                await Task.yield()
                task.cancel()
                await task.value
            }
        }
        await cancelSleeps(10)
        let warm = LiveObjects()
        await cancelSleeps(100)
        let change = try XCTUnwrap(LiveObjects().difference(from: warm))
        XCTAssertLessThan(change[LiveObjects.closures] ?? 0, 20)
    }

    func testPrivateType_isNamedWithoutAnAddress() throws {
        kept = [Hidden()]
        expect(["RxTraceObjectsTests.Hidden": 1])
        XCTAssertEqual(LiveObjects().count(of: Hidden.self), 1)
    }

    func testClosures_thatCaptureAndAreKept_countTogether() throws {
        let earlier = try XCTUnwrap(LiveObjects().byType?[LiveObjects.closures])
        for number in 0..<20 { closures.append { print(number) } }
        XCTAssertEqual(LiveObjects().byType?[LiveObjects.closures], earlier + 20)
        closures = []
        XCTAssertEqual(LiveObjects().byType?[LiveObjects.closures], earlier)
    }

    func testObjects_madeOnEightThreadsAndDroppedOnAnother_leaveNothing() {
        let lists = Lists()
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            lists.fill(index, with: (0..<1_000).map { _ in Dog() })
        }
        XCTAssertEqual(LiveObjects().count(of: Dog.self), 8_000)
        // An item on a queue has released its captures when `sync` on the queue returns. The block of a thread may not
        // have released its captures when it signals.
        let queue = DispatchQueue(label: "another thread")
        queue.async { for index in 0..<8 { lists.fill(index, with: []) } }
        queue.sync {}
        XCTAssertEqual(LiveObjects().count(of: Dog.self), 0)
    }

    func testWeakAndUnownedReferences_thatOutliveTheirObject_doNotCountIt() {
        var animal: Animal? = Animal()
        weak let weakly = animal
        kept = [UnownedHolder(animal!)]
        animal = nil
        XCTAssertNil(weakly)
        expect(["RxTraceObjectsTests.UnownedHolder": 1])
    }

    func testObjectsOfFoundation_keptAndDropped_leaveNothing() {
        kept = [DateFormatter()]
        before = LiveObjects()
        kept += (0..<10).map { _ in DateFormatter() }
        XCTAssertEqual(LiveObjects().difference(from: before)?["Foundation.DateFormatter"], 10)
        kept.removeLast(10)
        XCTAssertNil(LiveObjects().difference(from: before)?["Foundation.DateFormatter"])
    }

    func testDescription_ofLiveObjects_hasTheMostFirst() {
        XCTAssertEqual("\(LiveObjects(byType: ["A.B": 2, "A.A": 2, "A.C": 30, "A.D": 0]))", "30  A.C\n2  A.A\n2  A.B")
    }
}

final class UnownedHolder {
    unowned let animal: Animal
    init(_ animal: Animal) { self.animal = animal }
}

// @unchecked: guarded by the lock.
private final class Lists: @unchecked Sendable {
    private let lock = NSLock()
    private var lists = [[Dog]](repeating: [], count: 8)

    func fill(_ index: Int, with list: [Dog]) {
        let old = lock.withLock {
            defer { lists[index] = list }
            return lists[index]
        }
        withExtendedLifetime(old) {}
    }
}
