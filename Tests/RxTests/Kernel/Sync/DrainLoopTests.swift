import XCTest

@testable import Rx

final class DrainLoopTests: XCTestCase {
    func testRequest_madeInsideARound100000Times_runsEachWithoutStack() {
        let loop = DrainLoop()
        var rounds = 0
        var depth = 0
        var deepest = 0
        func round() {
            depth += 1
            deepest = max(deepest, depth)
            rounds += 1
            if rounds < 100_000 { loop.request(round) }
            depth -= 1
        }
        loop.request(round)
        XCTAssertEqual(rounds, 100_000)
        XCTAssertEqual(deepest, 1)
    }

    func testRequest_fromFourThreads_runsOneRoundForEachAndNoneOverlapping() {
        final class Shared: @unchecked Sendable {
            // @unchecked: only one round at a time uses `rounds`; the test checks that.
            let loop = DrainLoop()
            var rounds = 0
        }
        let shared = Shared()
        onThreads(4) { _ in for _ in 0..<25_000 { shared.loop.request { shared.rounds += 1 } } }
        XCTAssertEqual(shared.rounds, 100_000)
    }
}
