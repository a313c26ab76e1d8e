import Rx

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
