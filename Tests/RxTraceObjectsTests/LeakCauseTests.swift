import Foundation
import FoundationNetworking
import Rx
import RxTrace
import RxTraceObjects
import XCTest

/// Work that a program forgets to end, and the object that the work keeps.
// @unchecked: a test uses it from one thread at a time.
private final class Worker: @unchecked Sendable {
    var count = 0
    var source: (any DispatchSourceTimer)?

    func loop() {
        Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(3_600))
                self.count += 1
            }
        }
    }
    func tick() {
        Task {
            try? await Task.sleep(for: .seconds(3_600))
            self.count += 1
        }
    }
    func startSource() {
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { self.count += 1 }
        timer.schedule(deadline: .now() + 3_600, repeating: 3_600)
        timer.resume()
        source = timer
    }
    /// The address of libdispatch's own source, which is the first field of the Swift object.
    var sourceAddress: UInt {
        guard let source = source as? DispatchSource else { return 0 }
        return Unmanaged.passUnretained(source).toOpaque().load(fromByteOffset: 16, as: UInt.self)
    }
    func later() { DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { self.count += 1 } }
    func startTimer() { _ = Timer.scheduledTimer(withTimeInterval: 3_600, repeats: true) { _ in self.count += 1 } }
    func notify(leaving: Bool, with other: Worker? = nil) {
        let group = DispatchGroup()
        group.enter()
        group.notify(queue: .global()) {
            self.count += 1
            other?.count += 1
        }
        if leaving {
            group.leave()
            group.wait()
        }
    }
    func observe() {
        _ = NotificationCenter.default.addObserver(forName: .init("Worker"), object: nil, queue: nil) { _ in
            self.count += 1
        }
    }
    func wait() {
        Task {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                mailbox.keep(continuation)
            }
            self.count += 1
        }
    }
    func iterate() {
        let stream = AsyncStream<Int> { mailbox.keep($0) }
        Task { for await element in stream { self.count += element } }
    }
}

// @unchecked: guarded by the lock.
private final class Mailbox: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var streams: [AsyncStream<Int>.Continuation] = []

    func keep(_ continuation: CheckedContinuation<Void, Never>) { lock.withLock { waiting.append(continuation) } }
    func keep(_ continuation: AsyncStream<Int>.Continuation) { lock.withLock { streams.append(continuation) } }
    func empty() {
        let (waiting, streams) = lock.withLock {
            defer { (self.waiting, self.streams) = ([], []) }
            return (self.waiting, self.streams)
        }
        waiting.forEach { $0.resume() }
        streams.forEach { $0.finish() }
    }
}

private let mailbox = Mailbox()

// @unchecked: a test uses it from one thread at a time.
private final class Client: NSObject, URLSessionDelegate, @unchecked Sendable {
    private var session: URLSession?
    func open() { session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil) }
    func close() { session?.invalidateAndCancel() }
}

private actor Registry {
    private var handlers: [() -> Void] = []
    func add(_ handler: @escaping () -> Void) { handlers.append(handler) }
    func clear() { handlers = [] }
}

private let registry = Registry()

private final class Raw { var number = 1 }

/// Not inlined, because the optimiser removes an unused object, leaked or not.
@inline(never) private func makeRaw() -> Raw { Raw() }

private nonisolated(unsafe) var lists: [NSMutableArray] = []

/// Each kind of leak has its own advice, and names the objects it keeps. Counts are per process: XCTest runs these
/// tests one after the other.
final class LeakCauseTests: XCTestCase {
    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() {
        RxTrace.followsObjects = false
        mailbox.empty()
    }

    /// The last report, to explain an unexpected first line.
    private var told = ""

    private func first(_ report: GrowthReport, line: UInt) -> String {
        told = "\(report)"
        XCTAssertEqual(report.growing.count, 1, "\(report)", line: line)
        return report.growing.first?.headline ?? ""
    }

