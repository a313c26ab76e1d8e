/// A sequence for a screen: it never fails, delivers on the main queue, and its subscribers share one subscription.
///
///     let title: Driver<String> = Observable.just("Inbox").asDriver(onErrorJustReturn: "unknown")
///     let subscription = title.drive(onNext: { print($0) })  // Inbox
///
/// `Driver` and `Signal` are the two forms users know; a strategy of one's own makes others. Each operator shares its
/// result as the strategy says, so that its closure is called once for an element, however many subscribers there are.
/// An operator costs as much as that of `Observable` and `share` together; `asDriver` and `asSignal` add a turn of the
/// main scheduler.
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// A sequence that shares `source` as the strategy says.
    ///
    /// - Parameter source: does not fail, and delivers on the strategy's scheduler.
    @inlinable
    package init(_ source: Observable<Element>) { self.source = SharingStrategy.share(source) }

    /// A sequence that is shared already, or need not be.
    ///
    /// - Parameter source: does not fail, and delivers on the strategy's scheduler.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }

    #if EXPANDABLE_SHARED_SEQUENCE
        /// A shared sequence of an observable that keeps its promises: it does not fail, delivers on the strategy's
        /// scheduler, and is shared as the strategy says. Nothing checks this; the trait `EXPANDABLE_SHARED_SEQUENCE`
        /// of the package makes it available.
        @inlinable
        public static func createUnsafe<Source: ObservableType>(
            source: Source
        ) -> SharedSequence<SharingStrategy, Source.Element> {
            SharedSequence<SharingStrategy, Source.Element>(raw: source.asObservable())
        }
    #endif
}

/// How shared sequences deliver and share.
///
///     struct LatestTwo: SharingStrategyProtocol {
///         static var scheduler: any SchedulerType { SharingScheduler.make() }
///         static func share<Element>(_ source: Observable<Element>) -> Observable<Element> { source.share(replay: 2) }
///     }
public protocol SharingStrategyProtocol {
    /// Where elements are delivered, and where operators that need time have it from.
    static var scheduler: any SchedulerType { get }

    /// The sequence, its subscription shared.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>
}

/// Something that can be seen as a shared sequence.
public protocol SharedSequenceConvertibleType<SharingStrategy, Element>: ObservableConvertibleType {
    /// How it delivers and shares.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// The sequence.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

extension SharedSequenceConvertibleType {
    /// The sequence without its promises. It still shares one subscription, and delivers on the main queue.
    ///
    /// - Complexity: No allocation.
    @inlinable
    public func asObservable() -> Observable<Element> { asSharedSequence().source }
}

extension SharedSequence: SharedSequenceConvertibleType {
    /// This sequence.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    @inlinable
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { self }
}

extension ObservableConvertibleType {
    /// A shared sequence that sends `element` in place of an error, and completes.
    ///
    ///     let name: Driver<String> = load().asSharedSequence(onErrorJustReturn: "nobody")
    ///
    /// - Parameters:
    ///   - sharingStrategy: how it shares; inferred from what the result is used for.
    ///   - element: sent in place of an error.
    /// - Complexity: As `observe(on:)` and `catchAndReturn(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn element: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catchAndReturn(element))
    }

    /// A shared sequence that goes on with another in place of an error.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith other: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        asSharedSequence { _ in other }
    }

    /// A shared sequence that goes on, in place of an error, with the result of `onErrorRecover` for it.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover: @escaping (any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catch { onErrorRecover($0).asObservable() })
    }
}

