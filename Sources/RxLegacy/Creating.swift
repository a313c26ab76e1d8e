import Rx

/// How sequences were made before Rx 3.
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
