import Currency
import Foundation
import Hummingbird
import HummingbirdTesting
import Rx
import RxTrace
import RxTraceTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class CurrencyTests: XCTestCase {
    private func test(
        leaking: Bool = false, over setup: TestingSetup = .router,
        _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let rates = Rates.changing(every: .seconds(1), on: SerialDispatchQueueScheduler(qos: .default))
        try await Application(router: makeRouter(by: rates, leaking: leaking)).test(setup, body)
    }

    private static let question = "/convert?amount=10&from=EUR&to=USD"

    func testAnswer_isTheAmountByTheRatesOfNow() async throws {
        try await test { client in
            let answer = try await client.execute(uri: Self.question, method: .get)
            XCTAssertEqual(String(buffer: answer.body), "10.8 USD\n")
        }
    }

    func testQuestion_thatCannotBeAnswered_isRefused() async throws {
        try await test { client in
            let nothing = try await client.execute(uri: "/convert", method: .get)
            XCTAssertEqual(nothing.status, .badRequest)
            let unknown = try await client.execute(uri: "/convert?amount=1&from=EUR&to=XXX", method: .get)
            XCTAssertEqual(unknown.status, .notFound)
        }
    }

    /// Uses a connection: hummingbird's `.router` creates a channel for each request and does not close it.
    func testRequests_leaveNothing() async throws {
        try await test(over: .live) { client in
            try await expectNoLeaks { _ = try await client.execute(uri: Self.question, method: .get) }
        }
    }

    func testGauges_tellWhatIsAlive() async throws {
        try await test { client in
            let held = PublishSubject<Int>()
            let text = String(buffer: try await client.execute(uri: "/metrics", method: .get).body)
            XCTAssertTrue(text.contains("rx_resources "), text)
            XCTAssertFalse(text.contains("rx_resources_of_kind{kind=\"subject\"} 0.0"), text)
            withExtendedLifetime(held) {}
        }
    }

    func testLeak_onceTheServiceIsGone_isToldAsTheCycleThatKeepsIt() async throws {
        let level = RxTrace.level
        RxTrace.level = .paranoid
        defer { RxTrace.level = level }
        try await test(leaking: true) { client in
            for _ in 0..<20 { _ = try await client.execute(uri: Self.question, method: .get) }
        }
        let reported = expectation(description: "a report")
        let text = ReplaySubject<String>.create(bufferSize: 1)
        let signal = try RxTrace.installReportSignal(
            .usr2,
            to: .function { report in
                text.onNext(report.description)
                reported.fulfill()
            })
        kill(getpid(), SIGUSR2)
        await fulfillment(of: [reported], timeout: 60)
        signal.dispose()
        let report = try await text.take(1).asSingle().value
        XCTAssertTrue(report.contains("20  ReplaySubject<Double> (subject), made by Conversion.init"), report)
        XCTAssertTrue(report.contains("Conversion, held by a cycle over 'Conversion.bag'"), report)
    }

    func testLeak_behindTheFlag_isInTheReportOfASignal_withItsHolderAndItsLine() async throws {
        let report = try await Self.report(ofServiceWith: ["--leak"])
        XCTAssertTrue(report.contains("20  ReplaySubject<Double> (subject), made by Conversion.init"), report)
        // The clock of all requests holds the subscription while it runs.
        XCTAssertTrue(report.contains("dispose the subscription whose closure is at Conversion.swift:14"), report)
    }

    func testService_withoutTheFlag_reportsNoLeak() async throws {
        let report = try await Self.report(ofServiceWith: [])
        XCTAssertTrue(report.contains("made by static Rates.changing"), report)
        XCTAssertFalse(report.contains("Conversion"), report)
    }

    /// Returns the program's report after a signal, which is sent after twenty requests. The program is started from
    /// the main thread, because threads of a pool block signals, and a child process inherits their signal mask.
    @MainActor
    private static func report(ofServiceWith arguments: [String]) async throws -> String {
        let bundle = (Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main).bundleURL
        let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        let folder = FileManager.default.temporaryDirectory.appending(path: "currency-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = Process()
        let words = Pipe()
        service.executableURL = products.appending(path: "CurrencyService")
        service.arguments = arguments + ["0"]
        service.currentDirectoryURL = folder
        (service.standardOutput, service.standardError) = (words, words)
        try service.run()
        defer {
            service.terminate()
            service.waitUntilExit()
        }
        // The program prints the free port that it uses.
        var said = ""
        var port: Substring?
        while port == nil {
            let data = words.fileHandleForReading.availableData
            guard !data.isEmpty else { return "The service ended: \(said)" }
            said += String(decoding: data, as: UTF8.self)
            port = said.firstMatch(of: #/127\.0\.0\.1:([0-9]+)\s/#)?.1
        }
        let address = try XCTUnwrap(URL(string: "http://127.0.0.1:\(port ?? "")\(question)"))
        for _ in 0..<20 { _ = try await URLSession.shared.data(from: address) }
        kill(service.processIdentifier, SIGUSR1)
        // The file is written atomically.
        let file = folder.appending(path: "currency-\(service.processIdentifier)-1.txt")
        let written = XCTNSPredicateExpectation(
            predicate: NSPredicate { _, _ in FileManager.default.fileExists(atPath: file.path) }, object: nil)
        await XCTWaiter().fulfillment(of: [written], timeout: 60)
        return try String(contentsOf: file, encoding: .utf8)
    }
}
