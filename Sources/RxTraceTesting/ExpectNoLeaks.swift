import Dispatch
import Foundation
import Rx
import RxTrace
import RxTraceObjects
import Synchronization

#if canImport(XCTest)
    import XCTest
#endif
#if canImport(Testing)
    import Testing
#endif

/// Fails the test, with the whole report, if repeated round trips leave more and more behind.
///
/// ```swift compiled
/// expectNoLeaks {
///     let bag = DisposeBag()
///     Observable<Int>.never().subscribe().disposed(by: bag)
/// }
/// ```
///
/// Runs `body` 23 times, three of them to warm up, and more often while counts still rise. It counts the bytes of the
/// heap, the Swift objects, closures and boxes of every type, and reactive resources where the build traces them. The
/// counts are those of the whole process: what other threads make at the same time counts too. Where the heap cannot be
/// counted, under a sanitizer for example, the test fails as *not judged*.
///
/// It works in tests of XCTest and of Swift Testing. Two calls that run at once wait for each other.
///
/// - Parameters:
///   - name: what the report and the entries of an allow-list call it.
///   - runs: how many runs are looked at first; 16 or more.
///   - maximumRuns: how many there are at most, warm-up apart.
///   - patience: how long it waits, before something is called a leak, for it to be released late.
///   - allowances: what may leak. An entry that has expired or that matches nothing any more fails the test too; an
///     entry of a file that is for any round trip does so only where it would match.
///   - allowingUnjudged: whether the test passes where not everything could be looked at.
///   - fileID: where a failure is shown.
///   - file: as `fileID`.
///   - line: as `fileID`.
///   - column: as `fileID`.
///   - body: a round trip: opens something, uses it and closes it.
/// - Returns: what was found.
/// - Throws: what `body` throws, at its first error.
@discardableResult
public func expectNoLeaks<Failure: Error>(
    named name: String = #function, runs: Int = 20, maximumRuns: Int = 1_600,
    patience: Duration = RxTrace.defaultPatience, allowing allowances: LeakAllowances = .none,
    allowingUnjudged: Bool = false, fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line,
    column: Int = #column, _ body: () throws(Failure) -> Void
) throws(Failure) -> GrowthReport {
    let place = TestPlace(fileID: fileID, file: file, line: line, column: column)
    let rest: (() -> Rest)? = place.isInSwiftTesting ? { Rest.waited() } : nil
    let isAlone = Turn.shared.take()
    let result: Result<GrowthReport, Failure>
    do throws(Failure) {
        result = .success(
            try LeakRuns.search(waitingForRest: rest) { () throws(Failure) in
                try RxTrace.detectGrowth(
                    named: name, runs: runs, maximumRuns: maximumRuns, patience: patience, body)
            })
    } catch {
        result = .failure(error)
    }
    Turn.shared.pass()
    let report = isAlone ? try result.get() : try result.get().disturbed()
    place.check(report, allowing: allowances, allowingUnjudged: allowingUnjudged)
    return report
}

/// Fails the test, with the whole report, if repeated asynchronous round trips leave more and more behind.
///
/// As `expectNoLeaks` of a function that is not asynchronous; suspends while it waits.
@discardableResult
nonisolated(nonsending) public func expectNoLeaks<Failure: Error>(
    named name: String = #function, runs: Int = 20, maximumRuns: Int = 1_600,
    patience: Duration = RxTrace.defaultPatience, allowing allowances: LeakAllowances = .none,
    allowingUnjudged: Bool = false, fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line,
    column: Int = #column, _ body: nonisolated(nonsending) () async throws(Failure) -> Void
) async throws(Failure) -> GrowthReport {
    let place = TestPlace(fileID: fileID, file: file, line: line, column: column)
    let report = try await LeakRuns.searchAlone(waitingForRest: place.isInSwiftTesting ? Rest.comes : nil) {
        (least, isInterrupted) async throws(Failure) in
        try await RxTrace.detectGrowth(
            named: name, runs: max(runs, min(least, maximumRuns)), maximumRuns: maximumRuns, patience: patience,
            until: isInterrupted, body)
    }
    place.check(report, allowing: allowances, allowingUnjudged: allowingUnjudged)
    return report
}

