import Foundation
import Rx

#if !canImport(Darwin)
    /// A notification center has a reactive side; elsewhere it has one as an `NSObject`.
    extension NotificationCenter: ReactiveCompatible {}
#endif

extension Reactive where Base: NotificationCenter {
    /// The notifications that the center posts, on the thread that posts them, until the subscription is disposed.
    ///
    ///     let saved = NotificationCenter.default.rx.notification(Document.saved, object: document)
    ///
    /// Each subscription is one observer of the center; it is removed when the subscription ends. The sequence itself
    /// never ends.
    ///
    /// - Parameters:
    ///   - name: which notifications; `nil` means all.
    ///   - object: the sender. Held weakly: once it is gone, there are no notifications. `nil` means any sender.
    /// - Complexity: Three allocations per subscription, beside those of the center's observer; none per element.
    public func notification(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
        let center = base
        guard let object else {
            return .create { observer in center.observe(name, with: observer) { _ in true } }
        }
        let sender = WeakSender(object: object)
        // The sender is compared here and not by the center: on Linux that keeps the object it is given alive.
        return .create { observer in center.observe(name, with: observer, where: sender.hasSent) }
    }
}

/// The sender whose notifications are wanted.
// @unchecked: read only, and only its identity.
private struct WeakSender: @unchecked Sendable {
    private(set) weak var object: AnyObject?

    func hasSent(_ notification: Notification) -> Bool {
        guard let object, let sender = notification.object else { return false }
        return sender as AnyObject === object
    }
}

extension NotificationCenter {
    /// Adds an observer of the notifications that pass `filter`.
    fileprivate func observe(
        _ name: Notification.Name?, with observer: AnyObserver<Notification>,
        where filter: @escaping @Sendable (Notification) -> Bool
    ) -> any Disposable {
        let registration = addObserver(forName: name, object: nil, queue: nil) { notification in
            if filter(notification) { observer.onNext(notification) }
        }
        return Disposables.create { self.removeObserver(registration) }
    }
}
