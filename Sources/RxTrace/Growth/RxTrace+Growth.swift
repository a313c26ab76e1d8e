import Rx

extension RxTrace {
    /// Whether a round trip leaves more and more reactive resources behind.
    ///
    ///     let report = RxTrace.detectGrowth(named: "search") {
    ///         _ = Observable<Int>.never().subscribe()
    ///     }
    ///     print(report.verdict?.isGrowing ?? false)  // false
    ///
    /// Runs `body` 23 times: three warm-up runs, which do not count, and 20 that are compared with each other. While
    /// some count still rises, the number of runs is doubled, up to `maximumRuns`, which tells a leak from a cache with
    /// a bound; meanwhile stacks are recorded, so that the report can say where what grows is made, and at the end the
    /// heap is searched for who holds it. After each run it waits until schedulers have done what the run has given
    /// them, for a second at most, and until the counts are steady.
    ///
    /// It follows reactive resources in a build that traces them, the bytes of the heap where jemalloc keeps it, and
    /// what `follow(_:)` was given. Those are figures of the whole process: run one detection at a time, and nothing
    /// beside it. Blocks this thread while it waits; on the main thread the main queue goes on.
    ///
    /// - Parameters:
    ///   - name: what the report calls it.
    ///   - runs: how many runs are looked at first; 16 or more.
    ///   - maximumRuns: how many there are at most, warm-up apart.
    ///   - body: a round trip: opens something, uses it and closes it.
    /// - Returns: a report without groups if nothing can be counted; `body` then runs once.
    /// - Throws: what `body` throws, at its first error.
    public static func detectGrowth<Failure: Error>(
        named name: String, runs: Int = 20, maximumRuns: Int = 160, _ body: () throws(Failure) -> Void
    ) throws(Failure) -> GrowthReport {
        var search = GrowthSearch(name: name, runs: runs, maximumRuns: maximumRuns)
        defer { search.close() }
        while search.isOpen {
            search.beginRun()
            try body()
            var settling = search.endRun()
            while let pause = search.pause(&settling) { search.sleep(pause) }
            search.record(settling)
        }
        if var settling = search.confirmation {
            while let pause = search.pause(&settling) { search.sleep(pause) }
            search.confirm(settling)
        }
        return search.report()
    }

    /// Whether an asynchronous round trip leaves more and more reactive resources behind.
    ///
    /// As `detectGrowth(named:runs:maximumRuns:_:)` of a function that is not asynchronous; suspends while it waits.
    nonisolated(nonsending) public static func detectGrowth<Failure: Error>(
        named name: String, runs: Int = 20, maximumRuns: Int = 160,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Void
    ) async throws(Failure) -> GrowthReport {
        var search = GrowthSearch(name: name, runs: runs, maximumRuns: maximumRuns, isAsynchronous: true)
        defer { search.close() }
        while search.isOpen {
            search.beginRun()
            try await body()
            var settling = search.endRun()
            while let pause = search.pause(&settling) { await pause.suspend() }
            search.record(settling)
        }
        if var settling = search.confirmation {
            while let pause = search.pause(&settling) { await pause.suspend() }
            search.confirm(settling)
        }
        return search.report()
    }
}
