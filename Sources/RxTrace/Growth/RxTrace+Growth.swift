import Rx

extension RxTrace {
    /// Whether a round trip leaves more and more reactive resources behind.
    ///
    ///     let report = RxTrace.detectGrowth(named: "search") {
    ///         _ = Observable<Int>.never().subscribe()
    ///     }
    ///     print(report.verdict?.isGrowing ?? false)  // false
    ///
    /// Runs `body` 23 times: three warm-up runs, which do not count, and 20 that are compared with each other. While the counts of
    /// some kind still rise, the number of runs is doubled, up to `maximumRuns`, which tells a leak from a cache with a bound. After each
    /// run it waits until the counts are steady, for a second at most: what a scheduler does later than that reads as `pending`, or,
    /// if it holds as much after every run, as growth.
    ///
    /// The counts are those of the whole process: run one detection at a time, and nothing beside it. Blocks this thread while it waits.
    ///
    /// - Parameters:
    ///   - name: what the report calls it.
    ///   - runs: how many runs are looked at first; 16 or more.
    ///   - maximumRuns: how many there are at most, warm-up apart.
    ///   - body: a round trip: opens something, uses it and closes it.
    /// - Returns: a report without groups in a build that does not trace resources; `body` then runs once.
    /// - Throws: what `body` throws, at its first error.
    public static func detectGrowth<Failure: Error>(
        named name: String, runs: Int = 20, maximumRuns: Int = 160, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> GrowthReport {
        var search = GrowthSearch(name: name, runs: runs, maximumRuns: maximumRuns)
        while search.isOpen {
            try body()
            var settling = Settling(from: search.latest)
            while let pause = settling.pause(at: ResourceSnapshot()) { pause.sleep() }
            search.record(settling.latest, isSteady: settling.isSteady)
        }
        return search.report
    }

    /// Whether an asynchronous round trip leaves more and more reactive resources behind.
    ///
    /// As `detectGrowth(named:runs:maximumRuns:_:)` of a function that is not asynchronous; suspends while it waits.
    nonisolated(nonsending) public static func detectGrowth<Failure: Error>(
        named name: String, runs: Int = 20, maximumRuns: Int = 160, _ body: nonisolated(nonsending) () async throws(Failure) -> Void
    ) async throws(Failure) -> GrowthReport {
        var search = GrowthSearch(name: name, runs: runs, maximumRuns: maximumRuns)
        while search.isOpen {
            try await body()
            var settling = Settling(from: search.latest)
            while let pause = settling.pause(at: ResourceSnapshot()) { await pause.suspend() }
            search.record(settling.latest, isSteady: settling.isSteady)
        }
        return search.report
    }
}
