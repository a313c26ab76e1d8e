import Rx

// Spans of time as seconds, as they were before version 5: those of drivers, signals, singles and their kind.

extension SharedSequenceConvertibleType {
    /// A value once no other has come for `dueTime` seconds after it.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func debounce(_ dueTime: Double) -> SharedSequence<SharingStrategy, Element> {
        debounce(RxTimeInterval(seconds: dueTime))
    }

    /// At most one value in each `dueTime` seconds.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func throttle(_ dueTime: Double, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest)
    }

    /// Each event, `dueTime` seconds later.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func delay(_ dueTime: Double) -> SharedSequence<SharingStrategy, Element> {
        delay(RxTimeInterval(seconds: dueTime))
    }
}

extension PrimitiveSequence {
    /// The event, `dueTime` seconds later.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func delay(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// The sequence, or `RxError.timeout` once `dueTime` seconds have passed.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func timeout(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// The sequence, or `other` once `dueTime` seconds have passed.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func timeout(
        _ dueTime: Double, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }

    /// The sequence, subscribed to `dueTime` seconds later.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public func delaySubscription(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element>
    {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

extension PrimitiveSequenceType where Element: RxAbstractInteger {
    /// 0 after `dueTime` seconds.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public static func timer(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

extension SharedSequence where Element: RxAbstractInteger {
    /// 0, 1, 2 …, one every `period` seconds.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public static func interval(_ period: Double) -> SharedSequence<SharingStrategy, Element> {
        interval(RxTimeInterval(seconds: period))
    }

    /// 0, 1, 2 … : the first after `dueTime` seconds, then one every `period` seconds.
    @available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
    public static func timer(_ dueTime: Double, period: Double) -> SharedSequence<SharingStrategy, Element> {
        timer(RxTimeInterval(seconds: dueTime), period: RxTimeInterval(seconds: period))
    }
}
