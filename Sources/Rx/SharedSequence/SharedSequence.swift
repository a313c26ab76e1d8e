/// A sequence for a user interface. It never fails, delivers on the main queue, and its subscribers share one
/// subscription.
///
///     let title: Driver<String> = Observable.just("Inbox").asDriver(onErrorJustReturn: "unknown")
///     let subscription = title.drive(onNext: { print($0) })  // Inbox
///
/// `Driver` and `Signal` are the predefined kinds. A custom strategy defines another kind. Each operator shares its
/// result according to the strategy, so its closure is called once per element, regardless of the number of
/// subscribers. The cost of an operator is the cost of the same operator on `Observable` plus `share`. `asDriver` and
/// `asSignal` add one turn of the main scheduler.
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// Shares `source` according to the strategy.
    ///
    /// - Parameter source: must not fail, and must deliver on the scheduler of the strategy.
    @inlinable
    package init(_ source: Observable<Element>) { self.source = SharingStrategy.share(source) }

    /// Wraps a sequence that is already shared, or that does not need sharing.
    ///
    /// - Parameter source: must not fail, and must deliver on the scheduler of the strategy.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }

    #if EXPANDABLE_SHARED_SEQUENCE
        /// Wraps an observable that satisfies the guarantees of a shared sequence: it does not fail, delivers on the
        /// scheduler of the strategy, and is shared according to the strategy. The guarantees are not checked. This
        /// method requires the package trait `EXPANDABLE_SHARED_SEQUENCE`.
        @inlinable
        public static func createUnsafe<Source: ObservableType>(
            source: Source
        ) -> SharedSequence<SharingStrategy, Source.Element> {
            SharedSequence<SharingStrategy, Source.Element>(raw: source.asObservable())
        }
    #endif
}

/// Determines how shared sequences deliver elements and share subscriptions.
///
///     struct LatestTwo: SharingStrategyProtocol {
///         static var scheduler: any SchedulerType { SharingScheduler.make() }
///         static func share<Element>(_ source: Observable<Element>) -> Observable<Element> { source.share(replay: 2) }
///     }
public protocol SharingStrategyProtocol {
    /// The scheduler that delivers elements and measures time for operators that need it.
    static var scheduler: any SchedulerType { get }

    /// Returns `source` with a shared subscription.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>
}

/// A type that converts to a shared sequence.
public protocol SharedSequenceConvertibleType<SharingStrategy, Element>: ObservableConvertibleType {
    /// The strategy that determines how the sequence delivers elements and shares subscriptions.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// Returns this sequence as a shared sequence.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    /// Returns this sequence as an observable. It still shares one subscription, and delivers on the main queue.
    ///
    /// - Complexity: No allocation.
    @_alwaysEmitIntoClient
    public func asObservable() -> Observable<Element> { asSharedSequence().source }
}

extension SharedSequence: SharedSequenceConvertibleType {
    /// Returns this sequence.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    @_alwaysEmitIntoClient
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { self }
}

extension ObservableConvertibleType {
    /// Returns this sequence as a shared sequence. If the sequence fails, the result delivers `element` and completes.
    ///
    ///     let name: Driver<String> = load().asSharedSequence(onErrorJustReturn: "nobody")
    ///
    /// - Parameters:
    ///   - sharingStrategy: the sharing strategy. It is inferred from the use of the result.
    ///   - element: the element to deliver if the sequence fails.
    /// - Complexity: The same as `observe(on:)`, `catchAndReturn(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn element: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catchAndReturn(element))
    }

    /// Returns this sequence as a shared sequence. If the sequence fails, the result continues with `other`.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith other: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        asSharedSequence { _ in other }
    }

    /// Returns this sequence as a shared sequence. If the sequence fails, the result continues with the sequence that
    /// `onErrorRecover` returns.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover: @escaping (any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catch { onErrorRecover($0).asObservable() })
    }
}

extension SharedSequence {
    /// Returns a shared sequence that completes immediately, without elements.
    ///
    /// - Complexity: The same as `subscribe(on:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// Returns a shared sequence that never sends an event.
    ///
    /// - Complexity: The same as `never()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func never() -> SharedSequence<SharingStrategy, Element> { SharedSequence(raw: Observable.never()) }