/// Where a test calls a check, and which framework runs it.
private struct TestPlace {
    let fileID: String
    let file: StaticString
    let line: UInt
    let column: Int

    /// Whether a test of Swift Testing is running in this task. `XCTFail` is ignored there.
    var isInSwiftTesting: Bool {
        #if canImport(Testing)
            Test.current != nil
        #else
            false
        #endif
    }

    func check(_ report: GrowthReport, allowing allowances: LeakAllowances, allowingUnjudged: Bool) {
        let check = LeakCheck(report, allowing: allowances, allowingUnjudged: allowingUnjudged)
        guard let failure = check.failure else { return }
        #if canImport(Testing)
            if isInSwiftTesting {
                Issue.record(
                    Comment(rawValue: failure),
                    sourceLocation: SourceLocation(
                        fileID: fileID, filePath: "\(file)", line: Int(line), column: column))
                return
            }
        #endif
        #if canImport(XCTest)
            XCTFail(failure, file: file, line: line)
        #endif
    }
}

/// Repeats a search that other code has disturbed.
enum LeakRuns {
    /// The report of a search, made again once other code has come to rest if counts have moved.
    ///
    /// - Parameter rest: waits for that; `nil` if nothing else runs.
    static func search<Failure: Error>(
        waitingForRest rest: (() -> Rest)?, _ search: () throws(Failure) -> GrowthReport
    ) throws(Failure) -> GrowthReport {
        let following = Following()
        defer { following.end() }
        var report = try search()
        guard let rest else { return report }
        var sawGrowth = false
        for _ in 0..<2 where report.mayBeDisturbed {
            switch rest() {
            case .atOnce where !report.mayHideGrowth: return report
            case .atOnce, .afterWaiting:
                sawGrowth = sawGrowth || report.hasGrowingMemory
                report = try search()
            case .never, .interrupted: return report.disturbed()
            }
        }
        return sawGrowth && report.outcome == .clean ? report.disturbed() : report
    }

    /// The same of an asynchronous search, while no other one runs.
    ///
    /// - Parameter search: returns `nil` once the function that it is given returns `true`: it is made again when it is
    ///   this search's turn again.
    nonisolated(nonsending) static func searchAlone<Failure: Error>(
        waitingForRest rest: (@Sendable () async -> Rest)?,
        _ search: nonisolated(nonsending) (Int, @escaping () -> Bool) async throws(Failure) -> GrowthReport?
    ) async throws(Failure) -> GrowthReport {
        var interruptions = 0
        while true {
            let ticket = await Turn.shared.taken()
            let following = Following()
            defer {
                following.end()
                Turn.shared.pass(ticket)
            }
            // A body that looks for leaks itself would interrupt its own search again and again.
            let isInterrupted = { [mayEnd = interruptions < mostInterruptions] in
                mayEnd && Turn.shared.isInterrupted(ticket)
            }
            // What an interrupted search has put into a table makes that double later.
            let least = interruptions > 0 ? runsAfterInterruption : 0
            if let report = try await repeated(search, least, until: isInterrupted, waitingForRest: rest) {
                return Turn.shared.isHeld(by: ticket) ? report : report.disturbed()
            }
            interruptions += 1
        }
    }

    private static let mostInterruptions = 20
    private static let runsAfterInterruption = 160

    nonisolated(nonsending) private static func repeated<Failure: Error>(
        _ search: nonisolated(nonsending) (Int, @escaping () -> Bool) async throws(Failure) -> GrowthReport?,
        _ least: Int, until isInterrupted: @escaping () -> Bool, waitingForRest rest: (@Sendable () async -> Rest)?
    ) async throws(Failure) -> GrowthReport? {
        guard var report = try await search(least, isInterrupted) else { return nil }
        var sawGrowth = false
        guard let rest else { return report }
        // Something else may have raised a count, or hidden that it rises.
        for _ in 0..<2 where report.mayBeDisturbed {
            // Counts that stood still while nothing of ours ran were not disturbed.
            switch await rest() {
            case .atOnce where !report.mayHideGrowth: return report
            case .interrupted: return nil
            case .never: return report.disturbed()
            case .atOnce, .afterWaiting:
                sawGrowth = sawGrowth || report.hasGrowingMemory
                guard let again = try await search(least, isInterrupted) else { return nil }
                report = again
            }
        }
        return sawGrowth && report.outcome == .clean ? report.disturbed() : report
    }
}

