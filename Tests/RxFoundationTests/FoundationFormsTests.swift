import Foundation
import Rx
import RxBlocking
import RxFoundation
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Calls every public name of `NotificationCenter.rx` and `URLSession.rx` in the form that users write.
final class FoundationFormsTests: SettlingTestCase {
    private final class Sender {}

    private var server: LoopbackServer!
    private var session: URLSession!
    private var shouldLog: (@Sendable (URLRequest) -> Bool)!

    override func setUp() async throws {
        try await super.setUp()
        shouldLog = URLSession.rx.shouldLogRequest
        server = try await LoopbackServer()
        session = URLSession(configuration: .ephemeral)
    }

    override func tearDown() async throws {
        session.finishTasksAndInvalidate()
        await server.stop()
        URLSession.rx.shouldLogRequest = shouldLog
        try await super.tearDown()
    }

    func testNotificationCenter() {
        let center = NotificationCenter()
        let sender = Sender()
        let name = Notification.Name("saved")
        var seen: [String] = []
        let subscriptions = [
            center.rx.notification(name).subscribe(onNext: { notification in
                seen.append("named \(notification.name.rawValue)")
            }),
            center.rx.notification(name, object: sender).subscribe(onNext: { _ in seen.append("of the sender") }),
            center.rx.notification(nil).subscribe(onNext: { _ in seen.append("any") }),
            center.rx.notification(nil, object: sender).map(\.name.rawValue).subscribe(onNext: { seen.append($0) }),
        ]
        center.post(name: name, object: nil)
        XCTAssertEqual(seen.sorted(), ["any", "named saved"])
        center.post(name: name, object: sender)
        XCTAssertEqual(seen.sorted(), ["any", "any", "named saved", "named saved", "of the sender", "saved"])
        subscriptions.forEach { $0.dispose() }
        let notifications: Observable<Notification> = NotificationCenter.default.rx.notification(name)
        notifications.subscribe().dispose()
    }

    func testURLSession() throws {
        URLSession.rx.shouldLogRequest = { request in request.httpMethod == "NONE" }
        let hello = URLRequest(url: server.url("/hello"))
        let person = URLRequest(url: server.url("/person"))
        let answers: Observable<(response: HTTPURLResponse, data: Data)> = session.rx.response(request: hello)
        let answer = try XCTUnwrap(answers.toBlocking(timeout: 10).first())
        XCTAssertEqual(answer.response.statusCode, 200)
        XCTAssertEqual(answer.data, Data("hello".utf8))
        let texts = session.rx.response(request: hello).map { response, data in
            "\(response.statusCode) \(String(decoding: data, as: UTF8.self))"
        }
        XCTAssertEqual(try texts.toBlocking(timeout: 10).single(), "200 hello")
        let data: Observable<Data> = session.rx.data(request: hello)
        XCTAssertEqual(try data.toBlocking(timeout: 10).single(), Data("hello".utf8))
        let json: Observable<Any> = session.rx.json(request: person)
        XCTAssertEqual(try json.toBlocking(timeout: 10).single() as? [String: String], ["name": "Ada"])
        XCTAssertNotNil(try session.rx.json(request: person, options: []).toBlocking(timeout: 10).single())
        XCTAssertNotNil(try session.rx.json(url: server.url("/person")).toBlocking(timeout: 10).single())
    }

    func testRxCocoaURLError() {
        URLSession.rx.shouldLogRequest = { _ in false }
        func name(_ error: any Error) -> String {
            switch error {
            case RxCocoaURLError.unknown: "unknown"
            case RxCocoaURLError.nonHTTPResponse(let response): "no HTTP \(response)"
            case RxCocoaURLError.httpRequestFailed(let response, let data): "\(response.statusCode) \(data?.count ?? 0)"
            case RxCocoaURLError.deserializationError(error: _): "no JSON"
            default: "another"
            }
        }
        XCTAssertEqual(name(RxCocoaURLError.unknown), "unknown")
        XCTAssertThrowsError(
            try session.rx.data(request: URLRequest(url: server.url("/missing"))).toBlocking(timeout: 10).first()
        ) {
            XCTAssertEqual(name($0), "404 13")
        }
        XCTAssertThrowsError(try session.rx.json(url: server.url("/malformed")).toBlocking(timeout: 10).first()) {
            XCTAssertEqual(name($0), "no JSON")
        }
    }
}

// Deprecated, so that the test may use the older spelling without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension FoundationFormsTests {
    func testLogging() throws {
        Logging.URLRequests = { _ in false }
        XCTAssertFalse(Logging.URLRequests(URLRequest(url: server.url("/hello"))))
        XCTAssertFalse(URLSession.rx.shouldLogRequest(URLRequest(url: server.url("/hello"))))
    }
}