    /// Returns a shared sequence that delivers one value, then completes.
    ///
    ///     _ = Driver.just(1).drive(onNext: { print($0) })  // 1
    ///
    /// - Complexity: The same as `subscribe(on:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// Calls `observableFactory` for the first of several concurrent subscribers, and shares the sequence that it
    /// returns.
    ///
    /// - Complexity: The same as `deferred(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func deferred(
        _ observableFactory: @escaping () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// Returns a shared sequence that delivers one value in each turn of the scheduler, then completes.
    ///
    ///     let steps = Driver.of(1, 2, 3)
    ///
    /// - Complexity: The same as `of(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(elements, scheduler: SharingStrategy.scheduler))
    }

    /// Returns a shared sequence that delivers one element of the array in each turn of the scheduler, then completes.
    ///
    /// - Complexity: The same as `of(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func from(_ array: [Element]) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    /// Returns a shared sequence that delivers one element of the Swift sequence in each turn of the scheduler, then
    /// completes.
    ///
    /// - Complexity: The same as `of(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func from<Elements: Sequence>(_ sequence: Elements) -> SharedSequence<SharingStrategy, Element>
    where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// Returns a shared sequence that delivers the value, if there is one, then completes.
    ///
    /// - Complexity: The same as `just(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequence where Element: RxAbstractInteger {
    /// Returns a shared sequence that delivers 0, 1, 2 …, one value every `period`. The first value arrives after the
    /// first period.
    ///
    ///     let seconds = Driver<Int>.interval(.seconds(1))
    ///
    /// - Complexity: The same as `interval(_:scheduler:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func interval(_ period: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// Returns a shared sequence that delivers 0, 1, 2 …. The first value arrives after `dueTime`, then one value
    /// arrives every `period`.
    ///
    /// - Complexity: The same as `timer(_:period:scheduler:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.timer(dueTime, period: period, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequenceConvertibleType {
    /// Returns this sequence as an infallible. It still shares one subscription, and delivers on the main queue.
    ///
    ///     let subscription = Driver.just(1).asInfallible().subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: No allocation per subscription or element.
    @_alwaysEmitIntoClient
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

extension InfallibleType {
    /// Returns this sequence as a driver. An infallible cannot fail, so the driver needs no error handling.
    ///
    ///     let subscription = Infallible.just(1).asDriver().drive(onNext: { print($0) })  // 1
    ///
    /// - Complexity: The same as `observe(on:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asDriver() -> Driver<Element> {
        SharedSequence(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }
}

extension ControlEventType {
    /// Returns the events as a sequence that cannot fail.
    ///
    /// - Complexity: No allocation per subscription or element.
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

extension SharedSequence {
    /// The elements as an asynchronous sequence, for a task on the main actor.
    ///
    ///     for await value in await Driver.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Reading the property subscribes. Elements that arrive before the task requests them are buffered without limit.
    /// The loop ends when the sequence completes. Cancelling the task, or releasing the stream, disposes the
    /// subscription.
    ///
    /// - Complexity: The same as `values` on `Observable`.
    @MainActor
    public var values: AsyncStream<Element> { values(bufferingPolicy: .unbounded) }

    /// Returns the elements as an asynchronous sequence, for a task on the main actor. Drops elements according to
    /// `policy` if the task is slower than the sequence.
    ///
    /// See `values`.
    ///
    /// - Parameter policy: determines which elements are buffered until the task requests them.
    /// - Complexity: The same as `values` on `Observable`.
    @MainActor
    public func values(
        bufferingPolicy policy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> { AsyncStream(elementsOf: source, policy) }
}

/// Provides the scheduler of drivers and signals. It is the main scheduler, unless a test replaces it.
///
///     SharingScheduler.mock(scheduler: scheduler) {
///         Driver.just(1).delay(.seconds(10)).drive(onNext: { print($0) }).disposed(by: bag)  // 1
///     }
public enum SharingScheduler {
    // Locked, because sequences may be built on any thread. The lock is taken once for each operator that needs a
    // scheduler.
    private static let values = Guarded(Values())
    private struct Values { var make: () -> any SchedulerType = { MainScheduler() } }

    /// Creates the scheduler of a sequence that is being built. Each sequence gets a separate scheduler, so that a
    /// sequence that delivers inline does not delay another sequence until the next turn.
    public private(set) static var make: () -> any SchedulerType {
        get { values.withLock { $0 }.make }
        set { values.change { $0.make = newValue } }
    }

    /// Replaces the main scheduler with `scheduler` for the sequences that are built in `action`.
    ///
    /// The change affects the whole process. Tests that use it must not run at the same time as other tests that build
    /// such sequences.
    public static func mock(scheduler: any SchedulerType, action: () throws -> Void) rethrows {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Replaces the main scheduler with the schedulers that `makeScheduler` returns, for the sequences that are built
    /// in `action`.
    ///
    /// The previous scheduler is restored when this method returns or `action` throws an error.
    public static func mock(makeScheduler: @escaping () -> any SchedulerType, action: () throws -> Void) rethrows {
        let before = make
        make = makeScheduler
        defer { make = before }
        try action()
    }
}
