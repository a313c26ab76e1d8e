import Foundation
import Rx
import RxFoundation
import XCTest

/// What stood in place of `rx.` before version 3.
final class RxNamesTests: XCTestCase {
    fileprivate let center = NotificationCenter()
    fileprivate var seen: [String] = []
}

// Deprecated, so that the tests may use deprecated names without a warning; the class is not, as the generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension RxNamesTests {
    func testNotification_byNameOrText_isDelivered() {
        let subscriptions = [
            center.rx_notification(Notification.Name("saved")).subscribe(onNext: { self.seen.append("name \($0.name.rawValue)") }),
            center.rx_notification("saved").subscribe(onNext: { self.seen.append("text \($0.name.rawValue)") }),
        ]
        center.post(name: Notification.Name("saved"), object: nil)
        center.post(name: Notification.Name("closed"), object: nil)
        XCTAssertEqual(seen.sorted(), ["name saved", "text saved"])
        subscriptions.forEach { $0.dispose() }
        center.post(name: Notification.Name("saved"), object: nil)
        XCTAssertEqual(seen.count, 2)
    }

    func testNotification_ofASender_isThatSendersOnly() {
        let sender = NSObject()
        let subscription = center.rx_notification("saved", object: sender).subscribe(onNext: { _ in self.seen.append("seen") })
        center.post(name: Notification.Name("saved"), object: NSObject())
        center.post(name: Notification.Name("saved"), object: sender)
        XCTAssertEqual(seen, ["seen"])
        subscription.dispose()
    }
}