extension SharedSequence {
    /// No values: completion at once.
    ///
    /// - Complexity: As `subscribe(on:)` of observables.
    @inlinable
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.empty().subscribe(on: SharingStrategy.scheduler))
    }

    /// No events at all.
    ///
    /// - Complexity: As `never()` of observables.
    @inlinable
    public static func never() -> SharedSequence<SharingStrategy, Element> { SharedSequence(raw: Observable.never()) }

    /// One value, then completion.
    ///
    ///     _ = Driver.just(1).drive(onNext: { print($0) })  // 1
    ///
    /// - Complexity: As `subscribe(on:)` of observables.
    @inlinable
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.just(element).subscribe(on: SharingStrategy.scheduler))
    }

    /// The sequence that `observableFactory` makes for the first of those who are subscribed at the same time.
    ///
    /// - Complexity: As `deferred(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func deferred(
        _ observableFactory: @escaping () -> SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.deferred { observableFactory().asObservable() })
    }

    /// The values, one in each turn of the scheduler, then completion.
    ///
    ///     let steps = Driver.of(1, 2, 3)
    ///
    /// - Complexity: As `of(_:scheduler:)` of observables.
    @inlinable
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(elements, scheduler: SharingStrategy.scheduler))
    }

    /// The elements of the array, one in each turn of the scheduler, then completion.
    ///
    /// - Complexity: As `of(_:scheduler:)` of observables.
    @inlinable
    public static func from(_ array: [Element]) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(array, scheduler: SharingStrategy.scheduler))
    }

    /// The elements of the Swift sequence, one in each turn of the scheduler, then completion.
    ///
    /// - Complexity: As `of(_:scheduler:)` of observables.
    @inlinable
    public static func from<Elements: Sequence>(_ sequence: Elements) -> SharedSequence<SharingStrategy, Element>
    where Elements.Element == Element {
        SharedSequence(raw: Observable.from(sequence, scheduler: SharingStrategy.scheduler))
    }

    /// The value, if there is one, then completion.
    ///
    /// - Complexity: As `just(_:scheduler:)` of observables.
    @inlinable
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(raw: Observable.from(optional: optional, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequence where Element: RxAbstractInteger {
    /// 0, 1, 2 … : one value every `period`, the first after the first period.
    ///
    ///     let seconds = Driver<Int>.interval(.seconds(1))
    ///
    /// - Complexity: As `interval(_:scheduler:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func interval(_ period: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.interval(period, scheduler: SharingStrategy.scheduler))
    }

    /// 0, 1, 2 … : the first value after `dueTime`, then one every `period`.
    ///
    /// - Complexity: As `timer(_:period:scheduler:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.timer(dueTime, period: period, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequenceConvertibleType {
    /// The sequence as one that cannot fail. It still shares one subscription, and delivers on the main queue.
    ///
    ///     let subscription = Driver.just(1).asInfallible().subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

extension InfallibleType {
    /// The sequence as a driver: nothing to recover from.
    ///
    ///     let subscription = Infallible.just(1).asDriver().drive(onNext: { print($0) })  // 1
    ///
    /// - Complexity: As `observe(on:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asDriver() -> Driver<Element> {
        SharedSequence(asObservable().observe(on: DriverSharingStrategy.scheduler))
    }
}

extension ControlEventType {
    /// The events as a sequence that cannot fail.
    ///
    /// - Complexity: No allocation per subscription or element.
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

extension SharedSequence {
    /// The elements, for a task on the main actor to go through.
    ///
    ///     for await value in await Driver.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Reading the property subscribes: elements that come before the task asks for them are kept, however many they
    /// are. The loop ends when the sequence completes. Cancelling the task, or letting go of the stream, disposes the
    /// subscription.
    ///
    /// - Complexity: As `values` of observables.
    @MainActor
    public var values: AsyncStream<Element> { values(bufferingPolicy: .unbounded) }

    /// The elements, for a task on the main actor to go through, of which some are dropped if the task is slower than
    /// the sequence.
    ///
    /// As `values`.
    ///
    /// - Parameter policy: which elements are kept until the task asks for them.
    /// - Complexity: As `values` of observables.
    @MainActor
    public func values(
        bufferingPolicy policy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> { AsyncStream(elementsOf: source, policy) }
}

/// Where drivers and signals have their scheduler from: the main one, and in tests another.
///
///     SharingScheduler.mock(scheduler: scheduler) {
///         Driver.just(1).delay(.seconds(10)).drive(onNext: { print($0) }).disposed(by: bag)  // 1
///     }
public enum SharingScheduler {
    // A lock, as sequences may be built on any thread; it is asked once for an operator that needs a scheduler.
    private static let values = Guarded(Values())
    private struct Values { var make: () -> any SchedulerType = { MainScheduler() } }

    /// Makes the scheduler of a sequence that is being built. One of its own for each, so that a sequence that delivers
    /// inline does not make another wait for the next turn.
    public private(set) static var make: () -> any SchedulerType {
        get { values.withLock { $0 }.make }
        set { values.change { $0.make = newValue } }
    }

    /// Gives the sequences that are built in `action` this scheduler in place of the main one.
    ///
    /// The change is seen by the whole process, so tests that use it do not run at the same time as others that build
    /// such sequences.
    public static func mock(scheduler: any SchedulerType, action: () throws -> Void) rethrows {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Gives the sequences that are built in `action` schedulers that `makeScheduler` makes, in place of the main one.
    ///
    /// The former scheduler is back when this returns, or throws an error of `action`.
    public static func mock(makeScheduler: @escaping () -> any SchedulerType, action: () throws -> Void) rethrows {
        let before = make
        make = makeScheduler
        defer { make = before }
        try action()
    }
}
