import HeapTrace

#if canImport(XCTest)
    import XCTest
#endif
#if canImport(Testing)
    import Testing
#endif

/// Fails the test, with the whole report, if each repetition of a round trip leaves objects or memory behind.
///
/// ```swift compiled
/// expectNoLeaks {
///     let bag = DisposeBag()
///     Observable<Int>.never().subscribe().disposed(by: bag)
/// }
/// ```
///
/// Runs `body` 23 times, three of them to warm up, and more often while counts still rise. It counts the bytes of the
/// heap, the Swift objects, closures and boxes of every type, and reactive resources if the build traces them. The
/// counts cover the whole process, including the work of other threads. If the heap cannot be counted, under a
/// sanitizer for example, the test fails as *not judged*.
///
/// It works in tests of XCTest and of Swift Testing. Two concurrent calls wait for each other.
///
/// - Parameters:
///   - name: the name of the round trip in the report and in the entries of an allow-list.
///   - runs: the number of runs before the first decision, without the warm-up; 16 or more.
///   - maximumRuns: the largest number of runs, without the warm-up.
///   - patience: the time to wait for a late release before a leak is reported.
///   - allowances: the allowed leaks. The test also fails for an entry that has expired or no longer matches a leak. An
///     entry of a file that covers several round trips fails it only if it has expired and would match.
///   - allowingUnjudged: whether the test passes if some subjects could not be examined.
///   - fileID: the place at which a failure is shown.
///   - file: the file of that place.
///   - line: the line of that place.
///   - column: the column of that place.
///   - body: a round trip: opens something, uses it and closes it.
/// - Returns: the report.
/// - Throws: the first error that `body` throws.
@discardableResult
public func expectNoLeaks<Failure: Error>(
    named name: String = #function, runs: Int = 20, maximumRuns: Int = 1_600,
    patience: Duration = HeapTrace.defaultPatience, allowing allowances: LeakAllowances = .none,
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
                try HeapTrace.detectGrowth(
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

/// Fails the test, with the whole report, if each repetition of an asynchronous round trip leaves objects or
/// memory behind.
///
/// This works like the function of the same name for a body that is not asynchronous, but suspends while it waits.
@discardableResult
nonisolated(nonsending) public func expectNoLeaks<Failure: Error>(
    named name: String = #function, runs: Int = 20, maximumRuns: Int = 1_600,
    patience: Duration = HeapTrace.defaultPatience, allowing allowances: LeakAllowances = .none,
    allowingUnjudged: Bool = false, fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line,
    column: Int = #column, _ body: nonisolated(nonsending) () async throws(Failure) -> Void
) async throws(Failure) -> GrowthReport {
    let place = TestPlace(fileID: fileID, file: file, line: line, column: column)
    let report = try await LeakRuns.searchAlone(waitingForRest: place.isInSwiftTesting ? Rest.comes : nil) {
        (least, isInterrupted) async throws(Failure) in
        try await HeapTrace.detectGrowth(
            named: name, runs: max(runs, min(least, maximumRuns)), maximumRuns: maximumRuns, patience: patience,
            until: isInterrupted, body)
    }
    place.check(report, allowing: allowances, allowingUnjudged: allowingUnjudged)
    return report
}

/// The place at which a test calls a check, and the framework that runs the test.
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

#if canImport(Testing)
    /// Repeats a test, and fails it with the whole report if each repetition leaves objects or memory behind.
    ///
    /// ```swift compiled
    /// import Testing
    ///
    /// @Test(.noLeaks) func searchIsReleased() async throws {
    ///     _ = Observable<Int>.never().subscribe()
    /// }
    /// ```
    ///
    /// The body runs 23 times, three of them to warm up, and more often while counts still rise. A failing expectation
    /// is reported each time. The counts cover the whole process. Therefore tests with this trait wait for each other.
    /// If counts have moved, the search is repeated, twice at most, when other code has made and released nothing for a
    /// while. `swift test --no-parallel` avoids this.
    public struct NoLeaksTrait: TestTrait, SuiteTrait, TestScoping {
        let runs: Int
        let maximumRuns: Int
        let allowances: LeakAllowances
        var patience = HeapTrace.defaultPatience
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
                try await HeapTrace.detectGrowth(
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
        /// Repeats a test, and fails it with the whole report if each repetition leaves objects or memory behind.
        public static var noLeaks: Self { noLeaks() }

        /// Repeats a test, and fails it with the whole report if each repetition leaves objects or memory behind.
        ///
        /// - Parameters:
        ///   - runs: the number of runs before the first decision, without the warm-up; 16 or more.
        ///   - maximumRuns: the largest number of runs, without the warm-up.
        ///   - patience: the time to wait for a late release before a leak is reported.
        ///   - allowances: the allowed leaks. The test also fails for an entry that is no longer of use.
        ///   - allowingUnjudged: whether the test passes if some subjects could not be examined.
        public static func noLeaks(
            runs: Int = 20, maximumRuns: Int = 1_600, patience: Duration = HeapTrace.defaultPatience,
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
        // Entries of a file may be for other tests too. Entries that are written in the test are only for this test.
        stale =
            allowances.stale(after: [self.report]).filter { $0.allowance.place == nil }
            + allowances.stale(after: [self.report], isWhole: false).filter { $0.allowance.place != nil }
    }

    /// The reason why the test fails, with the whole report; `nil` if it passes.
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
