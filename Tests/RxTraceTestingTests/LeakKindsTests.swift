import Foundation
import Rx
import RxTrace
import RxTraceObjects
import Synchronization
import XCTest

@testable import RxTraceTesting

/// Kinds of leaks in programs that do not import Rx, each with a clean twin.
final class LeakKindsTests: XCTestCase {
    // @unchecked: one thread at a time uses an instance.
    private final class Row: @unchecked Sendable {
        var next: Row?
        var onClose: (() -> Void)?
        weak var owner: Row?
    }

    private actor Table {
        private var rows: [String: String] = [:]
        func add(_ count: Int) { for _ in 0..<count { rows["\(rows.count)"] = "a value of some length" } }
        func clear() { rows = [:] }
    }

    private struct Kept: Sendable {
        var numbers: [Int] = []
        var names: Set<UUID> = []
        var table: [Int: Int] = [:]
        var words: [Int: String] = [:]
        var data = Data()
        var cache: [Int: Int] = [:]
        var tasks: [Task<Void, Never>] = []
    }
    private let kept = Mutex(Kept())

    override func setUpWithError() throws {
        RxTrace.followsObjects = true
        let missing = search {}.unavailable.first { $0.metric == .heapBytes }
        if let missing { throw XCTSkip(missing.reason) }
    }
    override func tearDown() { RxTrace.followsObjects = false }

    private func search(
        _ name: String = #function, patience: Duration = .milliseconds(300), _ body: () -> Void
    ) -> GrowthReport {
        return RxTrace.detectGrowth(named: name, patience: patience, body)
    }

    nonisolated(nonsending) private func search(
        _ name: String = #function, patience: Duration = .milliseconds(300),
        _ body: nonisolated(nonsending) () async -> Void
    ) async -> GrowthReport {
        return await RxTrace.detectGrowth(named: name, patience: patience, body)
    }

    private func assert(_ report: GrowthReport, _ outcome: GrowthReport.Outcome, line: UInt = #line) {
        XCTAssertEqual(report.outcome, outcome, report.details, line: line)
    }

