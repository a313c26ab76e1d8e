/// A sequence that drives what is seen on a screen: it never fails, delivers on the main queue, shares one
/// subscription, and gives who subscribes the latest element.
///
///     let name: Driver<String> = text.asDriver(onErrorJustReturn: "")
///     let subscription = name.drive(onNext: { print($0) })
///     text.onNext("Ada")  // Ada
///
/// State, such as the text of a field: what matters is the latest value. For events, such as taps, see `Signal`.
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

/// How drivers share: among those who are subscribed, with the latest element for who comes later.
public struct DriverSharingStrategy: SharingStrategyProtocol {
    /// What `SharingScheduler.make` gives: the main scheduler.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// The sequence, shared and replaying its latest element while somebody is subscribed.
    @inlinable
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// This sequence.
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }

    /// Not on drivers: the latest pair, kept for who subscribes later, would keep the object alive.
    @available(*, unavailable, message: "Capture the object weakly, or use drive(with:onNext:).")
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        fatalError("unavailable")
    }

    /// Not on drivers: as the other form.
    @available(*, unavailable, message: "Capture the object weakly, or use drive(with:onNext:).")
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        fatalError("unavailable")
    }
}

extension ObservableConvertibleType {
    /// A driver that sends `element` in place of an error, and completes.
    ///
    ///     let name = Observable<String>.error(RxError.unknown).asDriver(onErrorJustReturn: "nobody")
    ///     let subscription = name.drive(onNext: { print($0) })  // nobody
    ///
    /// Who subscribes after that subscribes to this sequence anew.
    @inlinable
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// A driver that goes on with another in place of an error.
    @inlinable
    public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: driver)
    }

    /// A driver that goes on, in place of an error, with what `onErrorRecover` makes of it.
    @inlinable
    public func asDriver(onErrorRecover: @escaping (any Error) -> Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// The relay as a driver: nothing to recover from.
    ///
    ///     let level = BehaviorRelay(value: 1)
    ///     let subscription = level.asDriver().drive(onNext: { print($0) })  // 1
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }

    /// The relay as a shared sequence: nothing to recover from.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        strategy: Strategy.Type = Strategy.self
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(observe(on: Strategy.scheduler))
    }
}
