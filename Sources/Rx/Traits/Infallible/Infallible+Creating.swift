extension Infallible {
    /// Receives what a sequence that cannot fail has to say.
    public typealias InfallibleObserver = (InfallibleEvent<Element>) -> Void
}

extension InfallibleType {
    /// A sequence that `subscribe` produces for each subscriber.
    ///
    ///     let answer = Infallible<Int>.create { observer in
    ///         observer(.next(42))
    ///         observer(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: tells the observer values one at a time, now or later, from any thread, and returns what
    ///   to dispose after completion, or when the subscription is disposed. What it tells after completion is ignored.
    @inlinable
    public static func create(
        subscribe: @escaping (@escaping @Sendable (InfallibleEvent<Element>) -> Void) -> any Disposable
    ) -> Infallible<Element> {
        Infallible(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; a sink refuses what comes after
                // the end.
                #if DEBUG
                    let monitor = EventMonitor()
                #endif
                let subscription = subscribe { event in
                    #if DEBUG
                        let visit = sink.visit(monitor, Infallible<Element>.InfallibleObserver.self)
                        defer { visit.end() }
                    #endif
                    switch event {
                    case .next(var element): sink.emitBeforeEnd(&element)
                    case .completed: sink.endOnce(nil)
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// One value, then completion.
    ///
    ///     _ = Infallible.just(1).subscribe(onNext: { print($0) })  // 1
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> { Infallible(raw: .just(element)) }

    /// One value, then completion, each as an action of `scheduler`.
    ///
    ///     let later = Infallible.just(1, scheduler: scheduler)
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: .just(element, scheduler: scheduler))
    }

    /// Nothing, ever.
    ///
    ///     let silence = Infallible<Int>.never()
    @inlinable
    public static func never() -> Infallible<Element> { Infallible(raw: .never()) }

    /// Completion at once.
    ///
    ///     _ = Infallible<Int>.empty().subscribe { print($0) }  // completed
    @inlinable
    public static func empty() -> Infallible<Element> { Infallible(raw: .empty()) }

    /// A sequence that `infallibleFactory` makes anew for each subscriber.
    ///
    ///     let now = Infallible.deferred { Infallible.just(Date()) }
    ///
    /// An error that the factory throws goes to `Hooks.defaultErrorHandler` and ends the sequence without an event.
    @inlinable
    public static func deferred(_ infallibleFactory: @escaping () throws -> Infallible<Element>) -> Infallible<Element>
    {
        Infallible(raw: .deferred { try infallibleFactory().source })
    }

    /// The given values, then completion.
    ///
    ///     _ = Infallible.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(raw: .from(elements, scheduler: scheduler))
    }

    /// The elements of an array, then completion.
    ///
    ///     _ = Infallible.from([1, 2]).subscribe(onNext: { print($0) })  // 1, 2
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(raw: .from(array, scheduler: scheduler))
    }

    /// The elements of a Swift sequence, which each subscription walks from its start, then completion.
    ///
    ///     _ = Infallible.from(1...2).subscribe(onNext: { print($0) })  // 1, 2
    @inlinable
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Elements.Element == Element {
        Infallible(raw: .from(sequence, scheduler: scheduler))
    }
}
