/// A sequence that guarantees which events it sends. `Trait` names the guarantee. For example, a `Single` delivers one
/// value or fails.
///
/// Subscribe to it like an observable, or convert it to an observable with `asObservable()`. It has the operators of
/// `Observable` that preserve the guarantee. They have the same cost.
public struct PrimitiveSequence<Trait, Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// - Parameter source: an observable that satisfies the guarantee of `Trait`.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// A type that is a primitive sequence. It lets extensions distinguish the traits.
public protocol PrimitiveSequenceType<Trait, Element> {
    /// The guarantee about the events of the sequence.
    associatedtype Trait
    /// The type of the values.
    associatedtype Element

    /// The primitive sequence itself.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequenceType {
    /// The wrapped observable, for operators.
    @_alwaysEmitIntoClient @inline(__always)
    var source: Observable<Element> { primitiveSequence.source }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    /// Returns this sequence.
    ///
    /// - Complexity: No allocation.
    @_alwaysEmitIntoClient
    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequence: ObservableConvertibleType {
    /// Returns this sequence as an observable.
    ///
    /// - Complexity: No allocation.
    @_alwaysEmitIntoClient
    public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequence {
    /// Calls `observableFactory` for each subscriber and subscribes to the sequence that it returns.
    ///
    ///     let now = Single.deferred { .just(Date()) }
    ///
    /// If `observableFactory` throws, the sequence fails with that error. The returned sequence sends its events
    /// directly to the subscriber.
    ///
    /// - Complexity: The same as `deferred(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func deferred(
        _ observableFactory: @escaping () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: Observable.deferred { try observableFactory().source })
    }

    /// Returns a sequence that holds a resource while it runs.
    ///
    ///     let open = { CompositeDisposable(disposables: [Disposables.create { print("closed") }]) }
    ///     _ = Single.using(open, primitiveSequenceFactory: { _ in .just(1) })
    ///         .subscribe(onSuccess: { print($0) })  // 1, closed
    ///
    /// Each subscription creates its own resource. The resource is disposed after the sequence has ended or the
    /// subscription was disposed. If `resourceFactory` throws, the sequence fails with that error. If
    /// `primitiveSequenceFactory` throws, the resource is disposed too.
    ///
    /// - Complexity: The same as `using(_:observableFactory:)` on `Observable`.
    @_alwaysEmitIntoClient
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
    /// Delivers 0 after `dueTime` has passed.
    ///
    ///     _ = Single<Int>.timer(.seconds(3), scheduler: scheduler)
    ///         .subscribe { print($0, scheduler.now.timeIntervalSince1970) }  // success(0) 3.0
    ///
    /// - Parameters:
    ///   - dueTime: the time from the subscription to the value.
    ///   - scheduler: measures the time and sends the value.
    /// - Complexity: The same as `timer(_:period:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: Observable.timer(dueTime, scheduler: scheduler))
    }
}

extension PrimitiveSequence {
    /// Continues with the sequence that `handler` returns if this sequence fails.
    ///
    ///     let page = load().catch { error in .just(placeholder) }
    ///
    /// If `handler` throws an error, that error replaces the original error.
    ///
    /// - Complexity: The same as `catch(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func `catch`(
        _ handler: @escaping (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// Subscribes to the sequence again when it fails, up to `maxAttemptCount` times in total.
    ///
    ///     // Two more attempts after the first.
    ///     let page = load().retry(3)
    ///
    /// If all attempts fail, the sequence fails with the error of the last attempt. With 0 attempts it completes
    /// immediately, without the value that a `Single` guarantees.
    ///
    /// - Complexity: The same as `retry(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// Subscribes to the sequence again after an error of type `Failure`, when the sequence that `notificationHandler`
    /// returns sends an element.
    ///
    ///     let page = load().retry { (errors: Observable<NetworkError>) in
    ///         errors.flatMap { _ in Observable<Int>.timer(.seconds(1), scheduler: scheduler) }
    ///     }
    ///
    /// The handler is called once per subscription. If its sequence completes or fails, this sequence ends in the same
    /// way. An error of another type ends this sequence directly.
    ///
    /// - Complexity: The same as `retry(when:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// Subscribes to the sequence again after an error, when the sequence that `notificationHandler` returns sends an
    /// element.
    ///
    /// This is the overload for errors of every type.
    ///
    /// - Complexity: The same as `retry(when:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }
}

extension PrimitiveSequence {
    /// Delays the value and the completion by `dueTime`.
    ///
    ///     let echo = answer.delay(.milliseconds(200), scheduler: scheduler)
    ///
    /// An error is forwarded immediately.
    ///
    /// - Complexity: The same as `delay(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// Subscribes to the sequence on `scheduler` after `dueTime`.
    ///
    /// - Complexity: The same as `delaySubscription(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Delivers the events of the sequence on `scheduler`.
    ///
    ///     let shown = answer.observe(on: MainScheduler.instance)
    ///
    /// - Complexity: The same as `observe(on:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// Subscribes to the sequence, and disposes the subscription, on `scheduler`.
    ///
    /// The events arrive on the threads that send them. To change that, use `observe(on:)`.
    ///
    /// - Complexity: The same as `subscribe(on:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// Fails with `RxError.timeout` if the sequence sends no event within `dueTime` of the subscription.
    ///
    ///     let page = load().timeout(.seconds(5), scheduler: MainScheduler.instance)
    ///
    /// - Complexity: The same as `timeout(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Switches to `other` if the sequence sends no event within `dueTime` of the subscription.
    ///
    /// When the time has passed, the subscription to this sequence is disposed and `other` is subscribed to.
    ///
    /// - Complexity: The same as `timeout(_:other:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}

extension PrimitiveSequence {
    /// Prints a line for the subscription, each event and the disposal of this sequence, and forwards the events.
    ///
    ///     let one = Single.just(1).debug("one")
    ///     _ = one.subscribe()  // 20… one -> subscribed, 20… one -> Event next(1), … Event completed, … isDisposed
    ///
    /// The lines show the events of the wrapped observable. The success of a `Single` is therefore a value and
    /// completion.
    ///
    /// - Parameters:
    ///   - identifier: the name of the sequence in the lines. The default is `File.swift:line (function)`.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: the file in the default name.
    ///   - line: the line in the default name.
    ///   - function: the function in the default name.
    /// - Complexity: The same as `debug(_:)` on `Observable`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension PrimitiveSequence {
    /// Names this place in the chain of operators. An error that passes this place records its name.
    ///
    ///     Hooks.recordCallStackOnError = true
    ///     let user = Single<Int>.error(RxError.noElements).checkpoint("user")
    ///     _ = user.subscribe(onFailure: { print(Hooks.origin(of: $0)!.checkpoints) })  // ["user" at …]
    ///     Hooks.recordCallStackOnError = false
    ///
    /// See `checkpoint(_:)` on `Observable`.
    ///
    /// - Complexity: The same as `checkpoint(_:)` on `Observable`.
    public func checkpoint(
        _ name: String, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.checkpoint(name, fileID: fileID, line: line))
    }
}
