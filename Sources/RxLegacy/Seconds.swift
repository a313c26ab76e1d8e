import Rx

// Spans of time as seconds, as they were before version 5, and schedulers without a label, as they were before version
// 2.

extension RxTimeInterval {
    /// The span of time of a number of seconds, rounded to nanoseconds.
    ///
    ///     print(RxTimeInterval(0.3) == .milliseconds(300))  // true
    @available(*, deprecated, message: "Use '.milliseconds(300)', '.seconds(3)' and the like.")
    public init(_ seconds: Double) { self.init(seconds: seconds) }

    /// The span of time of a number of seconds.
    @available(*, deprecated, message: "Use '.seconds(3)'.")
    public init(_ seconds: Int) { self = .seconds(seconds) }

    init(seconds: Double) {
        // Beyond 292 years, or if this is no number, there is no such number of nanoseconds.
        self = Int(exactly: (seconds * 1e9).rounded()).map { .nanoseconds($0) } ?? .never
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension SchedulerType {
    /// Runs `action` after `dueTime` seconds.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: Double, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { scheduleRelative(state, dueTime: RxTimeInterval(seconds: dueTime), action: action) }

    /// Runs `action` after `startAfter` seconds, and then every `period` seconds with what it has returned.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: Double, period: Double, action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        schedulePeriodic(
            state, startAfter: RxTimeInterval(seconds: startAfter), period: RxTimeInterval(seconds: period),
            action: action)
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension ObservableType {
    // MARK: With a label

    /// A value once no other has come for `dueTime` seconds after it.
    public func debounce(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        debounce(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// At most one value in each `dueTime` seconds.
    public func throttle(_ dueTime: Double, latest: Bool = true, scheduler: any SchedulerType) -> Observable<Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest, scheduler: scheduler)
    }

    /// Each event, `dueTime` seconds later.
    public func delay(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// This sequence, subscribed to `dueTime` seconds later.
    public func delaySubscription(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// The values that come before `duration` seconds have passed.
    public func take(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// The values that come before `duration` seconds have passed.
    public func takeDuration(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// The values that come after `duration` seconds have passed.
    public func skip(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        skip(RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// This sequence, or `RxError.timeout` once nothing has come for `dueTime` seconds.
    public func timeout(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// This sequence, or `other` once nothing has come for `dueTime` seconds.
    public func timeout<Other: ObservableConvertibleType>(
        _ dueTime: Double, other: Other, scheduler: any SchedulerType
    ) -> Observable<Element> where Other.Element == Element {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }

    /// The values of each `timeSpan` seconds, or of each `count`, in arrays.
    public func buffer(timeSpan: Double, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        buffer(timeSpan: RxTimeInterval(seconds: timeSpan), count: count, scheduler: scheduler)
    }

    /// The values of each `timeSpan` seconds, or of each `count`, as sequences.
    public func window(timeSpan: Double, count: Int, scheduler: any SchedulerType) -> Observable<Observable<Element>> {
        window(timeSpan: RxTimeInterval(seconds: timeSpan), count: count, scheduler: scheduler)
    }

    // MARK: Without a label

    /// A value once no other has come for `dueTime` seconds after it.
    public func debounce(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        debounce(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// At most one value in each `dueTime` seconds.
    public func throttle(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        throttle(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Each event, `dueTime` seconds later.
    public func delay(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// This sequence, subscribed to `dueTime` seconds later.
    public func delaySubscription(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// The values that come before `duration` seconds have passed.
    public func take(_ duration: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// The values that come after `duration` seconds have passed.
    public func skip(_ duration: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        skip(RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// This sequence, or `RxError.timeout` once nothing has come for `dueTime` seconds.
    public func timeout(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension ObservableType where Element: RxAbstractInteger {
    /// 0, 1, 2 …, one every `period` seconds.
    public static func interval(_ period: Double, scheduler: any SchedulerType) -> Observable<Element> {
        interval(RxTimeInterval(seconds: period), scheduler: scheduler)
    }

    /// 0, 1, 2 …, one every `period` seconds.
    public static func interval(_ period: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        interval(RxTimeInterval(seconds: period), scheduler: scheduler)
    }

    /// 0 after `dueTime` seconds, and then 1, 2 … every `period` seconds, or completion if there is none.
    public static func timer(
        _ dueTime: Double, period: Double? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        timer(
            RxTimeInterval(seconds: dueTime), period: period.map { RxTimeInterval(seconds: $0) }, scheduler: scheduler)
    }

    /// 0 after `dueTime` seconds, then completion.
    public static func timer(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

// Spans of time as seconds, as they were before version 5: those of drivers, signals, singles and their kind.

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension SharedSequenceConvertibleType {
    /// A value once no other has come for `dueTime` seconds after it.
    public func debounce(_ dueTime: Double) -> SharedSequence<SharingStrategy, Element> {
        debounce(RxTimeInterval(seconds: dueTime))
    }

    /// At most one value in each `dueTime` seconds.
    public func throttle(_ dueTime: Double, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest)
    }

    /// Each event, `dueTime` seconds later.
    public func delay(_ dueTime: Double) -> SharedSequence<SharingStrategy, Element> {
        delay(RxTimeInterval(seconds: dueTime))
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension PrimitiveSequence {
    /// The event, `dueTime` seconds later.
    public func delay(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// The sequence, or `RxError.timeout` once `dueTime` seconds have passed.
    public func timeout(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// The sequence, or `other` once `dueTime` seconds have passed.
    public func timeout(
        _ dueTime: Double, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }

    /// The sequence, subscribed to `dueTime` seconds later.
    public func delaySubscription(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element>
    { delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler) }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension PrimitiveSequenceType where Element: RxAbstractInteger {
    /// 0 after `dueTime` seconds.
    public static func timer(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension SharedSequence where Element: RxAbstractInteger {
    /// 0, 1, 2 …, one every `period` seconds.
    public static func interval(_ period: Double) -> SharedSequence<SharingStrategy, Element> {
        interval(RxTimeInterval(seconds: period))
    }

    /// 0, 1, 2 … : the first after `dueTime` seconds, then one every `period` seconds.
    public static func timer(_ dueTime: Double, period: Double) -> SharedSequence<SharingStrategy, Element> {
        timer(RxTimeInterval(seconds: dueTime), period: RxTimeInterval(seconds: period))
    }
}
