extension InfallibleType {
    /// An element once no other has come for `dueTime` after it.
    ///
    ///     let settled = query.debounce(.milliseconds(300), scheduler: scheduler)
    ///
    /// Completion delivers the one that is waiting first.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// At most one element in each `dueTime`: the first at once, and the last of those that come meanwhile when the
    /// time is over.
    ///
    ///     let some = query.throttle(.milliseconds(16), scheduler: scheduler)
    ///
    /// - Parameter latest: whether that last one is delivered.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }
}
