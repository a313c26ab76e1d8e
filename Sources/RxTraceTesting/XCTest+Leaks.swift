#if canImport(XCTest)
    import RxTrace
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
        allowing allowances: LeakAllowances = .none,
        file: StaticString = #filePath, line: UInt = #line,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Void
    ) async throws(Failure) -> GrowthReport {
        let report = try await RxTrace.detectGrowth(named: name, runs: runs, maximumRuns: maximumRuns, body)
        if let failure = LeakCheck(report, allowing: allowances).failure { XCTFail(failure, file: file, line: line) }
        return report
    }
#endif
