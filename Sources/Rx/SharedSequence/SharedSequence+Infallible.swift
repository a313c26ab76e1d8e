extension SharedSequenceConvertibleType {
    /// The sequence as one that cannot fail. It still shares one subscription, and delivers on the main queue.
    ///
    ///     let subscription = Driver.just(1).asInfallible().subscribe(onNext: { print($0) })  // 1
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

extension InfallibleType {
    /// The sequence as a driver: nothing to recover from.
    ///
    ///     let subscription = Infallible.just(1).asDriver().drive(onNext: { print($0) })  // 1
    @inlinable
    public func asDriver() -> Driver<Element> {
        SharedSequence(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }
}

extension ControlEventType {
    /// The events as a sequence that cannot fail.
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}
