import Foundation
import Rx
import RxBlocking
import RxFoundation
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class URLSessionTests: SettlingTestCase {
    private var server: LoopbackServer!
    private var session: URLSession!
    private var shouldLog: (@Sendable (URLRequest) -> Bool)!

    override func setUp() async throws {
        try await super.setUp()
        shouldLog = URLSession.rx.shouldLogRequest
        URLSession.rx.shouldLogRequest = { _ in false }
        server = try await LoopbackServer()
        session = URLSession(configuration: .ephemeral)
    }

    override func tearDown() async throws {
        session.finishTasksAndInvalidate()
        await server.stop()
        URLSession.rx.shouldLogRequest = shouldLog
        try await super.tearDown()
    }

    private func request(_ path: String) -> URLRequest { URLRequest(url: server.url(path)) }

    // MARK: response

    func testResponse_ofARequest_isOneElementAndCompletion() throws {
        let answers = try session.rx.response(request: request("/hello")).toBlocking(timeout: 10).toArray()
        XCTAssertEqual(answers.map { String(decoding: $0.data, as: UTF8.self) }, ["hello"])
        XCTAssertEqual(answers.map { $0.response.statusCode }, [200])
        XCTAssertEqual(answers.first?.response.value(forHTTPHeaderField: "Content-Type"), "text/plain")
    }

    func testResponse_withoutABody_hasEmptyData() throws {
        let answer = try XCTUnwrap(session.rx.response(request: request("/empty")).toBlocking(timeout: 10).first())
        XCTAssertEqual(answer.response.statusCode, 204)
        XCTAssertEqual(answer.data, Data())
    }

    func testResponse_ofAnyStatus_isNoError() throws {
        let answer = try XCTUnwrap(session.rx.response(request: request("/missing")).toBlocking(timeout: 10).first())
        XCTAssertEqual(answer.response.statusCode, 404)
        XCTAssertEqual(String(decoding: answer.data, as: UTF8.self), "no such thing")
    }

    func testResponse_sendsMethodHeadersAndBody() throws {
        var request = request("/echo")
        request.httpMethod = "PUT"
        request.httpBody = Data("a body".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        let echo = try JSONDecoder().decode(
            LoopbackServer.Echo.self, from: XCTUnwrap(session.rx.data(request: request).toBlocking(timeout: 10).first())
        )
        XCTAssertEqual(echo.method, "PUT")
        XCTAssertEqual(echo.body, "a body")
        XCTAssertEqual(echo.headers["content-type"], "text/plain")
    }

    func testResponse_ofARefusedConnection_failsWithTheSessionsError() {
        let refusing = RawServer()
        XCTAssertThrowsError(
            try session.rx.response(request: URLRequest(url: refusing.url)).toBlocking(timeout: 10).first()
        ) { error in
            XCTAssertEqual((error as? URLError)?.code, .cannotConnectToHost, "\(error)")
        }
        withExtendedLifetime(refusing) {}
    }

    func testResponse_cutShort_failsWithTheSessionsErrorAndNoElement() {
        let cutting = RawServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        }
        let result = session.rx.response(request: URLRequest(url: cutting.url)).toBlocking(timeout: 10).materialize()
        guard case .failed(let elements, let error) = result else {
            return XCTFail("The response was taken for a whole one.")
        }
        XCTAssertTrue(elements.isEmpty)
        // Elsewhere it is `.networkConnectionLost`; on Linux the session only reports `.unknown`.
        XCTAssertTrue(error is URLError, "\(error)")
    }

    func testResponse_notOverHTTP_failsAndSaysSo() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [PigeonProtocol.self]
        let session = URLSession(configuration: configuration)
        XCTAssertThrowsError(
            try session.rx.response(request: URLRequest(url: PigeonProtocol.url)).toBlocking(timeout: 10).first()
        ) { error in
            guard case RxCocoaURLError.nonHTTPResponse = error else { return XCTFail("\(error)") }
            XCTAssertEqual("\(error)", "The answer did not come over HTTP but over 'pigeon'. Use an http or https URL.")
        }
        session.finishTasksAndInvalidate()
    }

    // MARK: data

    func testData_ofAGoodStatus_isTheBody() throws {
        XCTAssertEqual(
            try session.rx.data(request: request("/hello")).toBlocking(timeout: 10).toArray(), [Data("hello".utf8)])
    }

    func testData_ofAnotherStatus_failsWithResponseAndBody() {
        XCTAssertThrowsError(try session.rx.data(request: request("/missing")).toBlocking(timeout: 10).first()) {
            error in
            guard case RxCocoaURLError.httpRequestFailed(let response, let data) = error else {
                return XCTFail("\(error)")
            }
            XCTAssertEqual(response.statusCode, 404)
            XCTAssertEqual(data, Data("no such thing".utf8))
            XCTAssertEqual(
                "\(error)",
                "The server answered with status 404 and 13 bytes. Use 'response(request:)' to accept every status.")
        }
    }

    func testData_ofAnotherStatusAndOneByte_failsInTheSingular() {
        XCTAssertThrowsError(try session.rx.data(request: request("/letter")).toBlocking(timeout: 10).first()) {
            XCTAssertEqual(
                "\($0)",
                "The server answered with status 404 and 1 byte. Use 'response(request:)' to accept every status.")
        }
    }

    // MARK: json

    func testJSON_ofAnObject_isADictionary() throws {
        let json = try session.rx.json(url: server.url("/person")).toBlocking(timeout: 10).first()
        XCTAssertEqual(json as? [String: String], ["name": "Ada"])
    }

    func testJSON_withOptions_readsByThem() throws {
        let json = try session.rx.json(request: request("/fragment"), options: .fragmentsAllowed).toBlocking(
            timeout: 10
        ).first()
        XCTAssertEqual(json as? Int, 42)
    }

    func testJSON_thatIsMalformed_failsWithTheParsersError() {
        XCTAssertThrowsError(try session.rx.json(url: server.url("/malformed")).toBlocking(timeout: 10).first()) {
            error in
            guard case RxCocoaURLError.deserializationError = error else { return XCTFail("\(error)") }
            XCTAssertTrue("\(error)".hasPrefix("The body is not JSON: "))
        }
    }

    func testJSON_ofAnotherStatus_failsAsDataDoes() {
        XCTAssertThrowsError(try session.rx.json(url: server.url("/missing")).toBlocking(timeout: 10).first()) {
            error in
            guard case RxCocoaURLError.httpRequestFailed = error else { return XCTFail("\(error)") }
        }
    }

    // MARK: Subscriptions

    func testResponse_untilSubscribed_sendsNothing() throws {
        let hello = session.rx.response(request: request("/hello"))
        _ = try session.rx.response(request: request("/person")).toBlocking(timeout: 10).first()
        XCTAssertEqual(server.requests.value, 0)
        withExtendedLifetime(hello) {}
    }

    func testResponse_forEachSubscriber_isARequestOfItsOwn() throws {
        let hello = session.rx.response(request: request("/hello"))
        for _ in 0..<3 { _ = try hello.toBlocking(timeout: 10).first() }
        XCTAssertEqual(server.requests.value, 3)
    }

    func testResponse_shared_isOneRequest() throws {
        let hello = session.rx.data(request: request("/hello")).share(replay: 1, scope: .forever)
        for _ in 0..<3 { XCTAssertEqual(try hello.toBlocking(timeout: 10).toArray(), [Data("hello".utf8)]) }
        XCTAssertEqual(server.requests.value, 1)
    }

    func testDispose_whileTheServerAnswers_closesTheConnectionAndDeliversNothing() {
        let (received, closed) = (Signal(), Signal())
        let slow = RawServer { connection in
            connection.readRequest()
            received.send()
            if connection.waitUntilClientCloses() { closed.send() }
        }
        let events = Recorder<String>()
        let subscription = session.rx.response(request: URLRequest(url: slow.url)).subscribe { events.append("\($0)") }
        received.wait()
        subscription.dispose()
        closed.wait()
        XCTAssertEqual(events.values, [])
    }

    // Foundation on Linux traps when it cancels a task whose handler has returned.
    func testDispose_aroundTheEndOfARequest_isSafe() {
        let quick = RawServer { connection in
            connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
        }
        let hello = session.rx.data(request: URLRequest(url: quick.url))
        disposeAroundTheEnd(of: hello) { result in
            guard case .completed(let elements) = result else { return XCTFail("\(result)") }
            XCTAssertEqual(elements, [Data("hello".utf8)])
        }
    }

    // A task that fails by itself has an error before it is cancelled.
    func testDispose_aroundTheFailureOfARequest_isSafe() {
        let refusing = RawServer()
        disposeAroundTheEnd(of: session.rx.data(request: URLRequest(url: refusing.url))) { result in
            guard case .failed(_, let error) = result else { return XCTFail("\(result)") }
            XCTAssertEqual((error as? URLError)?.code, .cannotConnectToHost, "\(error)")
        }
        withExtendedLifetime(refusing) {}
    }

    /// Lets the request end by itself ten times, and disposes it at sixty different times around that moment.
    private func disposeAroundTheEnd(of data: Observable<Data>, check: (MaterializedSequenceResult<Data>) -> Void) {
        let start = ContinuousClock.now
        for _ in 0..<10 { check(data.toBlocking(timeout: 10).materialize()) }
        let usual = (ContinuousClock.now - start) / 10
        for round in 0..<60 {
            let ended = Signal()
            let disposal = ContinuousClock.now + usual * (0.2 + Double(round) / 45)
            let subscription = data.subscribe(onDisposed: { ended.send() })
            while ContinuousClock.now < disposal {}
            subscription.dispose()
            ended.wait()
        }
    }

    func testResponse_givenUp_returnsEveryResource() throws {
        let before = Resources.total
        let refusing = RawServer()
        let received = Signal()
        let slow = RawServer { connection in
            connection.readRequest()
            received.send()
            _ = connection.waitUntilClientCloses()
        }
        do {
            _ = try session.rx.data(request: request("/hello")).toBlocking(timeout: 10).first()
            _ = session.rx.data(request: request("/missing")).toBlocking(timeout: 10).materialize()
            _ = session.rx.data(request: URLRequest(url: refusing.url)).toBlocking(timeout: 10).materialize()
            let subscription = session.rx.data(request: URLRequest(url: slow.url)).subscribe()
            received.wait()
            subscription.dispose()
        }
        // The session releases a task's handler shortly after it has called the handler.
        XCTAssertTrue(yieldUntil { Resources.total <= before }, "\(Resources.total - before) resources are left.")
        withExtendedLifetime((refusing, slow)) {}
    }
}
