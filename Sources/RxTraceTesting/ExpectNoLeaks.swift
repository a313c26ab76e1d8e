import RxTrace

#if canImport(XCTest)
    import XCTest

    /// Fails the test, with the whole report, if repeated round trips leave more and more behind.
    ///
    /// ```swift compiled
    /// expectNoLeaks {
    ///     let bag = DisposeBag()
    ///     Observable<Int>.never().subscribe().disposed(by: bag)
    /// }
    /// ```
    ///
    /// Runs `body` 23 times, three of them to warm up, and more often while counts still rise. The counts are those of
    /// the whole process: what other threads make meanwhile counts too. In a build that does not trace resources the
    /// test fails, as nothing was looked at: leave the check out there with `try XCTSkipUnless(Resources.isTracing)`.
    ///
    /// - Parameters:
    ///   - name: what the report and the entries of an allow-list call it.
    ///   - runs: how many runs are looked at first; 16 or more.
    ///   - maximumRuns: how many there are at most, warm-up apart.
    ///   - allowances: what may leak. An entry that has expired or that matches nothing any more fails the test too; an
    ///     entry of a file that is for any round trip does so only where it would match.
    ///   - file: where a failure is shown.
    ///   - line: as `file`.
    ///   - body: a round trip: opens something, uses it and closes it.
    /// - Returns: what was found.
    /// - Throws: what `body` throws, at its first error.
    @discardableResult
    public func expectNoLeaks<Failure: Error>(
        named name: String = #function, runs: Int = 20, maximumRuns: Int = 160,
        allowing allowances: LeakAllowances = .none,
        file: StaticString = #filePath, line: UInt = #line, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> GrowthReport {
        let report = try RxTrace.detectGrowth(named: name, runs: runs, maximumRuns: maximumRuns, body)
        if let failure = LeakCheck(report, allowing: allowances).failure { XCTFail(failure, file: file, line: line) }
        return report
    }

    /// Fails the test, with the whole report, if repeated asynchronous round trips leave more and more behind.
    ///
    /// As `expectNoLeaks` of a function that is not asynchronous; suspends while it waits.
    @discardableResult
    nonisolated(nonsending) public func expectNoLeaks<Failure: Error>(
        named name: String = #function, runs: Int = 20, maximumRuns: Int = 160,
        allowing allowances: LeakAllowances = .none, file: StaticString = #filePath, line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Void
    ) async throws(Failure) -> GrowthReport {
        let report = try await RxTrace.detectGrowth(named: name, runs: runs, maximumRuns: maximumRuns, body)
        if let failure = LeakCheck(report, allowing: allowances).failure { XCTFail(failure, file: file, line: line) }
        return report
    }
#endif

#if canImport(Testing)
    import Synchronization
    import Testing

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
        var waitForRest: @Sendable () async -> Rest = Rest.comes

        /// Every test of a suite with this trait is repeated.
        public var isRecursive: Bool { true }

        /// Repeats the test.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            await Turn.shared.take()
            let result: Result<GrowthReport, any Error>
            do { result = .success(try await report(named: test.displayName ?? test.name, on: function)) } catch {
                result = .failure(error)
            }
            await Turn.shared.pass()
            if let failure = LeakCheck(try result.get(), allowing: allowances).failure {
                Issue.record(Comment(rawValue: failure), sourceLocation: test.sourceLocation)
            }
        }

        /// Repeats the test alone, as far as that can be had.
        private func report(
            named name: String, on function: @Sendable () async throws -> Void
        ) async throws -> GrowthReport {
            func search() async throws -> GrowthReport {
                try await RxTrace.detectGrowth(named: name, runs: runs, maximumRuns: maximumRuns) {
                    try await function()
                }
            }
            var report = try await search()
            // Something else may have raised a count, or hidden that it rises.
            for _ in 0..<2 where report.groups.contains(where: \.hasMoved) {
                // Counts that stood still while nothing of ours ran were not disturbed.
                guard await waitForRest() == .afterWaiting else { break }
                report = try await search()
            }
            return report
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
        ///   - allowances: what may leak; an entry that is of no use any more fails the test too.
        public static func noLeaks(
            runs: Int = 20, maximumRuns: Int = 160, allowing allowances: LeakAllowances = .none
        ) -> Self { NoLeaksTrait(runs: runs, maximumRuns: maximumRuns, allowances: allowances) }
    }

    /// Lets one test at a time count.
    private actor Turn {
        static let shared = Turn()
        private var isTaken = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func take() async {
            guard isTaken else {
                isTaken = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func pass() {
            if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
        }
    }

    /// The time from which on other tests neither make nor drop resources.
    enum Rest {
        case atOnce, afterWaiting

        /// How many readings are waited for: fewer each time that rest did not come, as something may never end.
        private static let patience = Atomic(500)

        /// Waits for ten equal readings, 20 ms apart; ten seconds at most.
        @Sendable static func comes() async -> Rest {
            let patience = patience.load(ordering: .relaxed)
            var latest = ResourceSnapshot()
            var equal = 0
            var arrival = Rest.atOnce
            for _ in 0..<patience where equal < 10 {
                try? await Task.sleep(for: .milliseconds(20))
                let reading = ResourceSnapshot()
                if reading == latest {
                    equal += 1
                } else {
                    (equal, latest, arrival) = (0, reading, .afterWaiting)
                }
            }
            Self.patience.store(equal < 10 ? max(patience / 2, 50) : 500, ordering: .relaxed)
            return arrival
        }
    }
#endif

/// A test's judgement of a search for leaks.
struct LeakCheck {
    private let report: GrowthReport
    private let stale: [StaleAllowance]

    init(_ report: GrowthReport, allowing allowances: LeakAllowances) {
        self.report = report.allowing(allowances)
        // Entries of a file are for other tests too; those that are written in the test are for it alone.
        stale =
            allowances.stale(after: [self.report]).filter { $0.allowance.place == nil }
            + allowances.stale(after: [self.report], isWhole: false).filter { $0.allowance.place != nil }
    }

    /// Why the test fails, with the whole report; `nil` if it passes.
    var failure: String? {
        let heading: String
        switch report.outcome {
        case .clean, .allowed:
            guard !stale.isEmpty else { return nil }
            heading = "An allowance is of no use any more."
        case .leaking: heading = "Each run leaves more behind."
        case .undecided:
            heading = "Something had not come to rest after the last run. Dispose it or wait for it in the test."
        case .unavailable, .failed:
            heading = "Leaks cannot be looked for. Leave the check out where 'Resources.isTracing' is false."
        }
        return ([heading, LeakTree().text(of: report)] + stale.map { "stale allowance: \($0)" }).joined(separator: "\n")
    }
}
