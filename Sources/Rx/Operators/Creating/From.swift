extension ObservableType {
    /// Delivers the given values, then completes.
    ///
    ///     _ = Observable.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public static func of(_ elements: Element...) -> Observable<Element> { SequenceObservable(walking: elements) }

    /// Delivers the given values on `scheduler`, one in each turn, then completes.
    ///
    /// - Complexity: The same as `of(_:)` on the current thread; on other schedulers the allocations of a turn for each
    ///   element.
    @_alwaysEmitIntoClient
    public static func of(_ elements: Element..., scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        SourceObservable.walking(elements, on: scheduler)
    }

    /// Delivers the elements of `array`, then completes.
    ///
    ///     _ = Observable.from([1, 2]).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `of(_:)`.
    @_alwaysEmitIntoClient
    public static func from(_ array: [Element]) -> Observable<Element> { SequenceObservable(walking: array) }

    /// Delivers the elements of `array` on `scheduler`, one in each turn, then completes.
    ///
    /// - Complexity: The same as `of(_:scheduler:)`.
    @_alwaysEmitIntoClient
    public static func from(_ array: [Element], scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        SourceObservable.walking(array, on: scheduler)
    }

    /// Delivers the elements of `sequence`, then completes.
    ///
    ///     _ = Observable.from(stride(from: 0, to: 10, by: 5)).subscribe(onNext: { print($0) })  // 0, 5
    ///
    /// Each subscription iterates over `sequence` from its start. The sequence may be endless.
    ///
    /// - Complexity: The same as `of(_:)`, plus the cost of the sequence itself.
    @_alwaysEmitIntoClient
    public static func from<Elements: Sequence>(_ sequence: Elements) -> Observable<Element>
    where Elements.Element == Element {
        SequenceObservable(walking: sequence)
    }

    /// Delivers the elements of `sequence` on `scheduler`, one in each turn, then completes.
    ///
    /// - Complexity: The same as `of(_:scheduler:)`, plus the cost of the sequence itself.
    @_alwaysEmitIntoClient
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> where Elements.Element == Element {
        SourceObservable.walking(sequence, on: scheduler)
    }

    /// Delivers the value, if there is one, then completes, at once and on the thread that subscribes.
    ///
    ///     _ = Observable.from(optional: Int("7")).subscribe(onNext: { print($0) })  // 7
    ///
    /// - Complexity: No allocation per subscription or element.
    @_alwaysEmitIntoClient
    public static func from(optional: Element?) -> Observable<Element> {
        optional.map { .just($0) } ?? .empty()
    }

    /// Delivers the value on `scheduler`, if there is one, then completes.
    ///
    /// - Parameters:
    ///   - optional: the value, or `nil` for none.
    ///   - scheduler: the scheduler of the value, and of the completion in a separate turn.
    /// - Complexity: The same as `just(_:scheduler:)`.
    @_alwaysEmitIntoClient
    public static func from(optional: Element?, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        if let optional { return .just(optional, scheduler: scheduler) }
        return SourceObservable { sink in
            sink.connect(
                scheduler.schedule(sink) { sink in
                    if !sink.isStopped { sink.emitEnd() }
                    return Disposables.create()
                })
        }
    }
}
