extension ObservableType {
    /// The given values, then completion.
    ///
    ///     _ = Observable.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public static func of(_ elements: Element...) -> Observable<Element> { SequenceObservable(walking: elements) }

    /// The given values, then completion, on `scheduler`, one in each turn.
    ///
    /// - Complexity: As `of(_:)` on the current thread; elsewhere the allocations of a turn for each element.
    @inlinable
    public static func of(_ elements: Element..., scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        SourceObservable.walking(elements, on: scheduler)
    }

    /// The elements of `array`, then completion.
    ///
    ///     _ = Observable.from([1, 2]).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `of(_:)`.
    @inlinable
    public static func from(_ array: [Element]) -> Observable<Element> { SequenceObservable(walking: array) }

    /// The elements of `array`, then completion, on `scheduler`, one in each turn.
    ///
    /// - Complexity: As `of(_:scheduler:)`.
    @inlinable
    public static func from(_ array: [Element], scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        SourceObservable.walking(array, on: scheduler)
    }

    /// Delivers the elements of `sequence`, then completes.
    ///
    ///     _ = Observable.from(stride(from: 0, to: 10, by: 5)).subscribe(onNext: { print($0) })  // 0, 5
    ///
    /// Each subscription iterates over it from its start. It may be endless.
    ///
    /// - Complexity: As `of(_:)`, plus the cost of the sequence itself.
    @inlinable
    public static func from<Elements: Sequence>(_ sequence: Elements) -> Observable<Element>
    where Elements.Element == Element {
        SequenceObservable(walking: sequence)
    }

    /// Delivers the elements of `sequence` on `scheduler`, one in each turn, then completes.
    ///
    /// - Complexity: As `of(_:scheduler:)`, plus the cost of the sequence itself.
    @inlinable
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> where Elements.Element == Element {
        SourceObservable.walking(sequence, on: scheduler)
    }

    /// The value, if there is one, then completion, at once and on the thread that subscribes.
    ///
    ///     _ = Observable.from(optional: Int("7")).subscribe(onNext: { print($0) })  // 7
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public static func from(optional: Element?) -> Observable<Element> {
        optional.map { .just($0) } ?? .empty()
    }

    /// Delivers the value on `scheduler`, if there is one, then completes.
    ///
    /// - Parameters:
    ///   - optional: the value, or `nil` for none.
    ///   - scheduler: the scheduler of the value, and of the completion in a separate turn.
    /// - Complexity: As `just(_:scheduler:)`.
    @inlinable
    public static func from(optional: Element?, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        if let optional { return .just(optional, scheduler: scheduler) }
        return SourceObservable { sink in
            sink.connect(
                scheduler.schedule(sink) { sink in
                    if !sink.isStopped { sink.end(nil) }
                    return Disposables.create()
                })
        }
    }
}