    private func headline(line: UInt = #line, _ body: () -> Void) -> String {
        first(RxTrace.detectGrowth(named: "planted", maximumRuns: 40, body), line: line)
    }

    private func headline(line: UInt = #line, _ body: () async -> Void) async -> String {
        first(await RxTrace.detectGrowth(named: "planted", maximumRuns: 40, body), line: line)
    }

    private func expect(_ headline: String, toHave parts: String..., line: UInt = #line) {
        for part in parts {
            XCTAssertTrue(headline.contains(part), "'\(part)' is not in '\(headline)': \(told)", line: line)
        }
    }

    func testTasks_areToBeCancelled_atTheLineThatMakesThem() async {
        let loop = headline { Worker().loop() }
        expect(loop, toHave: "Worker, held by a task", "cancel the task of Worker.loop() at LeakCauseTests.swift:")
        for _ in 0..<9 {
            let tick = headline { Worker().tick() }
            expect(tick, toHave: "cancel the task of Worker.tick() at LeakCauseTests.swift:23")
        }
    }

    func testTasksOfAGroup_areNamedWithTheirLine_andThoseThatAreTakenAreClean() async {
        await withTaskGroup(of: Void.self) { group in
            let line = #line + 2
            let undrained = await headline {
                group.addTask { await Task.yield() }
                await Task.yield()
            }
            expect(undrained, toHave: "Task, held by a task", "LeakCauseTests.swift:\(line)")
            group.cancelAll()
        }
        await withTaskGroup(of: Void.self) { group in
            let drained = await RxTrace.detectGrowth(named: "drained") {
                group.addTask { await Task.yield() }
                await group.next()
            }
            XCTAssertEqual(drained.growing.map(\.details), [])
        }
    }

    func testBareTask_namesItsLine() async throws {
        let line = #line + 1
        let headline = headline { Task { try? await Task.sleep(for: .seconds(3_600)) } }
        expect(headline, toHave: "cancel the task of", "at LeakCauseTests.swift:\(line)")
    }

    /// An optimised closure without lines is reported by its function.
    private func place(in function: String) -> String {
        #if DEBUG
            "at LeakCauseTests"
        #else
            "in \(function)"
        #endif
    }

    func testSourceOfDispatch_isToBeCancelled() {
        expect(
            headline { Worker().startSource() },
            toHave: "cancel the dispatch source whose closure is \(place(in: "Worker.startSource()"))")
    }

    func testDispatchGroupThatIsNotLeft_isNamedByItsClosure_andOneThatIsLeftIsNotBlamed() {
        let advice = "call 'leave()' once for each 'enter()' of the dispatch group whose 'notify' closure is "
        let alone = headline { Worker().notify(leaving: false) }
        expect(alone, toHave: "Worker, held by a dispatch group", advice + place(in: "Worker.notify(leaving:with:)"))
        let two = headline { Worker().notify(leaving: false, with: Worker()) }
        expect(two, toHave: "held by a dispatch group", advice + place(in: "Worker.notify(leaving:with:)"))
        let other = headline {
            let worker = Worker()
            worker.notify(leaving: true)
            _ = Unmanaged.passRetained(worker)
        }
        XCTAssertFalse(other.contains("dispatch group"), other)
        expect(other, toHave: "a retain without a reference")
        let clean = RxTrace.detectGrowth(named: "left", maximumRuns: 40) { Worker().notify(leaving: true) }
        XCTAssertEqual(clean.growing.map(\.details), [])
    }

    /// A number in a task's memory may equal the address of an object that libdispatch keeps. It holds nothing.
    func testTask_thatHasTheAddressesOfSourcesAsNumbers_isNotBlamedForThem() async {
        let (addresses, continuation) = AsyncStream<UInt>.makeStream()
        let task = Task {
            var latest = SIMD32<UInt>()
            var count = 0
            for await address in addresses {
                latest[count % 32] = address
                count += 1
            }
            return latest
        }
        let leak = await headline {
            let worker = Worker()
            worker.startSource()
            continuation.yield(worker.sourceAddress)
            await Task.yield()
        }
        expect(leak, toHave: "cancel the dispatch source whose closure is \(place(in: "Worker.startSource()"))")
        continuation.finish()
        _ = await task.value
    }

