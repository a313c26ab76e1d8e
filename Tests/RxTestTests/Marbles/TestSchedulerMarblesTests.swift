import Rx
import RxTest
import Testing
import XCTest

@Suite struct TestSchedulerMarblesTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func hot_sendsAtItsTicksFromTheSubscriptionOn() {
        let source = scheduler.createHotObservable(marbles: "-a^-b-(c|)", values: ["a": 1, "b": 2, "c": 3])
        let result = scheduler.start { source.map { $0 * 10 } }
        #expect(result.marbles(values: ["b": 20, "c": 30]) == "--b-(c|)")
        #expect(result.events == [.next(220, 20), .next(240, 30), .completed(240)])
        #expect(source.subscriptions.marbles() == ["^---!"])
    }

    @Test func cold_countsFromEachSubscription() {
        let source = scheduler.createColdObservable(marbles: "-a-#", tick: 5)
        let result = scheduler.start { source.retry(2) }
        #expect(result.marbles(tick: 5) == "-a--a-#")
        #expect(source.subscriptions.marbles(tick: 5) == ["^--!", "---^--!"])
    }

    @Test func inners_areSeenUnderTheirOuter() {
        let outer = scheduler.createHotObservable(marbles: "-a---b-|")
        let inner = scheduler.createColdObservable(marbles: " x-x-x|")
        let result = scheduler.start { outer.flatMapLatest { outer in inner.map { outer + $0 } } }
        #expect(result.marbles() == "-{ax}-{ax}-{bx}-{bx}-{bx}|")
        #expect(inner.subscriptions.marbles() == ["-^---!", "-----^----!"])
    }

    @Test func hot_withAnErrorOfItsOwn_sendsThat() {
        struct Failure: Error {}
        let source = scheduler.createHotObservable(marbles: "-#", error: Failure())
        #expect(scheduler.start { source }.events == [.error(210, Failure())])
    }

    @Test func expectMarbles_forEqualDiagrams_isSilent() {
        expectMarbles("--a-", "-- a")
    }

    @Test func expectMarbles_forOthers_showsBothUnderEachOther() {
        let message = """
            The marbles differ. As ever.
            expected  --a(bc)
            recorded  --a-   b|
                         ^
            """
        withKnownIssue {
            expectMarbles("--a-b|", "--a(bc)", "As ever.")
        } matching: { issue in
            issue.comments.map(\.rawValue) == [message]
        }
    }

    @Test func expectations_ofSwiftTesting_showEventsAndDiagrams() {
        let source = scheduler.createHotObservable(marbles: "-a")
        let result = scheduler.start { source }
        withKnownIssue {
            #expect(result.events == [.next(210, "b"), .completed(220)])
        } matching: { issue in
            "\(issue)".contains(
                """
                (result.events → [next(a) @ 210]) == ([.next(210, \"b\"), .completed(220)] → [next(b) @ 210, \
                completed @ 220])
                """
            )
        }
        withKnownIssue {
            #expect(result.marbles() == "-b")
        } matching: { issue in
            "\(issue)".contains("(result.marbles() → -a) == (\"-b\" → -b)")
        }
    }
}

final class XCTAssertMarblesTests: XCTestCase {
    func testEqualDiagrams_pass() throws {
        XCTAssertMarbles("--a-", "-- a")
        let text = "a"
        try XCTAssertMarbles(Marbles(text), "a")
    }

    func testResultsAndDiagrams_compareWithXCTAssertEqualToo() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(marbles: "-a-b|")
        XCTAssertEqual(scheduler.start { source }.marbles(), "-a-b|")
        XCTAssertEqual(source.subscriptions.marbles(), ["^---!"])
    }

    #if !canImport(ObjectiveC)
        func testDifferentDiagrams_failAndShowBothUnderEachOther() {
            final class Failing: XCTestCase {
                nonisolated(unsafe) static var messages: [String] = []
                override func recordFailure(
                    withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
                ) {
                    Self.messages.append(description)
                }
            }
            Failing(name: "failing") { _ in XCTAssertMarbles("--a-b|", "--a(bc)") }.run()
            XCTAssertEqual(
                Failing.messages,
                ["failed - The marbles differ.\nexpected  --a(bc)\nrecorded  --a-   b|\n             ^"])
        }
    #endif
}
