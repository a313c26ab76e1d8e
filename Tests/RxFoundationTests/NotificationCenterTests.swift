import Foundation
import Rx
import RxFoundation
import XCTest

final class NotificationCenterTests: XCTestCase {
    private final class Sender {}

    private let saved = Notification.Name("saved"), closed = Notification.Name("closed")

    func testNotification_ofAName_isDelivered() {
        let center = NotificationCenter()
        let sender = Sender()
        var seen: [String] = []
        let subscription = center.rx.notification(saved).subscribe(onNext: {
            seen.append("\($0.name.rawValue) \($0.userInfo?["pages"] ?? "-")")
        })
        center.post(name: saved, object: nil, userInfo: ["pages": 3])
        center.post(name: closed, object: nil)
        center.post(name: saved, object: sender)
        XCTAssertEqual(seen, ["saved 3", "saved -"])
        subscription.dispose()
    }

    func testNotification_withoutAName_isEveryNotification() {
        let center = NotificationCenter()
        var seen: [Notification.Name] = []
        let subscription = center.rx.notification(nil).subscribe(onNext: { seen.append($0.name) })
        center.post(name: saved, object: nil)
        center.post(name: closed, object: nil)
        XCTAssertEqual(seen, [saved, closed])
        subscription.dispose()
    }

    func testNotification_ofASender_isThatSendersOnly() {
        let center = NotificationCenter()
        let sender = Sender()
        let other = Sender()
        var seen = 0
        let subscription = center.rx.notification(saved, object: sender).subscribe(onNext: { _ in seen += 1 })
        center.post(name: saved, object: other)
        center.post(name: saved, object: nil)
        XCTAssertEqual(seen, 0)
        center.post(name: saved, object: sender)
        XCTAssertEqual(seen, 1)
        subscription.dispose()
    }

    func testNotification_ofASender_doesNotKeepIt() {
        let center = NotificationCenter()
        var sender: Sender? = Sender()
        weak let weakly = sender
        let notifications = center.rx.notification(saved, object: sender)
        let subscription = notifications.subscribe()
        XCTAssertNotNil(weakly)
        sender = nil
        XCTAssertNil(weakly)
        subscription.dispose()
    }

    func testNotification_ofASenderThatIsGone_isNone() {
        let center = NotificationCenter()
        var sender: Sender? = Sender()
        let notifications = center.rx.notification(saved, object: sender)
        var seen = 0
        let before = notifications.subscribe(onNext: { _ in seen += 1 })
        sender = nil
        let after = notifications.subscribe(onNext: { _ in seen += 1 })
        center.post(name: saved, object: nil)
        center.post(name: saved, object: Sender())
        XCTAssertEqual(seen, 0)
        before.dispose()
        after.dispose()
    }

    func testDispose_whileTheCenterLives_removesTheObserver() {
        let before = Resources.total
        let center = NotificationCenter()
        var seen = 0
        do {
            let subscription = center.rx.notification(saved).subscribe(onNext: { _ in seen += 1 })
            center.post(name: saved, object: nil)
            subscription.dispose()
        }
        center.post(name: saved, object: nil)
        XCTAssertEqual(seen, 1)
        XCTAssertEqual(Resources.total, before, "The center would hold the observer's sink.")
    }

    func testTake_thatEndsWhileANotificationIsPosted_removesTheObserver() {
        let before = Resources.total
        let center = NotificationCenter()
        var seen = 0
        _ = center.rx.notification(saved).take(1).subscribe(onNext: { _ in
            seen += 1
            center.post(name: self.saved, object: nil)
        })
        center.post(name: saved, object: nil)
        center.post(name: saved, object: nil)
        XCTAssertEqual(seen, 1)
        XCTAssertEqual(Resources.total, before, "The center would hold the observer's sink.")
    }

    func testNotification_givenUp_returnsEveryResourceAndTheCenter() {
        let before = Resources.total
        weak var weakly: NotificationCenter?
        do {
            let center = NotificationCenter()
            weakly = center
            for object in [nil, Sender()] {
                let subscription = center.rx.notification(saved, object: object).subscribe()
                center.post(name: saved, object: object)
                subscription.dispose()
            }
            XCTAssertEqual(Resources.total, before)
        }
        XCTAssertNil(weakly)
    }

    func testNSObject_hasAReactiveSide() {
        final class Model: NSObject { var name = "" }
        let model = Model()
        model.rx.name.onNext("a")
        XCTAssertEqual(model.name, "a")
    }
}