    func testWorkForLater_isToBeCancelled() {
        expect(
            headline { Worker().later() },
            toHave: "cancel the work for later whose closure is \(place(in: "Worker.later()"))",
            "DispatchWorkItem")
    }

    func testTimerOfFoundation_isToBeInvalidated() {
        expect(
            headline { Worker().startTimer() }, toHave: "Worker, held by",
            "invalidate the timer whose closure is at LeakCauseTests")
    }

    func testObserver_isToBeRemoved() {
        expect(headline { Worker().observe() }, toHave: "removeObserver", "LeakCauseTests.swift:")
    }

    func testContinuation_isToBeResumedByItsHolder() async {
        let headline = await headline {
            Worker().wait()
            await Task.yield()
        }
        expect(headline, toHave: "resume the continuation that 'Mailbox.waiting' holds", "LeakCauseTests.swift:")
    }

    func testStream_isToBeFinishedByItsHolder() async {
        let headline = await headline {
            Worker().iterate()
            await Task.yield()
        }
        expect(headline, toHave: "finish the stream whose continuation 'Mailbox.streams' holds")
    }

    func testSession_isToBeInvalidated() {
        expect(headline { Client().open() }, toHave: "Client, held by", "invalidateAndCancel()")
    }

    func testRegistry_isToForgetHandlers() async {
        let headline = await headline {
            let worker = Worker()
            await registry.add { worker.count += 1 }
        }
        await registry.clear()
        expect(headline, toHave: "Worker, held by", "remove the closure ", " from 'Registry.handlers' when")
    }

    func testRetainWithoutRelease_isToBeReleased() {
        expect(headline { _ = Unmanaged.passRetained(makeRaw()) }, toHave: "Raw, held by", "Unmanaged.passRetained")
    }

    func testObjectsOfTheUsersThatALibrarysKeeps_areNamedWithTheirNumber() {
        defer { lists = [] }
        // Reported by bytes: where objects are followed, the objects leak.
        RxTrace.followsObjects = false
        expect(headline { lists.append(NSMutableArray(array: [Raw()])) }, toHave: "(keeps 1 Raw alive)", "lists")
        // Twice as many of its blocks are rows, so either may be reported.
        let two = headline { lists.append(NSMutableArray(array: [Raw(), Raw()])) }
        XCTAssertTrue(two.contains("(keeps 2 Raw alive)") || two.hasPrefix("Raw, held by global lists"), two)
        let twin = headline { lists.append(NSMutableArray(array: ["a text"])) }
        XCTAssertFalse(twin.contains("alive"), twin)
    }

    func testLeakOfFoundation_isSaidToBeItsOwn() {
        expect(
            headline { Timer(timeInterval: 1, repeats: false) { _ in }.invalidate() },
            toHave: "this is a leak of Foundation on this system, and not of your code")
        expect(
            headline {
                let text = NSMutableAttributedString(string: "abc")
                text.addAttribute(.init("key"), value: 1, range: NSRange(0..<2))
            }, toHave: "this is a leak of Foundation on this system, and not of your code")
        expect(
            headline { _ = NSAttributedString(string: "abc").length },
            toHave: "this is a leak of Foundation on this system, and not of your code")
    }

    func testThoseThatAreEnded_areClean() async {
        let report = await RxTrace.detectGrowth(named: "clean", maximumRuns: 40) {
            let task = Task { try? await Task.sleep(for: .seconds(3_600)) }
            task.cancel()
            await task.value
            let worker = Worker()
            worker.startSource()
            worker.source?.cancel()
            worker.source = nil
            worker.wait()
            worker.iterate()
            await Task.yield()
            mailbox.empty()
            let client = Client()
            client.open()
            client.close()
            Unmanaged.passRetained(Raw()).release()
        }
        XCTAssertEqual(report.growing.map(\.details), [])
    }

