// Time is that of the strategy's scheduler: the main one, unless `SharingScheduler.mock` has put another in its place.
extension SharedSequenceConvertibleType {
    /// The elements, at most one in each window of `dueTime`.
    ///
    ///     let saves = taps.asSignal(onErrorJustReturn: ()).throttle(.milliseconds(500), latest: false)
    ///
    /// - Parameter latest: whether the last element that arrives within a window is sent at its end.
    @inlinable
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// The elements that no other element follows within `dueTime`.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// The elements and completion, each `dueTime` later.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }
}
