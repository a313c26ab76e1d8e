import Foundation
import Rx
import RxTraceObjects
import XCTest

@testable import HeapTrace
@testable import RxTrace

// @unchecked: one thread at a time uses an instance.
private final class Row: @unchecked Sendable { var text = "Row" }
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

/// Collections without objects in them: they grow in place.
private final class Ledger {
    var identifiers: Set<UUID> = []
    var numbers: [Int] = []
    var totals: [Int: Int] = [:]
    var words: [Int: String] = [:]
    var bytes = Data()
    var text = ""
    var replaced = Array(0..<100)
}

/// Keeps objects of several classes together.
private final class Log {
    var entries: [(Node, NSObject)] = []
    var numbers: [Int] = []
    var names: [String] = []
}

private final class Pollers { var tasks: [Int: Task<Void, Never>] = [:] }

private struct Weak { weak var row: Row? }
private final class Directory { var entries: [Weak] = [] }

private actor Table {
    private var rows: [String: String] = [:]
    func add(_ count: Int) { for _ in 0..<count { rows["\(rows.count)"] = "a value of some length" } }
}

private final class Layer { let row = Row() }

/// The holders of each row are objects that are made with it, several deep.
private final class Screen {
    let layer = Layer()
    var next: Screen?
}

private final class Node {
    var other: Node?
    var rows: [Row] = []
}

/// Not inlined, because the optimiser removes an unused object, leaked or not.
@inline(never) private func makeNode() -> Node { Node() }
@inline(never) private func makeScreen() -> Screen { Screen() }
/// Not inlined, because the optimiser would put the object on the stack, where no snapshot finds it.
@inline(never) private func makeLog() -> Log { Log() }

nonisolated(unsafe) private var warm = Shelf()
nonisolated(unsafe) private var leaky = Shelf()
nonisolated(unsafe) private var index = Index()
nonisolated(unsafe) private var store = Store()
nonisolated(unsafe) private var cache: Cache?
nonisolated(unsafe) private var directory = Directory()
nonisolated(unsafe) private var lists: [NSMutableArray] = []
nonisolated(unsafe) private var nodes: [Node] = []
nonisolated(unsafe) private var screens: [Screen] = []
nonisolated(unsafe) private var log = Log()
nonisolated(unsafe) private var ledger = Ledger()
nonisolated(unsafe) private var warmLedgers: [Ledger] = []
private let table = Table()
nonisolated(unsafe) private var pollers = Pollers()

/// Holders of leaks among many objects of the same class that don't leak. Counts are per process: XCTest runs these
/// tests one after the other.
final class LeakHoldersTests: XCTestCase {
    private static let innocent = 10_000

    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() {
        RxTrace.followsObjects = false
        (warm, leaky, index, store, cache, nodes) = (Shelf(), Shelf(), Index(), Store(), nil, [])
        screens = []
        (ledger, warmLedgers, lists, directory, log) = (Ledger(), [], [], Directory(), Log())
    }

    /// The only group that grows.
    private func leak(maximumRuns: Int = 40, line: UInt = #line, _ body: () -> Void) throws -> Retention {
        let report = RxTrace.detectGrowth(named: "planted", maximumRuns: maximumRuns, body)
        XCTAssertEqual(report.growing.count, 1, "\(report)", line: line)
        return try XCTUnwrap(report.growing.first?.retention, report.details, line: line)
    }

