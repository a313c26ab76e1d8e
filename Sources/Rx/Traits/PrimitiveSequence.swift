/// A sequence with a promise about its events, named by `Trait`: `Single`, for example, gives one value or fails.
///
/// Subscribe to it as to an observable, or turn it back into one with `asObservable()`. Its operators are those of
/// `Observable` that keep the promise, at the same cost.
public struct PrimitiveSequence<Trait, Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// - Parameter source: keeps the promise of `Trait`.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// Something that is a primitive sequence, so that extensions can tell traits apart.
public protocol PrimitiveSequenceType<Trait, Element> {
    /// The promise about its events.
    associatedtype Trait
    /// The type of its values.
    associatedtype Element

    /// The sequence.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequenceType {
    /// The sequence without its promise, for operators.
    @inlinable @inline(__always)
    var source: Observable<Element> { primitiveSequence.source }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    /// This sequence.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    @inlinable
    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequence: ObservableConvertibleType {
    /// The sequence without its promise.
    ///
    /// - Complexity: No allocation.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequence {
    /// A sequence that is made anew for each subscriber.
    ///
    ///     let now = Single.deferred { .just(Date()) }
    ///
    /// If `observableFactory` throws, the sequence fails with that error. The sequence that it returns is fed to
    /// the subscriber directly.
    ///
    /// - Complexity: As `deferred(_:)` of observables.
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
    ///
    /// - Complexity: As `using(_:observableFactory:)` of observables.
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
    /// - Parameters:
    ///   - dueTime: how long the value waits, from the subscription on.
    ///   - scheduler: keeps the time, and is where the number is sent.
    /// - Complexity: As `timer(_:period:scheduler:)` of observables.
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: Observable.timer(dueTime, scheduler: scheduler))
    }
}

extension PrimitiveSequence {
    /// The sequence, and after an error the one that `handler` makes of it.
    ///
    ///     let page = load().catch { error in .just(placeholder) }
    ///
    /// An error that `handler` throws takes the place of the error.
    ///
    /// - Complexity: As `catch(_:)` of observables.
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
    ///
    /// - Complexity: As `retry(_:)` of observables.
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
    /// The handler is called once per subscription. The end of its sequence, completion or error, is the end of this
    /// sequence. Errors of other types end it directly.
    ///
    /// - Complexity: As `retry(when:)` of observables.
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
    ///
    /// - Complexity: As `retry(when:)` of observables.
    @inlinable
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }
}

extension PrimitiveSequence {
    /// The value and the completion, each `dueTime` later.
    ///
    ///     let echo = answer.delay(.milliseconds(200), scheduler: scheduler)
    ///
    /// An error is passed on at once.
    ///
    /// - Complexity: As `delay(_:scheduler:)` of observables.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// The sequence, subscribed to `dueTime` later, on `scheduler`.
    ///
    /// - Complexity: As `delaySubscription(_:scheduler:)` of observables.
    @inlinable
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// The sequence, its events delivered on `scheduler`.
    ///
    ///     let shown = answer.observe(on: MainScheduler.instance)
    ///
    /// - Complexity: As `observe(on:)` of observables.
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// The sequence, subscribed to and disposed on `scheduler`.
    ///
    /// Its events arrive on the threads that send them: see `observe(on:)`.
    ///
    /// - Complexity: As `subscribe(on:)` of observables.
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// The sequence, or `RxError.timeout` if it sends no event within `dueTime` of the subscription.
    ///
    ///     let page = load().timeout(.seconds(5), scheduler: MainScheduler.instance)
    ///
    /// - Complexity: As `timeout(_:scheduler:)` of observables.
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// The sequence, or `other` if it sends no event within `dueTime` of the subscription.
    ///
    /// When the time is over, this sequence is disposed and `other` subscribed to.
    ///
    /// - Complexity: As `timeout(_:other:scheduler:)` of observables.
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}

extension PrimitiveSequence {
    /// The sequence itself, with a line printed for its subscription, each event and its disposal.
    ///
    ///     let one = Single.just(1).debug("one")
    ///     _ = one.subscribe()  // 20… one -> subscribed, 20… one -> Event next(1), … Event completed, … isDisposed
    ///
    /// The lines are those of the observable within: the success of a `Single` is a value and completion.
    ///
    /// - Parameters:
    ///   - identifier: names the sequence in the lines; without it, `File.swift:line (function)` does.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: names the sequence, where `identifier` does not.
    ///   - line: as `file`.
    ///   - function: as `file`.
    /// - Complexity: As `debug(_:)` of observables.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension PrimitiveSequence {
    /// The sequence itself, with a name for this place in its chain, which an error that passes is told to have passed.
    ///
    ///     Hooks.recordCallStackOnError = true
    ///     let user = Single<Int>.error(RxError.noElements).checkpoint("user")
    ///     _ = user.subscribe(onFailure: { print(Hooks.origin(of: $0)!.checkpoints) })  // ["user" at …]
    ///     Hooks.recordCallStackOnError = false
    ///
    /// As `checkpoint(_:)` of an observable.
    ///
    /// - Complexity: As `checkpoint(_:)` of observables.
    public func checkpoint(
        _ name: String, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.checkpoint(name, fileID: fileID, line: line))
    }
}
