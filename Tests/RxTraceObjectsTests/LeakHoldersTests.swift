import Foundation
import Rx
import RxTrace
import RxTraceObjects
import XCTest

private final class Row { var text = "Row" }
private final class Shelf { var rows: [Row] = [] }
private final class Index { var rows: [Int: Row] = [:] }
private final class Store {
    var warm: [Row] = []
    var leaky: [Row] = []
}

/// A full cache: each new row replaces the oldest.
private final class Cache {
    private var rows: [Int: Row] = [:]
    private var next = 0

    init(_ bound: Int) { for _ in 0..<bound { rows[put()] = Row() } }
    private func put() -> Int {
        next += 1
        return next
    }
    func replace() {
        rows[put()] = Row()
        rows[rows.keys.min()!] = nil
    }
}

private final class Node {
    var other: Node?
    var rows: [Row] = []
}

nonisolated(unsafe) private var warm = Shelf()
nonisolated(unsafe) private var leaky = Shelf()
nonisolated(unsafe) private var index = Index()
nonisolated(unsafe) private var store = Store()
nonisolated(unsafe) private var cache: Cache?
nonisolated(unsafe) private var nodes: [Node] = []

/// Holders of leaks among many objects of the same class that live rightly. Counts are the process's: XCTest runs these
/// one after the other.
final class LeakHoldersTests: XCTestCase {
    private static let innocent = 10_000

    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() {
        RxTrace.followsObjects = false
        (warm, leaky, index, store, cache, nodes) = (Shelf(), Shelf(), Index(), Store(), nil, [])
    }

    /// The only group that grows.
    private func leak(maximumRuns: Int = 40, line: UInt = #line, _ body: () -> Void) throws -> Retention {
        let groups = RxTrace.detectGrowth(named: "planted", maximumRuns: maximumRuns, body).growing
        XCTAssertEqual(groups.count, 1, groups.map(\.details).joined(separator: "\n"), line: line)
        return try XCTUnwrap(groups.first?.retention, line: line)
    }

    func testGlobal_amongInnocentsOfAnotherGlobal_isNamed() throws {
        for count in [0, 200, 300, Self.innocent] {
            warm.rows = (0..<count).map { _ in Row() }
            leaky = Shelf()
            let retention = try leak { leaky.rows.append(Row()) }
            XCTAssertEqual(retention.steps.first?.holder, "global leaky", "\(count): \(retention)")
            XCTAssertEqual(retention.advice, "remove what is no longer needed from 'Shelf.rows', or give it a bound")
            XCTAssertEqual(retention.grade, .proven)
        }
    }

    func testGlobal_whoseInnocentsLiveInAnArray_isNamed_whereTheLeakIsInADictionary() throws {
        warm.rows = (0..<Self.innocent).map { _ in Row() }
        let retention = try leak { index.rows[index.rows.count] = Row() }
        XCTAssertEqual(retention.steps.first?.holder, "global index", "\(retention)")
    }

    func testPropertyThatGrows_nextToAnotherOfTheSameObject_isNamed() throws {
        store.warm = (0..<Self.innocent).map { _ in Row() }
        let retention = try leak { store.leaky.append(Row()) }
        XCTAssertEqual(retention.advice, "remove what is no longer needed from 'Store.leaky', or give it a bound")
    }

    func testCacheThatIsFull_isNotBlamed_thoughItsRowsAreNew() throws {
        cache = Cache(500)
        let retention = try leak {
            leaky.rows.append(Row())
            cache?.replace()
        }
        XCTAssertEqual(retention.steps.first?.holder, "global leaky", "\(retention)")
    }

    func testCycle_amongInnocents_isNamed() throws {
        nodes = (0..<Self.innocent).map { _ in Node() }
        let retention = try leak {
            let node = Node()
            node.other = node
        }
        XCTAssertTrue(retention.isCycle, "\(retention)")
        XCTAssertEqual(retention.advice, "make 'Node.other' weak")
    }

    func testObjectThatGained_ofManyInOneGlobal_isNamed() throws {
        nodes = (0..<1_000).map { _ in Node() }
        for node in nodes { node.rows = (0..<10).map { _ in Row() } }
        let retention = try leak { nodes[700].rows.append(Row()) }
        XCTAssertEqual(retention.advice, "remove what is no longer needed from 'Node.rows', or give it a bound")
    }

    func testInnocents_thatDoNotGrow_areClean() {
        warm.rows = (0..<Self.innocent).map { _ in Row() }
        cache = Cache(500)
        let report = RxTrace.detectGrowth(named: "clean", maximumRuns: 40) {
            _ = Row()
            cache?.replace()
            warm.rows[3] = Row()
        }
        XCTAssertEqual(report.growing.map(\.details), [])
    }

    func testWithoutFurtherRuns_innocentsMakeAPathLikelyAtMost() throws {
        warm.rows = (0..<Self.innocent).map { _ in Row() }
        let report = RxTrace.detectGrowth(named: "few runs", maximumRuns: 20) { leaky.rows.append(Row()) }
        XCTAssertNotEqual(report.growing.first?.retention?.grade, .proven, "\(report)")
    }
}
