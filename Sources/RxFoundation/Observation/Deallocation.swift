import Rx

/// An object whose end can be waited for: adopt it with one line, and `rx.deallocated` is there.
///
///     final class Player: DeallocationObservable {
///         let deallocationSignal = DeallocationSignal()
///     }
///     var player: Player? = Player()
///     _ = player?.rx.deallocated.subscribe(onNext: { print("gone") })
///     player = nil  // gone
public protocol DeallocationObservable: AnyObject, ReactiveCompatible {
    /// Goes when the object goes. A constant that nothing else keeps.
    var deallocationSignal: DeallocationSignal { get }
}

/// Tells, by its own end, that the object that owns it is gone.
///
/// Costs nothing but itself until `rx.deallocated` is read.
public final class DeallocationSignal: Sendable {
    private let subject = Guarded<AsyncSubject<Void>?>(nil)

    /// A signal for one object.
    public init() {}

    deinit {
        guard let subject = subject.withLock({ $0 }) else { return }
        subject.onNext(())
        subject.onCompleted()
    }

    /// One element and completion once this object is gone. Does not keep it.
    var deallocated: Observable<Void> {
        subject.withLock { subject in
            if let subject { return subject }
            let new = AsyncSubject<Void>()
            subject = new
            return new
        }
    }
}

extension Reactive where Base: DeallocationObservable {
    /// One element and completion when the object goes. Does not keep the object alive.
    ///
    ///     final class Player: DeallocationObservable { let deallocationSignal = DeallocationSignal() }
    ///     var player: Player? = Player()
    ///     _ = player?.rx.deallocated.subscribe(onNext: { print("gone") })
    ///     player = nil  // gone
    ///
    /// Delivered on the thread that gives up the last reference, after the object's own `deinit`, while its properties
    /// are being released: weak references to it are `nil` by then. A later subscriber receives both events at once.
    ///
    /// - Complexity: Three allocations for each object that is asked, none per subscription.
    public var deallocated: Observable<Void> { base.deallocationSignal.deallocated }
}