extension GrowthReport {
    /// Whether other code may have raised a count, or hidden that it rises.
    fileprivate var mayBeDisturbed: Bool { mayHideGrowth || groups.contains(where: \.hasMoved) }

    /// Whether bytes grow that something is known to hold. A table that has doubled stands still for as many runs: a
    /// second search that finds nothing does not refute it.
    fileprivate var hasGrowingMemory: Bool { leaks.contains { $0.metric == .heapBytes && $0.retention != nil } }

    /// Whether the bytes of the heap rose without the runs too, or fell between two of them: what other code releases
    /// hides that they rise.
    fileprivate var mayHideGrowth: Bool {
        driftBytes != nil || groups.contains { $0.metric == .heapBytes && $0.hasFallen }
    }
}

/// Follows Swift objects and counts the heap's bytes during a search.
private struct Following {
    private struct State {
        var searches = 0
        var before = false
    }
    private static let state = Mutex(State())

    init() {
        Self.state.withLock { state in
            if state.searches == 0 { state.before = RxTrace.followsObjects }
            state.searches += 1
            RxTrace.followsObjects = true
        }
    }

    func end() {
        Self.state.withLock { state in
            state.searches -= 1
            if state.searches == 0 { RxTrace.followsObjects = state.before }
        }
    }
}

/// Lets one search at a time count.
///
/// A search that blocks its thread may hold a thread that an asynchronous search needs to go on: tasks run on only as
/// many threads as there are processors. So it goes before asynchronous searches: before those that wait, and it
/// interrupts one that runs. That one ends at its next reading, or after the run that is under way, and starts again
/// later. A run may take long, or may need the very thread: the blocking search waits for `graceSeconds` at most, and
/// then takes the turn while that run goes on.
final class Turn: Sendable {
    static let shared = Turn()

    /// Names the asynchronous search that was given the turn.
    struct Ticket: Equatable { fileprivate let number: Int }

    private enum Holder: Equatable {
        case blocking
        case asynchronous(Ticket)
    }
    private struct State {
        var holder: Holder?
        var tickets = 0
        /// How many asynchronous searches have lost the turn during a run, and have not ended yet.
        var strays = 0
        var blocking: [DispatchSemaphore] = []
        var asynchronous: [CheckedContinuation<Ticket, Never>] = []

        mutating func ticket() -> Ticket {
            tickets += 1
            let ticket = Ticket(number: tickets)
            holder = .asynchronous(ticket)
            return ticket
        }
    }
    private let state = Mutex(State())
    private let graceSeconds: Double

    init(graceSeconds: Double = 2) { self.graceSeconds = graceSeconds }

    /// How many searches wait: for tests.
    var waiting: Int { state.withLock { $0.blocking.count + $0.asynchronous.count } }

    /// Blocks this thread until it is its turn.
    ///
    /// - Returns: false if a run of an asynchronous search has not ended: it may work at the same time.
    func take() -> Bool {
        let turn = DispatchSemaphore(value: 0)
        let holder = state.withLock { state in
            let holder = state.holder
            if holder == nil { state.holder = .blocking } else { state.blocking.append(turn) }
            return holder
        }
        switch holder {
        case nil: break
        case .blocking: turn.wait()
        case .asynchronous(let ticket):
            if turn.wait(timeout: .now() + graceSeconds) == .timedOut { takeAway(from: ticket, turn) }
        }
        return state.withLock { $0.strays == 0 }
    }

    /// Takes the turn from an asynchronous search that has not ended; waits for it if it is another blocking search's.
    private func takeAway(from ticket: Ticket, _ turn: DispatchSemaphore) {
        let isTaken = state.withLock { state in
            guard state.holder == .asynchronous(ticket) else { return false }
            state.holder = .blocking
            state.strays += 1
            state.blocking.removeAll { $0 === turn }
            return true
        }
        if !isTaken { turn.wait() }
    }

