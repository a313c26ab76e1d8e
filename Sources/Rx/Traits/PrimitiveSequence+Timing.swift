extension PrimitiveSequence {
    /// The value and the completion, each `dueTime` later.
    ///
    ///     let echo = answer.delay(.milliseconds(200), scheduler: scheduler)
    ///
    /// An error is passed on at once.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// What a subscription gives that is made `dueTime` later, on `scheduler`.
    @inlinable
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// The sequence, with what it says delivered on `scheduler`.
    ///
    ///     let shown = answer.observe(on: MainScheduler.instance)
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// The sequence, subscribed to and disposed on `scheduler`.
    ///
    /// What it says arrives on the threads where it is said: see `observe(on:)`.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// The sequence, or `RxError.timeout` if it says nothing within `dueTime` of the subscription.
    ///
    ///     let page = load().timeout(.seconds(5), scheduler: MainScheduler.instance)
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// The sequence, or `other` if it says nothing within `dueTime` of the subscription.
    ///
    /// When the time is over, this sequence is disposed and `other` subscribed to.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}