    /// Keeps a megabyte that is unrelated to the runs. It frees the megabyte while the detection waits for a late
    /// release: when its counts are read for the sixth time after the last run.
    private final class Other: GrowthCounter, @unchecked Sendable {
        // @unchecked: one thread uses it.
        var memory: UnsafeMutableRawPointer? = .allocate(byteCount: 1 << 20, alignment: 8)
        var readingsLeft: Int?
        let name = "other"
        func read() -> GrowthReading {
            readingsLeft? -= 1
            if readingsLeft == 0 {
                // On another thread, because the work of this thread between runs does not count.
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    self.memory?.deallocate()
                    self.memory = nil
                    done.signal()
                }
                done.wait()
            }
            return .counts([:])
        }
    }

    func testLeak_isNotCalledLate_whereOthersLetGoOfMore() {
        let other = Other()
        RxTrace.follow(other)
        defer { RxTrace.unfollow(named: "other") }
        // Each element contains the address of the previous element. A collection would be found by its elements.
        var last: UnsafeMutableRawPointer?
        var runs = 0
        // Long enough for six readings on a busy machine, too.
        let report = RxTrace.detectGrowth(named: "kept", maximumRuns: 40, patience: .seconds(2)) {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
            block.storeBytes(of: last, as: UnsafeMutableRawPointer?.self)
            last = block
            runs += 1
            if runs == 43 { other.readingsLeft = 6 }
        }
        assert(report, .found)
        XCTAssertNil(other.memory)
        while let block = last {
            last = block.load(as: UnsafeMutableRawPointer?.self)
            block.deallocate()
        }
    }

    // MARK: Objects

    func testRetainCycle_isFound_andItsTwinIsClean() {
        assert(
            search {
                let row = Row()
                row.next = row
            }, .found)
        assert(
            search {
                let row = Row()
                row.owner = row
            }, .clean)
    }

    func testClosureThatHoldsItself_isFound_andItsTwinIsClean() {
        assert(
            search {
                var call: (() -> Void)?
                call = { call?() }
            }, .found)
        assert(
            search {
                var call: (() -> Void)?
                call = { call?() }
                call = nil
            }, .clean)
    }

    func testObjectsOnAQueue_areFound_andItsTwinIsClean() {
        func run(_ leaks: Bool) {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                let row = Row()
                row.next = leaks ? row : nil
                done.signal()
            }
            done.wait()
        }
        assert(search { run(true) }, .found)
        assert(search { run(false) }, .clean)
    }

    // MARK: Collections that have spare capacity

    private static let sessions = Mutex<[Int: Int]>([:])

    /// Runs `body` next to other collections of the same types that have spare capacity.
    private func withRoom(_ body: () -> Void) {
        Self.sessions.withLock { sessions in
            sessions.reserveCapacity(100_000)
            for number in 0..<50_000 { sessions[number] = number }
        }
        kept.withLock { kept in
            kept.numbers.reserveCapacity(10_000)
            kept.names.reserveCapacity(10_000)
        }
        let others = (0..<300).map { count in
            var numbers: [Int] = []
            numbers.reserveCapacity(100 + count)
            return (numbers: numbers, table: [Int: Int](minimumCapacity: 10 + count))
        }
        withExtendedLifetime(others, body)
        Self.sessions.withLock { $0 = [:] }
        kept.withLock { $0 = Kept() }
    }

    func testDictionaryWithRoom_isFound_withItsHolder_andItsTwinIsClean() {
        withRoom {
            let report = search { Self.sessions.withLock { $0[$0.count] = 1 } }
            assert(report, .found)
            let headline = report.leaks.first?.headline ?? ""
            XCTAssertTrue(headline.contains("Dictionary<Int, Int>, held by global LeakKindsTests.sessions"), headline)
            assert(
                search {
                    Self.sessions.withLock { sessions in
                        sessions[-1] = 1
                        sessions[-1] = nil
                    }
                }, .clean)
        }
    }

    func testSetWithRoom_isFound_andItsTwinIsClean() {
        withRoom {
            let report = search { kept.withLock { _ = $0.names.insert(UUID()) } }
            assert(report, .found)
            XCTAssertEqual(report.leaks.first?.metric, .elements("Set<UUID>"))
            var last = UUID()
            assert(
                search {
                    kept.withLock { kept in
                        kept.names.remove(last)
                        last = UUID()
                        kept.names.insert(last)
                    }
                }, .clean)
        }
    }

    func testArrayWithRoom_isFound_andItsTwinsAreClean() {
        withRoom {
            assert(search { kept.withLock { $0.numbers.append(1) } }, .found)
            assert(
                search {
                    kept.withLock { kept in
                        kept.numbers.append(1)
                        kept.numbers.removeLast()
                    }
                }, .clean)
            // The last 64 values.
            assert(
                search {
                    kept.withLock { kept in
                        kept.numbers.append(1)
                        if kept.numbers.count > 64 { kept.numbers.removeFirst() }
                    }
                }, .clean)
        }
    }

    /// The runtime keeps a task that was cancelled in its sleep. Its bytes rise, but are no leak.
    func testSetWithRoom_nextToSleepsThatAreCancelled_isFound_andItsTwinIsClean() async {
        kept.withLock { $0.names.reserveCapacity(100_000) }
        nonisolated(nonsending) func run(_ leaks: Bool) async {
            let task = Task { try? await Task.sleep(for: .seconds(3_600)) }
            await Task.yield()
            task.cancel()
            await task.value
            if leaks { kept.withLock { _ = $0.names.insert(UUID()) } }
        }
        let report = await search { await run(true) }
        assert(report, .found)
        XCTAssertEqual(report.leaks.map(\.metric), [.elements("Set<UUID>")])
        assert(await search { await run(false) }, .clean)
    }

    func testTableOfAnActorWithRoom_isFound_andItsTwinIsClean() async {
        actor Registry {
            private var seen = Set<Int>(minimumCapacity: 100_000)
            func add() { seen.insert(seen.count) }
            func check() -> Bool { seen.contains(1) }
        }
        let registry = Registry()
        assert(await search { await registry.add() }, .found)
        assert(await search { _ = await registry.check() }, .clean)
    }

    /// A counter's tables get longer with each new type of objects. The detection makes some of the tables again for
    /// each reading, often at the address of the previous table.
    func testTablesOfCountsWithRoom_areNoLeak_andOthersAre() {
        func adding<Key: Hashable>(_ key: (Int) -> Key) -> GrowthReport {
            var table = [Key: Int](minimumCapacity: 10_000)
            return search { table[key(table.count)] = 1 }
        }
        assert(adding { GrowthMetric.objects("App.Kind\($0)") }, .clean)
        assert(adding { CountedType(UInt($0)) }, .clean)
        assert(adding(UInt.init), .found)
    }

    // MARK: Collections that grow in place

    func testArrayOfIntegers_isFound_andItsTwinIsClean() {
        assert(search { kept.withLock { $0.numbers.append(1) } }, .found)
        assert(search { kept.withLock { $0.numbers = [1, 2] } }, .clean)
    }

    func testSetOfIdentifiers_isFound_andItsTwinIsClean() {
        assert(search { kept.withLock { _ = $0.names.insert(UUID()) } }, .found)
        kept.withLock { $0.names = [] }
        let identifier = UUID()
        assert(search { kept.withLock { _ = $0.names.insert(identifier) } }, .clean)
    }

    func testDictionaries_areFound_andABoundedOneIsClean() {
        assert(search { kept.withLock { $0.table[$0.table.count] = 1 } }, .found)
        assert(search { kept.withLock { $0.words[$0.words.count] = "one" } }, .found)
        var run = 0
        assert(
            search {
                run += 1
                kept.withLock { $0.cache[run % 8] = run }
            }, .clean)
    }

    func testData_isFound_andItsTwinIsClean() {
        assert(search { kept.withLock { $0.data.append(contentsOf: [1, 2, 3, 4]) } }, .found)
        assert(search { kept.withLock { $0.data = Data([1, 2, 3, 4]) } }, .clean)
    }

    func testData_isNeverClean_whereAnotherThreadFreesAsMuch_andItsTwinIs() {
        // Without patience there are some 165 runs, which leave 640 bytes.
        func outcome(_ body: () -> Void) -> GrowthReport.Outcome {
            // @unchecked: only the queue uses it, once.
            final class Other: @unchecked Sendable {
                var memory: UnsafeMutableRawPointer? = .allocate(byteCount: 900, alignment: 8)
                func free() { memory?.deallocate() }
            }
            let other = Other()
            var run = 0
            return search(patience: .zero) {
                run += 1
                if run == 80 {
                    let done = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async {
                        other.free()
                        done.signal()
                    }
                    done.wait()
                }
                body()
            }.outcome
        }
        XCTAssertNotEqual(outcome { kept.withLock { $0.data.append(contentsOf: [1, 2, 3, 4]) } }, .clean)
        XCTAssertEqual(outcome { kept.withLock { $0.data = Data([1, 2, 3, 4]) } }, .clean)
    }

    /// Collections that are empty before the first run, in runs that free more memory of earlier code than they take.
    func testCollections_areFound_whereTheRunsFreeEarlierMemory_andTheirTwinIsClean() {
        func report(_ body: () -> Void) -> GrowthReport {
            var memory: UnsafeMutableRawPointer? = .allocate(byteCount: 1 << 20, alignment: 8)
            var run = 0
            // Without patience there are some 165 runs.
            return search(patience: .zero) {
                run += 1
                if run == 50 {
                    memory?.deallocate()
                    memory = nil
                }
                body()
            }
        }
        assert(report { kept.withLock { $0.numbers.append(1) } }, .found)
        assert(report { kept.withLock { _ = $0.names.insert(UUID()) } }, .found)
        assert(report { kept.withLock { $0.table[$0.table.count] = 1 } }, .found)
        assert(report { kept.withLock { $0.words[$0.words.count] = "one" } }, .found)
        assert(
            report {
                kept.withLock {
                    $0.numbers = [1, 2, 3, 4, 5]
                    $0.names = [UUID(), UUID(), UUID()]
                    $0.table = [1: 1, 2: 2, 3: 3]
                    $0.words = [1: "one", 2: "two", 3: "three"]
                }
            }, .clean)
    }

    // MARK: Caches

    func testCacheOf256Entries_isBounded() {
        var run = 0
        var cache: [Int: Row] = [:]
        let report = search(patience: .seconds(60)) {
            run += 1
            cache[run % 256] = Row()
        }
        assert(report, .clean)
        XCTAssertTrue(report.details.contains("bounded"), report.details)
    }

    func testCacheOf1000Entries_isBounded() {
        var run = 0
        var cache: [Int: Row] = [:]
        assert(
            search(patience: .seconds(60)) {
                run += 1
                cache[run % 1_000] = Row()
            }, .clean)
    }

    // MARK: Asynchronous bodies

    func testBytesOfAnAsynchronousBody_areFound_andItsTwinIsClean() async {
        assert(
            await search {
                await Task.yield()
                kept.withLock { $0.data.append(Data(count: 1_000)) }
            }, .found)
        assert(
            await search {
                await Task.yield()
                _ = Data(count: 100_000)
            }, .clean)
    }

    func testTableOfAnActor_isFound_andItsTwinIsClean() async {
        let table = Table()
        assert(await search { await table.add(1_000) }, .found)
        await table.clear()
        assert(
            await search {
                await table.add(1_000)
                await table.clear()
            }, .clean)
    }

    func testFinishedTasksThatPileUp_areFound_andItsTwinIsClean() async {
        assert(
            await search {
                let task = Task {}
                await task.value
                kept.withLock { $0.tasks.append(task) }
            }, .found)
        kept.withLock { $0.tasks = [] }
        assert(await search { await Task {}.value }, .clean)
    }

    func testSuspendedTask_isFound() async {
        let streams = Mutex<[AsyncStream<Int>.Continuation]>([])
        assert(
            await search {
                await Task.yield()
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                streams.withLock { $0.append(continuation) }
                Task { for await _ in stream {} }
            }, .found)
        streams.withLock { $0 }.forEach { $0.finish() }
    }

    func testSleepingTask_whereNoObjectsAreFollowed_isNeverClean_andItsTwinIs() {
        RxTrace.followsObjects = false
        let kept = Row()
        let report = search {
            Task {
                try? await Task.sleep(for: .seconds(3_600))
                kept.next = nil
            }
        }
        XCTAssertNotEqual(report.outcome, .clean, report.details)
        assert(search { Row().next = nil }, .clean)
    }

    // MARK: Late releases

    // @unchecked: one thread at a time uses an instance.
    private final class Late: @unchecked Sendable { var own: Late? }

    func testReleaseAfterAWhile_isNotALeak_andSaidToBeLate() {
        let report = RxTrace.detectGrowth(named: "late", maximumRuns: 20, patience: .seconds(5)) {
            let late = Late()
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.7) { late.own = nil }
        }
        assert(report, .clean)
        XCTAssertTrue(report.groups.contains { if case .late = $0.verdict { true } else { false } }, report.details)
    }

    func testReleaseLaterThanThePatience_isFound() {
        let report = RxTrace.detectGrowth(named: "later", maximumRuns: 20, patience: .milliseconds(50)) {
            let late = Late()
            DispatchQueue.global().asyncAfter(deadline: .now() + 30) { late.own = nil }
        }
        assert(report, .found)
    }
}
