import Rx

/// How sequences were made before version 3.
extension ObservableType {
    /// The given values, then completion.
    @available(*, deprecated, renamed: "of(_:)")
    @inlinable
    public static func sequenceOf(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        from(elements, scheduler: scheduler)
    }

    /// One value, then completion.
    @available(*, deprecated, renamed: "just(_:)")
    @inlinable
    public static func returnElement(_ element: Element) -> Observable<Element> { just(element) }

    /// No values: `error` at once.
    @available(*, deprecated, renamed: "error(_:)")
    @inlinable
    public static func failWith(_ error: any Error) -> Observable<Element> { self.error(error) }
}

extension Sequence {
    /// The elements, then completion.
    @available(*, deprecated, message: "Use 'Observable.from'.")
    @inlinable
    public func toObservable(
        _ scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .from(self, scheduler: scheduler)
    }
}

extension Optional {
    /// The value if there is one, then completion.
    @available(*, deprecated, message: "Use 'Observable.from(optional:)'.")
    @inlinable
    public func toObservable() -> Observable<Wrapped> { .from(optional: self) }

    /// The value if there is one, then completion, as actions of `scheduler`.
    @available(*, deprecated, message: "Use 'Observable.from(optional:scheduler:)'.")
    @inlinable
    public func toObservable(_ scheduler: any ImmediateSchedulerType) -> Observable<Wrapped> {
        .from(optional: self, scheduler: scheduler)
    }
}
