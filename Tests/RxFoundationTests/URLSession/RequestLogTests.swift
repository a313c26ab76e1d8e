import Foundation
import Rx
import RxBlocking
import RxFoundation
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class RequestLogTests: SettlingTestCase {
    private var server: LoopbackServer!
    private var session: URLSession!
    private var shouldLog: (@Sendable (URLRequest) -> Bool)!
    private var lines: Recorder<String>!
    private var output: (@Sendable (String) -> Void)!

    override func setUp() async throws {
        try await super.setUp()
        shouldLog = URLSession.rx.shouldLogRequest
        URLSession.rx.shouldLogRequest = { _ in true }
        output = URLSession.rx.logOutput
        let lines = Recorder<String>()
        URLSession.rx.logOutput = { lines.append($0) }
        self.lines = lines
        server = try await LoopbackServer()
        session = URLSession(configuration: .ephemeral)
    }

    override func tearDown() async throws {
        session.finishTasksAndInvalidate()
        await server.stop()
        URLSession.rx.logOutput = output
        URLSession.rx.shouldLogRequest = shouldLog
        try await super.tearDown()
    }

    /// The lines, with their durations replaced.
    private var timeless: [String] { lines.values.map { $0.replacing(#/after \d+\.\d ms/#, with: "after T ms") } }

    func testRequest_logged_isACommandAndAnOutcome() throws {
        let url = server.url("/hello")
        _ = try session.rx.data(request: URLRequest(url: url)).toBlocking(timeout: 10).first()
        XCTAssertEqual(timeless, ["curl -X 'GET' '\(url)'", "200 after T ms, 5 bytes: GET \(url)"])
    }

    func testRequest_withCredentials_isLoggedWithoutThem() throws {
        var request = URLRequest(url: server.url("/echo?access_token=s3cr3t"))
        request.httpMethod = "POST"
        for name in ["authorization", "Proxy-Authorization", "COOKIE", "Set-Cookie"] {
            request.setValue("s3cr3t", forHTTPHeaderField: name)
        }
        let body = try session.rx.data(request: request).toBlocking(timeout: 10).first()
        let text = lines.values.joined(separator: "\n")
        XCTAssertEqual(lines.values.count, 2)
        XCTAssertFalse(text.contains("s3cr3t"), text)
        XCTAssertEqual(text.components(separatedBy: ": ***'").count, 5, "Four headers are masked: \(text)")
        let echo = try JSONDecoder().decode(LoopbackServer.Echo.self, from: XCTUnwrap(body))
        XCTAssertEqual(echo.headers["authorization"], "s3cr3t", "Masked in the log, not in what is sent.")
    }

    func testRequest_thatFails_isLoggedWithTheErrorsCode() {
        let refusing = RawServer()
        _ = session.rx.data(request: URLRequest(url: refusing.url)).toBlocking(timeout: 10).materialize()
        XCTAssertEqual(timeless.last, "NSURLErrorDomain -1004 after T ms, 0 bytes: GET \(refusing.url)")
        withExtendedLifetime(refusing) {}
    }

    func testRequest_ofABadStatus_isLoggedWithIt() {
        _ = session.rx.data(request: URLRequest(url: server.url("/missing"))).toBlocking(timeout: 10).materialize()
        XCTAssertEqual(timeless.last, "404 after T ms, 13 bytes: GET \(server.url("/missing"))")
    }

    func testRequest_answeredWithOneByte_isLoggedInTheSingular() {
        _ = session.rx.data(request: URLRequest(url: server.url("/letter"))).toBlocking(timeout: 10).materialize()
        XCTAssertEqual(timeless.last, "404 after T ms, 1 byte: GET \(server.url("/letter"))")
    }

    func testRequest_cancelled_isLoggedAsCancelled() {
        let (received, logged) = (Signal(), Signal())
        let lines = lines!
        URLSession.rx.logOutput = { line in
            lines.append(line)
            if line.hasPrefix("Cancelled") { logged.send() }
        }
        let slow = RawServer { connection in
            connection.readRequest()
            received.send()
            _ = connection.waitUntilClientCloses()
        }
        let subscription = session.rx.data(request: URLRequest(url: slow.url)).subscribe()
        received.wait()
        subscription.dispose()
        logged.wait()
        XCTAssertEqual(timeless.last, "Cancelled after T ms, 0 bytes: GET \(slow.url)")
    }

    func testShouldLogRequest_byDefault_isTrueInDebugBuildsOnly() {
        #if DEBUG
            XCTAssertTrue(shouldLog(URLRequest(url: server.url("/hello"))))
        #else
            XCTAssertFalse(shouldLog(URLRequest(url: server.url("/hello"))))
        #endif
    }

    func testShouldLogRequest_decidesForEachRequest() throws {
        URLSession.rx.shouldLogRequest = { $0.url?.path == "/hello" }
        _ = try session.rx.data(request: URLRequest(url: server.url("/person"))).toBlocking(timeout: 10).first()
        XCTAssertEqual(lines.values, [])
        _ = try session.rx.data(request: URLRequest(url: server.url("/hello"))).toBlocking(timeout: 10).first()
        XCTAssertEqual(lines.values.count, 2)
    }

    func testShouldLogRequest_mayUseTheLogItself() throws {
        URLSession.rx.shouldLogRequest = { _ in
            URLSession.rx.logOutput("asked")
            return false
        }
        _ = try session.rx.data(request: URLRequest(url: server.url("/hello"))).toBlocking(timeout: 10).first()
        XCTAssertEqual(lines.values, ["asked"])
    }

    @available(*, deprecated)
    func testLogging_isTheSameSettingUnderItsOldName() {
        Logging.URLRequests = { $0.url?.path == "/a" }
        XCTAssertTrue(URLSession.rx.shouldLogRequest(URLRequest(url: server.url("/a"))))
        XCTAssertFalse(Logging.URLRequests(URLRequest(url: server.url("/b"))))
    }
}
