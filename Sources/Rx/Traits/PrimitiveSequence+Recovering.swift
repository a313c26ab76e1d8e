extension PrimitiveSequence {
    /// The sequence, and after an error the one that `handler` makes of it.
    ///
    ///     let page = load().catch { error in .just(placeholder) }
    ///
    /// What `handler` throws takes the place of the error.
    @inlinable
    public func `catch`(
        _ handler: @escaping (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// The sequence, which is subscribed to again when it fails, up to `maxAttemptCount` times in total.
    ///
    ///     // Two more attempts after the first.
    ///     let page = load().retry(3)
    ///
    /// If all attempts fail, it fails with the last one's error. With 0 attempts it completes at once, without the
    /// value that a `Single` promises.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// The sequence, which is subscribed to again, after an error of type `Failure`, when the sequence that
    /// `notificationHandler` makes sends an element.
    ///
    ///     let page = load().retry { (errors: Observable<NetworkError>) in
    ///         errors.flatMap { _ in Observable<Int>.timer(.seconds(1), scheduler: scheduler) }
    ///     }
    ///
    /// The handler is called once per subscription. The end of what it made, completion or error, is the end of this
    /// sequence. Errors of other types end it directly.
    @inlinable
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// The sequence, which is subscribed to again, after an error, when the sequence that `notificationHandler` makes
    /// sends an element.
    ///
    /// As the form for one type of error, for all of them.
    @inlinable
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }
}