    /// The runtime keeps the remains of a sleep until it would have ended. Here not every run has a sleep, so that the
    /// bytes of the heap don't rise evenly.
    func testSleepsThatWereCancelled_areClean() async {
        for runsThatSleep in [20, 26, 30] {
            var run = 0
            let report = await RxTrace.detectGrowth(named: "clean", maximumRuns: 40) {
                run += 1
                guard run <= runsThatSleep || run % 7 == 0 else { return }
                let task = Task { try? await Task.sleep(for: .seconds(3_600)) }
                for _ in 0..<50 { await Task.yield() }
                task.cancel()
                await task.value
            }
            XCTAssertEqual(report.growing.map(\.details), [], "\(runsThatSleep)")
        }
    }

    /// Whether the bytes of a run stay. With these runs the bytes rise to the end, too unevenly to be called a leak.
    private func leavesBytes(run: Int) -> Bool {
        run <= 9 || (28...42).contains(run) || run == 75 || (100...155).contains(run)
    }

    /// On a busy machine only some tasks begin to sleep before they are cancelled.
    func testSleepsThatWereCancelledInSomeRuns_areClean() async {
        var run = 0
        let report = await RxTrace.detectGrowth(named: "clean", maximumRuns: 160) {
            run += 1
            guard leavesBytes(run: run) else { return }
            let task = Task { try? await Task.sleep(for: .seconds(3_600)) }
            for _ in 0..<50 { await Task.yield() }
            task.cancel()
            await task.value
        }
        XCTAssertEqual(report.outcome, .clean, report.details)
    }

    /// The twin: the user's own function keeps as many bytes in the same runs.
    func testBytesThatAreKeptInSomeRuns_areNotClean() async {
        var run = 0
        var kept: [UnsafeMutableRawPointer] = []
        kept.reserveCapacity(160)
        let report = await RxTrace.detectGrowth(named: "leaking", maximumRuns: 160) {
            run += 1
            if leavesBytes(run: run) { kept.append(.allocate(byteCount: 272, alignment: 16)) }
            await Task.yield()
        }
        XCTAssertNotEqual(report.outcome, .clean, report.details)
        for bytes in kept { bytes.deallocate() }
    }

    // MARK: Closures

    private func cycle() {
        var closure: (() -> Void)?
        closure = { closure?() }
    }

    private func otherCycle() {
        var number = 0
        var closure: ((Int) -> Void)?
        closure = {
            number += $0
            closure?(number)
        }
    }

    func testClosuresThatHoldThemselves_keepTheirLinesAndSignatures() throws {
        let one = RxTrace.detectGrowth(named: "one", maximumRuns: 40) { cycle() }.growing
        let other = RxTrace.detectGrowth(named: "other", maximumRuns: 40) { otherCycle() }.growing
        XCTAssertEqual(one.count, 1, one.map(\.details).joined(separator: "\n"))
        XCTAssertEqual(other.count, 1, other.map(\.details).joined(separator: "\n"))
        expect(try XCTUnwrap(one.first).headline, toHave: "a cycle", "LeakCauseTests.swift:")
        expect(try XCTUnwrap(other.first).headline, toHave: "a cycle", "LeakCauseTests.swift:")
        XCTAssertNotEqual(try XCTUnwrap(one.first?.signature), try XCTUnwrap(other.first?.signature))
    }

    func testClosures_thatGo_areClean() {
        let report = RxTrace.detectGrowth(named: "clean", maximumRuns: 40) {
            var closure: (() -> Void)?
            closure = { closure?() }
            closure = nil
        }
        XCTAssertEqual(report.growing.map(\.details), [])
    }
}
