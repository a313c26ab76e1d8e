import Foundation
import Rx
import RxBlocking
import RxFoundation
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The names that were used instead of `rx.` before version 3.
final class RxNamesTests: SettlingTestCase {
    fileprivate final class Player: DeallocationObservable { let deallocationSignal = DeallocationSignal() }

    fileprivate let center = NotificationCenter()
    fileprivate var seen: [String] = []
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension RxNamesTests {
    func testNotification_byNameOrText_isDelivered() {
        let subscriptions = [
            center.rx_notification(Notification.Name("saved")).subscribe(onNext: {
                self.seen.append("name \($0.name.rawValue)")
            }),
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
        let subscription = center.rx_notification("saved", object: sender).subscribe(onNext: { _ in
            self.seen.append("seen")
        })
        center.post(name: Notification.Name("saved"), object: NSObject())
        center.post(name: Notification.Name("saved"), object: sender)
        XCTAssertEqual(seen, ["seen"])
        subscription.dispose()
    }

    func testDeallocated_endsWhatItIsTakenUntil() {
        let source = PublishSubject<Int>()
        var player: Player? = Player()
        let subscription = source.takeUntil(player!.rx_deallocated).subscribe { self.seen.append($0.debugDescription) }
        source.onNext(1)
        player = nil
        source.onNext(2)
        XCTAssertEqual(seen, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testRequests_underOldNames_giveTheAnswer() async throws {
        URLSession.rx.shouldLogRequest = { _ in false }
        defer { URLSession.rx.shouldLogRequest = { _ in true } }
        let server = try await LoopbackServer()
        let session = URLSession(configuration: .ephemeral)
        let hello = server.url("/hello")
        let json = server.url("/person")
        let request = URLRequest(url: hello)
        let (body, response) = try XCTUnwrap(session.rx_response(request).toBlocking(timeout: 10).first())
        XCTAssertEqual(String(decoding: body, as: UTF8.self), "hello")
        XCTAssertEqual(response.statusCode, 200)
        XCTAssertEqual(try session.rx_data(request).toBlocking(timeout: 10).first(), Data("hello".utf8))
        for answer in [session.rx_JSON(json), session.rx_JSON(URLRequest(url: json))] {
            XCTAssertNotNil(try answer.toBlocking(timeout: 10).first() as? [String: Any])
        }
        session.finishTasksAndInvalidate()
        await server.stop()
    }
}
