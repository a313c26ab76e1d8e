extension PrimitiveSequence {
    /// A sequence that is made anew for each subscriber.
    ///
    ///     let now = Single.deferred { .just(Date()) }
    ///
    /// If `observableFactory` throws, the sequence fails with that error. What it returns is fed to the
    /// subscriber directly.
    @inlinable
    public static func deferred(
        _ observableFactory: @escaping () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: Observable.deferred { try observableFactory().source })
    }

    /// A sequence that holds a resource for as long as it runs.
    ///
    ///     let open = { CompositeDisposable(disposables: [Disposables.create { print("closed") }]) }
    ///     _ = Single.using(open, primitiveSequenceFactory: { _ in .just(1) })
    ///         .subscribe(onSuccess: { print($0) })  // 1, closed
    ///
    /// Each subscription makes its own resource, and disposes it after the sequence has ended or the subscription
    /// was disposed. If `resourceFactory` throws, the sequence fails with that error; if `primitiveSequenceFactory`
    /// throws, the resource is disposed too.
    @inlinable
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        primitiveSequenceFactory: @escaping (Resource) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: Observable.using(
                resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }
}

extension PrimitiveSequenceType where Element: RxAbstractInteger {
    /// 0, once `dueTime` has passed.
    ///
    ///     _ = Single<Int>.timer(.seconds(3), scheduler: scheduler)
    ///         .subscribe { print($0, scheduler.now.timeIntervalSince1970) }  // success(0) 3.0
    ///
    /// - Parameter scheduler: keeps the time, and is where the number is sent.
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: Observable.timer(dueTime, scheduler: scheduler))
    }
}