    /// Suspends until it is this task's turn.
    nonisolated(nonsending) func taken() async -> Ticket {
        // Searches that block their threads and were started before this one come first, instead of interrupting it.
        try? await Task.sleep(for: .milliseconds(5))
        return await withCheckedContinuation { continuation in
            let ticket: Ticket? = state.withLock { state in
                if state.holder == nil { return state.ticket() }
                state.asynchronous.append(continuation)
                return nil
            }
            if let ticket { continuation.resume(returning: ticket) }
        }
    }

    /// Whether an asynchronous search has to end, as a blocking one waits for its turn or has it.
    func isInterrupted(_ ticket: Ticket) -> Bool {
        state.withLock { $0.holder != .asynchronous(ticket) || !$0.blocking.isEmpty }
    }

    /// Whether an asynchronous search still has the turn.
    func isHeld(by ticket: Ticket) -> Bool { state.withLock { $0.holder == .asynchronous(ticket) } }

    /// Whether a blocking search waits for the turn, or has it.
    var isWantedByBlocking: Bool { state.withLock { $0.holder == .blocking || !$0.blocking.isEmpty } }

    /// Ends the turn of the search that has it.
    ///
    /// - Parameter ticket: that of an asynchronous search, which may have lost the turn.
    func pass(_ ticket: Ticket? = nil) {
        let next: (DispatchSemaphore?, CheckedContinuation<Ticket, Never>?, Ticket?) = state.withLock { state in
            if let ticket, state.holder != .asynchronous(ticket) {
                state.strays -= 1
                return (nil, nil, nil)
            }
            if !state.blocking.isEmpty {
                state.holder = .blocking
                return (state.blocking.removeFirst(), nil, nil)
            }
            state.holder = nil
            if state.asynchronous.isEmpty { return (nil, nil, nil) }
            return (nil, state.asynchronous.removeFirst(), state.ticket())
        }
        next.0?.signal()
        if let ticket = next.2 { next.1?.resume(returning: ticket) }
    }
}

/// Whether and when other code of this process, other tests for example, comes to rest.
enum Rest {
    case atOnce, afterWaiting, never
    /// A blocking search has the next turn.
    case interrupted

    /// What is alive in this process.
    private struct Activity: Equatable {
        private let resources = ResourceSnapshot()
        private let objects = LiveObjects.byAddressOfType
    }

    /// How many readings are waited for: fewer each time that rest did not come, as something may never end.
    private static let patience = Atomic(500)

    /// Ten equal readings, 20 ms apart, are rest.
    private struct Watch {
        let patience = Rest.patience.load(ordering: .relaxed)
        private var latest = Activity()
        private var equal = 0
        private var readings = 0
        private var arrival = Rest.atOnce

        /// Takes a reading; what was found, or `nil` if another one is needed.
        mutating func read() -> Rest? {
            let reading = Activity()
            readings += 1
            if reading == latest { equal += 1 } else { (equal, latest, arrival) = (0, reading, .afterWaiting) }
            guard equal >= 10 || readings >= patience else { return nil }
            Rest.patience.store(equal < 10 ? max(patience / 2, 50) : 500, ordering: .relaxed)
            return equal < 10 ? .never : arrival
        }
    }

    /// Waits ten seconds at most, and suspends meanwhile.
    @Sendable static func comes() async -> Rest {
        var watch = Watch()
        while true {
            try? await Task.sleep(for: .milliseconds(20))
            if Turn.shared.isWantedByBlocking { return .interrupted }
            if let rest = watch.read() { return rest }
        }
    }

    /// Waits ten seconds at most, and blocks this thread meanwhile.
    static func waited() -> Rest {
        var watch = Watch()
        while true {
            usleep(20_000)
            if let rest = watch.read() { return rest }
        }
    }
}

