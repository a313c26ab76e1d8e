import Rx

// Time intervals in seconds, as before version 5, and schedulers without an argument label, as before version 2.

extension RxTimeInterval {
    /// Creates a time interval from a number of seconds, rounded to nanoseconds.
    ///
    ///     print(RxTimeInterval(0.3) == .milliseconds(300))  // true
    @available(*, deprecated, message: "Use '.milliseconds(300)', '.seconds(3)' and the like.")
    public init(_ seconds: Double) { self.init(seconds: seconds) }

    /// Creates a time interval from a number of seconds.
    @available(*, deprecated, message: "Use '.seconds(3)'.")
    public init(_ seconds: Int) { self = .seconds(seconds) }

    init(seconds: Double) {
        // If the interval exceeds 292 years or is not a number, it cannot be expressed in nanoseconds.
        self = Int(exactly: (seconds * 1e9).rounded()).map { .nanoseconds($0) } ?? .never
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension SchedulerType {
    /// Runs `action` after `dueTime` seconds.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: Double, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { scheduleRelative(state, dueTime: RxTimeInterval(seconds: dueTime), action: action) }

    /// Runs `action` after `startAfter` seconds and then every `period` seconds, each time with its previous result.
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

    /// Delivers a value after `dueTime` seconds have passed without another value.
    public func debounce(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        debounce(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Delivers at most one value in each `dueTime` seconds.
    public func throttle(_ dueTime: Double, latest: Bool = true, scheduler: any SchedulerType) -> Observable<Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest, scheduler: scheduler)
    }

    /// Delays each event by `dueTime` seconds.
    public func delay(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Subscribes to this sequence after `dueTime` seconds.
    public func delaySubscription(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Delivers the values that arrive before `duration` seconds have passed.
    public func take(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// Delivers the values that arrive before `duration` seconds have passed.
    public func takeDuration(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// Delivers the values that arrive after `duration` seconds have passed.
    public func skip(_ duration: Double, scheduler: any SchedulerType) -> Observable<Element> {
        skip(RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// Fails with `RxError.timeout` if no event arrives for `dueTime` seconds.
    public func timeout(_ dueTime: Double, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Switches to `other` if no event arrives for `dueTime` seconds.
    public func timeout<Other: ObservableConvertibleType>(
        _ dueTime: Double, other: Other, scheduler: any SchedulerType
    ) -> Observable<Element> where Other.Element == Element {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }

    /// Delivers the values in arrays. An array is complete after `timeSpan` seconds or after `count` values.
    public func buffer(timeSpan: Double, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        buffer(timeSpan: RxTimeInterval(seconds: timeSpan), count: count, scheduler: scheduler)
    }

    /// Delivers the values in sequences. A sequence completes after `timeSpan` seconds or after `count` values.
    public func window(timeSpan: Double, count: Int, scheduler: any SchedulerType) -> Observable<Observable<Element>> {
        window(timeSpan: RxTimeInterval(seconds: timeSpan), count: count, scheduler: scheduler)
    }

    // MARK: Without a label

    /// Delivers a value after `dueTime` seconds have passed without another value.
    public func debounce(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        debounce(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Delivers at most one value in each `dueTime` seconds.
    public func throttle(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        throttle(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Delays each event by `dueTime` seconds.
    public func delay(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Subscribes to this sequence after `dueTime` seconds.
    public func delaySubscription(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Delivers the values that arrive before `duration` seconds have passed.
    public func take(_ duration: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        take(for: RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// Delivers the values that arrive after `duration` seconds have passed.
    public func skip(_ duration: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        skip(RxTimeInterval(seconds: duration), scheduler: scheduler)
    }

    /// Fails with `RxError.timeout` if no event arrives for `dueTime` seconds.
    public func timeout(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension ObservableType where Element: RxAbstractInteger {
    /// Delivers 0, 1, 2 …, one value every `period` seconds.
    public static func interval(_ period: Double, scheduler: any SchedulerType) -> Observable<Element> {
        interval(RxTimeInterval(seconds: period), scheduler: scheduler)
    }

    /// Delivers 0, 1, 2 …, one value every `period` seconds.
    public static func interval(_ period: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        interval(RxTimeInterval(seconds: period), scheduler: scheduler)
    }

    /// Delivers 0 after `dueTime` seconds, then 1, 2 … every `period` seconds. Completes after 0 if there is no period.
    public static func timer(
        _ dueTime: Double, period: Double? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        timer(
            RxTimeInterval(seconds: dueTime), period: period.map { RxTimeInterval(seconds: $0) }, scheduler: scheduler)
    }

    /// Delivers 0 after `dueTime` seconds, then completes.
    public static func timer(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Element> {
        timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

// Time intervals in seconds, as before version 5, for drivers, signals, singles and similar sequences.

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension SharedSequenceConvertibleType {
    /// Delivers a value after `dueTime` seconds have passed without another value.
    public func debounce(_ dueTime: Double) -> SharedSequence<SharingStrategy, Element> {
        debounce(RxTimeInterval(seconds: dueTime))
    }

    /// Delivers at most one value in each `dueTime` seconds.
    public func throttle(_ dueTime: Double, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        throttle(RxTimeInterval(seconds: dueTime), latest: latest)
    }

    /// Delays each event by `dueTime` seconds.
    public func delay(_ dueTime: Double) -> SharedSequence<SharingStrategy, Element> {
        delay(RxTimeInterval(seconds: dueTime))
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension PrimitiveSequence {
    /// Delays the event by `dueTime` seconds.
    public func delay(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        delay(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Fails with `RxError.timeout` if no event arrives within `dueTime` seconds.
    public func timeout(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }

    /// Switches to `other` if no event arrives within `dueTime` seconds.
    public func timeout(
        _ dueTime: Double, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        timeout(RxTimeInterval(seconds: dueTime), other: other, scheduler: scheduler)
    }

    /// Subscribes to the sequence after `dueTime` seconds.
    public func delaySubscription(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element>
    { delaySubscription(RxTimeInterval(seconds: dueTime), scheduler: scheduler) }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension PrimitiveSequenceType where Element: RxAbstractInteger {
    /// Delivers 0 after `dueTime` seconds.
    public static func timer(_ dueTime: Double, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
    }
}

@available(*, deprecated, message: "Use 'RxTimeInterval', such as '.milliseconds(300)'.")
extension SharedSequence where Element: RxAbstractInteger {
    /// Delivers 0, 1, 2 …, one value every `period` seconds.
    public static func interval(_ period: Double) -> SharedSequence<SharingStrategy, Element> {
        interval(RxTimeInterval(seconds: period))
    }

    /// Delivers 0, 1, 2 …. The first value arrives after `dueTime` seconds, then one value arrives every `period`
    /// seconds.
    public static func timer(_ dueTime: Double, period: Double) -> SharedSequence<SharingStrategy, Element> {
        timer(RxTimeInterval(seconds: dueTime), period: RxTimeInterval(seconds: period))
    }
}