    /// The address of an innocent that was replaced is that of the next leak.
    func testCycle_amongInnocentsThatAreReplaced_isNamed_andNoInnocentIs() throws {
        screens = (0..<1_000).map { _ in Screen() }
        var replaced = 0
        let report = RxTrace.detectGrowth(named: "planted", maximumRuns: 160) {
            screens[replaced] = Screen()
            replaced += 1
            let screen = makeScreen()
            screen.next = screen
        }
        let headlines = report.leaks.map(\.headline)
        XCTAssertEqual(
            headlines, ["Screen, held by a cycle over 'Screen.next': make 'Screen.next' weak"], "\(report)")
        replaced = 0
        let clean = RxTrace.detectGrowth(named: "clean", maximumRuns: 160) {
            screens[replaced] = Screen()
            replaced += 1
        }
        XCTAssertEqual(clean.outcome, .clean, "\(clean)")
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

    /// Objects of a library's class that a collection keeps together with objects that leak by themselves. Each leak
    /// has to be ended, and an allowance for one doesn't cover the other.
    func testObjectsInACollection_areALeakOfTheirOwn_nextToACycleThatTheyAreKeptWith() throws {
        // No variable of the program leads to it, because a leak is attributed to such a variable, with a cycle or not.
        let log = makeLog()
        let report = RxTrace.detectGrowth(named: "planted", maximumRuns: 40) {
            let node = makeNode()
            node.other = node
            log.entries.append((node, NSObject()))
        }
        XCTAssertEqual(
            Set(report.growing.compactMap(\.retention?.advice)),
            ["make 'Node.other' weak", "remove what is no longer needed from 'Log.entries', or give it a bound"],
            "\(report)")
    }

    func testElementsOfACollection_areALeakOfTheirOwn_nextToACycle() throws {
        log.numbers.reserveCapacity(10_000)
        let report = RxTrace.detectGrowth(named: "planted", maximumRuns: 40) {
            let node = makeNode()
            node.other = node
            log.numbers.append(1)
        }
        XCTAssertEqual(
            Set(report.growing.compactMap(\.retention?.advice)),
            ["make 'Node.other' weak", "remove what is no longer needed from 'Log.numbers', or give it a bound"],
            "\(report)")
        // Filled before. It has the same number of elements after each run.
        let clean = RxTrace.detectGrowth(named: "twin", maximumRuns: 40) {
            let node = makeNode()
            node.other = node
            log.numbers.removeLast()
            log.numbers.append(1)
        }
        XCTAssertEqual(clean.growing.compactMap(\.retention?.advice), ["make 'Node.other' weak"], "\(clean)")
    }

    /// A second leak that is not counted takes less memory than the first leak, which may be an allowed leak.
    func testMemoryOfACollection_isRising_nextToACycle_andWhatIsBoundedIsNot() throws {
        func report(_ body: (Int) -> Void) -> GrowthReport {
            var run = 0
            return RxTrace.detectGrowth(named: "planted", maximumRuns: 400) {
                run += 1
                let node = makeNode()
                node.other = node
                body(run)
            }
        }
        // Rising, or growing if the elements are counted too, once the array takes more than a small block.
        func advice(_ report: GrowthReport) -> Set<String> {
            Set(report.groups.filter { $0.verdict.isOpen || $0.verdict.isGrowing }.compactMap(\.retention?.advice))
        }
        let planted = report { log.names.append("a name that takes a block of its own: \($0)") }
        XCTAssertEqual(
            advice(planted),
            ["make 'Node.other' weak", "remove what is no longer needed from 'Log.names', or give it a bound"],
            "\(planted)")
        let numbers = report { log.numbers.append($0) }
        XCTAssertEqual(
            advice(numbers),
            ["make 'Node.other' weak", "remove what is no longer needed from 'Log.numbers', or give it a bound"],
            "\(numbers)")
        for bound in [1, 30] {
            log.names = []
            let bounded = report {
                if log.names.count == bound { log.names.removeFirst() }
                log.names.append("a name that takes a block of its own: \($0)")
            }
            XCTAssertEqual(bounded.groups.filter(\.verdict.isOpen).map(\.details), [], "\(bounded)")
        }
    }

    func testTasksInADictionary_areOneLeak_andTheDictionaryIsNoSecondOne() throws {
        let report = RxTrace.detectGrowth(named: "planted", maximumRuns: 100) {
            pollers.tasks[pollers.tasks.count] = Task {
                let row = Row()
                while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
                row.text = ""
            }
        }
        XCTAssertEqual(report.groups.filter { $0.verdict.isGrowing || $0.verdict.isOpen }.count, 1, "\(report)")
        for task in pollers.tasks.values { task.cancel() }
        pollers.tasks = [:]
    }

    func testCycle_amongInnocents_isNamed() throws {
        nodes = (0..<Self.innocent).map { _ in Node() }
        let retention = try leak {
            let node = makeNode()
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

    // MARK: Collections that grow in place

    /// Checks the advice for a property of `ledger` that grows, next to 300 ledgers that were filled before.
    private func assertNamed(_ property: String, line: UInt = #line, _ grow: (Ledger, Int) -> Void) throws {
        warmLedgers = (0..<300).map { _ in
            let warm = Ledger()
            for number in 0..<100 { grow(warm, number) }
            return warm
        }
        var run = 0
        let retention = try leak(maximumRuns: 1_600, line: line) {
            run += 1
            grow(ledger, run)
            // Replaced as a whole in each run: its new storage is no gain.
            warmLedgers[run % 300].replaced = Array(0..<100)
        }
        XCTAssertEqual(
            retention.advice, "remove what is no longer needed from 'Ledger.\(property)', or give it a bound",
            "\(retention)", line: line)
        XCTAssertEqual(retention.steps.first?.holder, "global ledger", "\(retention)", line: line)
    }

    func testSetOfIdentifiers_isNamed() throws {
        try assertNamed("identifiers") {
            $0.identifiers.insert(UUID()); _ = $1
        }
    }
    func testArrayOfIntegers_isNamed() throws {
        try assertNamed("numbers") { $0.numbers += Array(repeating: $1, count: 25) }
    }
    func testDictionaryOfIntegers_isNamed() throws { try assertNamed("totals") { $0.totals[$1] = 1 } }
    /// Until it is full, such a dictionary takes no bytes; then it takes many at once, and its elements have moved.
    func testDictionary_thatHasRoomForSomeRuns_isNamed() throws {
        for room in [8, 30, 100, 250] {
            ledger = Ledger()
            var key = 0
            func add() {
                ledger.totals[key] = 1
                key += 1
            }
            while ledger.totals.count < 1_000 || ledger.totals.capacity - ledger.totals.count != room { add() }
            let retention = try leak(maximumRuns: 1_600) { add() }
            XCTAssertEqual(
                retention.advice, "remove what is no longer needed from 'Ledger.totals', or give it a bound",
                "room for \(room): \(retention)")
        }
    }

    func testDictionaryOfShortStrings_isNamed() throws { try assertNamed("words") { $0.words[$1] = "one" } }
    /// An object that the program keeps is its own, even if this product declares its type.
    func testReports_thatTheProgramKeeps_areFound() {
        let report = RxTrace.detectGrowth(named: "empty", maximumRuns: 20) {}
        var kept: [GrowthReport] = []
        let growing = RxTrace.detectGrowth(named: "reports", maximumRuns: 40) {
            for _ in 0..<20 { kept.append(report) }
        }
        XCTAssertEqual(growing.outcome, .found, growing.details)
        XCTAssertFalse(kept.isEmpty)
    }

    func testData_isNamed() throws {
        try assertNamed("bytes") { $0.bytes.append(Data(repeating: UInt8($1 & 1), count: 200)) }
    }
    func testString_isNamed() throws {
        try assertNamed("text") { $0.text += "a line of 40 characters or so, number \($1)\n" }
    }

    func testTableOfAnActor_isNamed() async throws {
        let report = await RxTrace.detectGrowth(named: "table") { await table.add(100) }
        let retention = try XCTUnwrap(report.growing.first?.retention, report.details)
        XCTAssertEqual(retention.advice, "remove what is no longer needed from 'Table.rows', or give it a bound")
    }

    func testCollectionsThatAreRefilled_areClean() {
        let report = RxTrace.detectGrowth(named: "refilled") {
            ledger.identifiers = Set((0..<100).map { _ in UUID() })
            ledger.numbers = Array(0..<100)
            ledger.bytes = Data(count: 1_000)
        }
        XCTAssertEqual(report.outcome, .clean, report.details)
    }

    func testList_amongRowsThatWaitInDispatch_isNamed() throws {
        // Objects of an earlier test. Their path leads to a line, and the path of the list does not.
        for _ in 0..<80 {
            let row = Row()
            DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { row.text = "late" }
        }
        for _ in 0..<5 {
            lists = []
            let report = RxTrace.detectGrowth(named: "lists", maximumRuns: 40) {
                lists.append(NSMutableArray(array: [Row()]))
            }
            let holders = report.growing.map { $0.retention?.steps.first?.holder }
            XCTAssertEqual(Set(holders), ["global lists"], report.details)
        }
    }

    func testWorkForLater_ofMoreTimersThanFitIntoASmallBlock_isNamedWithItsLine() throws {
        let retention = try leak(maximumRuns: 1_600) {
            let row = Row()
            let work = DispatchWorkItem { row.text = "late" }
            DispatchQueue.global().asyncAfter(deadline: .now() + 3_600, execute: work)
        }
        guard case .delayedWork(_?) = retention.cause else { return XCTFail("\(retention)") }
    }

    // MARK: Memory without objects

    func testDeadWeakReferences_areNamedWithTheirTable_andLivingOnesHoldNothing() throws {
        let retention = try leak(maximumRuns: 1_600) {
            let row = Row()
            directory.entries.append(Weak(row: row))
        }
        XCTAssertTrue(retention.advice.contains("'Directory.entries'"), "\(retention)")
        directory.entries = []
        let other = try leak {
            let row = Row()
            leaky.rows.append(row)
            directory.entries = [Weak(row: row)]
        }
        XCTAssertEqual(other.steps.first?.holder, "global leaky", "\(other)")
    }

    func testTasksOfAGroupThatNobodyDrains_areNamedWithTheGroup() async throws {
        let (jobs, continuation) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
        let line = #line + 2
        let runner = Task {
            await withTaskGroup(of: Void.self) { group in
                for await job in jobs { group.addTask { job.resume() } }
            }
        }
        let report = await RxTrace.detectGrowth(named: "group", maximumRuns: 40, patience: .milliseconds(300)) {
            await withCheckedContinuation { _ = continuation.yield($0) }
        }
        let retention = try XCTUnwrap(report.growing.first?.retention, report.details)
        guard case .endedTaskOfGroup(let function, let place, _?) = retention.cause else {
            return XCTFail(report.details)
        }
        XCTAssertTrue(function.contains("testTasksOfAGroupThatNobodyDrains"), function)
        // In optimised code the group may be part of the task's function.
        XCTAssertTrue([line - 1, line].map { "LeakHoldersTests.swift:\($0)" }.contains(place), "\(place ?? "")")
        continuation.finish()
        await runner.value
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