#if canImport(Testing)
    /// Repeats a test, and fails it with the whole report if each repetition leaves more behind.
    ///
    /// ```swift compiled
    /// import Testing
    ///
    /// @Test(.noLeaks) func searchIsReleased() async throws {
    ///     _ = Observable<Int>.never().subscribe()
    /// }
    /// ```
    ///
    /// The body runs 23 times, three of them to warm up, and more often while counts still rise, so that an expectation
    /// that does not hold is reported as often. The counts are those of the whole process. Tests with this trait
    /// therefore wait for each other; and where counts have moved, leaks are looked for again, twice at most, once what
    /// else is running has made and dropped nothing for a while; `swift test --no-parallel` spares that.
    public struct NoLeaksTrait: TestTrait, SuiteTrait, TestScoping {
        let runs: Int
        let maximumRuns: Int
        let allowances: LeakAllowances
        var patience = RxTrace.defaultPatience
        var allowsUnjudged = false
        var waitForRest: @Sendable () async -> Rest = Rest.comes

        /// Every test of a suite with this trait is repeated.
        public var isRecursive: Bool { true }

        /// Repeats the test.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            let name = test.displayName ?? test.name
            let report = try await LeakRuns.searchAlone(waitingForRest: waitForRest) { least, isInterrupted in
                try await RxTrace.detectGrowth(
                    named: name, runs: max(runs, min(least, maximumRuns)), maximumRuns: maximumRuns,
                    patience: patience, until: isInterrupted
                ) {
                    try await function()
                }
            }
            let check = LeakCheck(report, allowing: allowances, allowingUnjudged: allowsUnjudged)
            if let failure = check.failure {
                Issue.record(Comment(rawValue: failure), sourceLocation: test.sourceLocation)
            }
        }
    }

    extension Trait where Self == NoLeaksTrait {
        /// Repeats a test, and fails it with the whole report if each repetition leaves more behind.
        public static var noLeaks: Self { noLeaks() }

        /// Repeats a test, and fails it with the whole report if each repetition leaves more behind.
        ///
        /// - Parameters:
        ///   - runs: how many runs are looked at first; 16 or more.
        ///   - maximumRuns: how many there are at most, warm-up apart.
        ///   - patience: how long it waits, before something is called a leak, for it to be released late.
        ///   - allowances: what may leak; an entry that is of no use any more fails the test too.
        ///   - allowingUnjudged: whether the test passes where not everything could be looked at.
        public static func noLeaks(
            runs: Int = 20, maximumRuns: Int = 1_600, patience: Duration = RxTrace.defaultPatience,
            allowing allowances: LeakAllowances = .none, allowingUnjudged: Bool = false
        ) -> Self {
            NoLeaksTrait(
                runs: runs, maximumRuns: maximumRuns, allowances: allowances, patience: patience,
                allowsUnjudged: allowingUnjudged)
        }
    }
#endif

/// A test's judgement of a search for leaks.
struct LeakCheck {
    private let report: GrowthReport
    private let stale: [StaleAllowance]
    private let allowsUnjudged: Bool

    init(_ report: GrowthReport, allowing allowances: LeakAllowances, allowingUnjudged: Bool = false) {
        self.report = report.allowing(allowances)
        allowsUnjudged = allowingUnjudged
        // Entries of a file are for other tests too; those that are written in the test are for it alone.
        stale =
            allowances.stale(after: [self.report]).filter { $0.allowance.place == nil }
            + allowances.stale(after: [self.report], isWhole: false).filter { $0.allowance.place != nil }
    }

    /// Why the test fails, with the whole report; `nil` if it passes.
    var failure: String? {
        guard let heading else { return nil }
        return ([heading, LeakTree().text(of: report)] + stale.map { "stale allowance: \($0)" }).joined(separator: "\n")
    }

    private var heading: String? {
        switch report.outcome {
        case .found: return "Each run leaves more behind."
        case .inconclusive: return report.whyInconclusive
        case .failed: return "The round trip failed."
        case .notJudged where !allowsUnjudged:
            return "Not judged: not everything could be looked at. Do what the next line says, or pass "
                + "'allowingUnjudged: true'."
        case .notJudged, .clean, .allowed: return stale.isEmpty ? nil : "An allowance is of no use any more."
        }
    }
}
