import Rx
import RxTest
import XCTest

final class AssertionTests: XCTestCase {
    private enum Failure: Error { case one, two }

    func testEqualLists_pass() {
        let events: [Event<Int>] = [.next(1), .error(Failure.one)]
        XCTAssertEqual(events, [.next(1), .error(Failure.one)])
        let recorded: [Recorded<Event<Int>>] = [.next(1, 1), .completed(2)]
        XCTAssertEqual(recorded, [.next(1, 1), .completed(2)])
        let optional: [Recorded<Event<Int?>>] = [.next(1, nil), .next(2, 2)]
        XCTAssertEqual(optional, [.next(1, nil), .next(2, 2)])
        let results: [Result<Int, any Error>] = [.success(1), .failure(Failure.one)]
        XCTAssertEqual(results, [.success(1), .failure(Failure.one)])
        let maybes: [MaybeEvent<Int>] = [.success(1), .error(Failure.one), .completed]
        XCTAssertEqual(maybes, [.success(1), .error(Failure.one), .completed])
        let completables: [CompletableEvent] = [.error(Failure.one), .completed]
        XCTAssertEqual(completables, [.error(Failure.one), .completed])
        XCTAssertRecordedElements([.next(5, "a"), .next(9, "b")], ["a", "b"])
    }

#if !canImport(ObjectiveC)
    // Failures are collected by a test case that is run by hand; on Apple's platforms XCTExpectFailure would do it.
    func testDifferentLists_failAndShowBoth() {
        final class Failing: XCTestCase {
            nonisolated(unsafe) static var messages: [String] = []
            override func recordFailure(
                withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
            ) {
                Self.messages.append(description)
            }
        }
        let failing = Failing(name: "failing") { _ in
            XCTAssertEqual([.next(1, 1)] as [Recorded<Event<Int>>], [.next(2, 1)])
            XCTAssertEqual([.next(1), .error(Failure.one)] as [Event<Int>], [.next(1), .error(Failure.two)])
            XCTAssertEqual([.failure(Failure.one)] as [Result<Int, any Error>], [.failure(Failure.two)])
            XCTAssertEqual([] as [Recorded<Event<Int?>>], [.next(2, nil)])
            XCTAssertEqual([.success(1)] as [MaybeEvent<Int>], [.completed])
            XCTAssertEqual([.error(Failure.one)] as [MaybeEvent<Int>], [.error(Failure.two)])
            XCTAssertEqual([.error(Failure.one)] as [CompletableEvent], [.error(Failure.two)])
            XCTAssertRecordedElements([.next(5, "a"), .completed(6)], ["a"])
        }
        failing.run()
        XCTAssertEqual(Failing.messages.count, 8)
        XCTAssertTrue(Failing.messages.first?.hasSuffix("The sequences differ. The first is:\n  next(1) @ 1\nand the second:\n  next(1) @ 2") ?? false)
    }
#endif
}
