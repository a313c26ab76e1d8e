import Foundation
import Rx

#if !canImport(Darwin)
    /// Gives a notification center the `rx` property. On Apple platforms, a notification center has it as an
    /// `NSObject`.
    extension NotificationCenter: ReactiveCompatible {}
#endif

extension Reactive where Base: NotificationCenter {
    /// Delivers the notifications that the center posts, on the thread that posts them, until the subscription is
    /// disposed.
    ///
    ///     let saved = NotificationCenter.default.rx.notification(Document.saved, object: document)
    ///
    /// Each subscription adds one observer to the center and removes it when the subscription ends. The sequence itself
    /// never ends.
    ///
    /// - Parameters:
    ///   - name: the name of the notifications. `nil` means all names.
    ///   - object: the sender. It is held weakly. After it is deallocated, no notifications are delivered. `nil` means
    ///     any sender.
    /// - Complexity: Three allocations per subscription, plus the allocations of the center's observer. None per
    ///   element.
    public func notification(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
        let center = base
        guard let object else {
            return .create { observer in center.observe(name, with: observer) { _ in true } }
        }
        let sender = WeakSender(object: object)
        // The sender is compared here instead of by the center, because on Linux the center retains the object that it
        // is given.
        return .create { observer in center.observe(name, with: observer, where: sender.hasSent) }
    }
}

/// The sender whose notifications are delivered.
// @unchecked: it is only read, and only its identity is used.
private struct WeakSender: @unchecked Sendable {
    private(set) weak var object: AnyObject?

    func hasSent(_ notification: Notification) -> Bool {
        guard let object, let sender = notification.object else { return false }
        return sender as AnyObject === object
    }
}

extension NotificationCenter {
    /// Adds an observer of the notifications for which `filter` returns `true`.
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
