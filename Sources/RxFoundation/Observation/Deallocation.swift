import Rx

/// An object whose deallocation can be observed. Adopt the protocol with one line to get `rx.deallocated`.
///
///     final class Player: DeallocationObservable {
///         let deallocationSignal = DeallocationSignal()
///     }
///     var player: Player? = Player()
///     _ = player?.rx.deallocated.subscribe(onNext: { print("gone") })
///     player = nil  // gone
public protocol DeallocationObservable: AnyObject, ReactiveCompatible {
    /// The signal that is deallocated with the object. Declare it as a constant, and do not retain it elsewhere.
    var deallocationSignal: DeallocationSignal { get }
}

/// A signal whose deallocation reports that the object that owns it is deallocated.
///
/// It costs nothing except its own memory until `rx.deallocated` is read.
public final class DeallocationSignal: Sendable {
    private let subject = Guarded<AsyncSubject<Void>?>(nil)

    /// Creates a signal for one object.
    public init() {}

    deinit {
        guard let subject = subject.withLock({ $0 }) else { return }
        subject.onNext(())
        subject.onCompleted()
    }

    /// Sends one element and completes when this signal is deallocated. It does not retain the signal.
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
    /// Sends one element and completes when the object is deallocated. It does not retain the object.
    ///
    ///     final class Player: DeallocationObservable { let deallocationSignal = DeallocationSignal() }
    ///     var player: Player? = Player()
    ///     _ = player?.rx.deallocated.subscribe(onNext: { print("gone") })
    ///     player = nil  // gone
    ///
    /// The events are delivered on the thread that releases the last reference. They are delivered after the `deinit`
    /// of the object, while its properties are being released, so weak references to it are already `nil`. A later
    /// subscriber receives both events immediately.
    ///
    /// - Complexity: Three allocations for each object whose `deallocated` is read, none per subscription.
    public var deallocated: Observable<Void> { base.deallocationSignal.deallocated }
}
