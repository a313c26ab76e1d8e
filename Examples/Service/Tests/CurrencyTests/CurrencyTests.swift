import Currency
import Foundation
import Hummingbird
import HummingbirdTesting
import Rx
import RxTrace
import RxTraceTesting
import XCTest

final class CurrencyTests: XCTestCase {
    private func test(
        leaking: Bool = false, _ body: @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        let rates = Rates.changing(every: .seconds(1), on: SerialDispatchQueueScheduler(qos: .default))
        try await Application(router: makeRouter(by: rates, leaking: leaking)).test(.router, body)
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

    func testRequests_leaveNothing() async throws {
        try await test { client in
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

    func testLeak_behindTheFlag_isInTheReportOfASignal_withItsHolderAndItsLine() async throws {
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
}
