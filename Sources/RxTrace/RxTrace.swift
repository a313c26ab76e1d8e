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
