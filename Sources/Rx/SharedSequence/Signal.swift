/// A sequence of events for the screen: it never fails, delivers on the main queue, shares one subscription, and
/// replays nothing.
///
///     let saved: Signal<Void> = save().asSignal(onErrorSignalWith: .empty())
///     let subscription = saved.emit(onNext: { print("saved") })  // saved
///
/// Events, such as taps: who comes late has missed them. For state, see `Driver`.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

/// How signals share: among those who are subscribed.
public struct SignalSharingStrategy: SharingStrategyProtocol {
    /// What `SharingScheduler.make` gives: the main scheduler.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// The sequence, shared while somebody is subscribed.
    @inlinable
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(scope: .whileConnected)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// This sequence.
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }

    /// What `resultSelector` makes of the object and each element. The object is not kept alive; once it is gone, the
    /// sequence completes at the next element.
    ///
    ///     let lines = messages.asSignal(onErrorJustReturn: "")
    ///         .withUnretained(label) { label, message in label.text + message }
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// The object and each element. The object is not kept alive; once it is gone, the sequence completes at the next
    /// element.
    @inlinable
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}

extension ObservableConvertibleType {
    /// A signal that sends `element` in place of an error, and completes.
    @inlinable
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// A signal that goes on with another in place of an error.
    ///
    ///     let asked = requests.asSignal(onErrorSignalWith: .empty())
    @inlinable
    public func asSignal(onErrorSignalWith signal: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: signal)
    }

    /// A signal that goes on, in place of an error, with what `onErrorRecover` makes of it.
    @inlinable
    public func asSignal(onErrorRecover: @escaping (any Error) -> Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension PublishRelay {
    /// The relay as a signal: nothing to recover from.
    ///
    ///     let taps = PublishRelay<Int>()
    ///     let subscription = taps.asSignal().emit(onNext: { print("tap", $0) })
    ///     taps.accept(1)  // tap 1
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }

    /// The relay as a shared sequence: nothing to recover from.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        strategy: Strategy.Type = Strategy.self
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(observe(on: Strategy.scheduler))
    }
}
