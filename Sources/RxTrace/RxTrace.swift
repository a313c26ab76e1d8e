import Rx

/// Questions about the reactive resources of this process.
public enum RxTrace {
    /// The resources that are alive after `body` has returned and were not before.
    ///
    ///     let news = PublishSubject<Int>()
    ///     let leaked = RxTrace.resources {
    ///         _ = news.subscribe()
    ///     }
    ///     print(leaked)  // total +2: sink +1, disposable +1
    ///
    /// It reads process-wide counts before and after: what other threads make meanwhile counts too, and so does what is
    /// made once and kept, so call `body` once beforehand. What `body` has left to schedulers counts while it is
    /// pending.
    ///
    /// - Parameter body: runs once, on this thread.
    /// - Returns: *unavailable* in a build that does not trace resources.
    /// - Throws: what `body` throws.
    public static func resources<Failure: Error>(
        leakedBy body: () throws(Failure) -> Void
    ) throws(Failure) -> ResourceDifference {
        let before = ResourceSnapshot()
        try body()
        return ResourceSnapshot().difference(from: before)
    }
}

extension RxTrace {
    /// How many reactive resources are alive, again and again: the loop that prints them in a running app or service.
    ///
    ///     _ = RxTrace.resourceCounts(every: .seconds(20), scheduler: scheduler)
    ///         .map { $0.total! > 0 }.subscribe(onNext: { print($0) })  // true, true, true
    ///
    /// Sends without end. The subscription's own resources are in the counts, the same number each time. O(t) for *t*
    /// threads a reading.
    ///
    /// - Parameters:
    ///   - period: also passes before the first reading.
    ///   - scheduler: keeps the time, and is where readings are made and sent.
    /// - Returns: readings that say *unavailable* in a build that does not trace resources.
    public static func resourceCounts(
        every period: RxTimeInterval, scheduler: any SchedulerType
    ) -> Observable<ResourceSnapshot> {
        Observable<Int>.interval(period, scheduler: scheduler).map { _ in ResourceSnapshot() }
    }
}

extension String {
    /// A number of things in words: `1 run`, `2 runs`.
    package static func counted(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
