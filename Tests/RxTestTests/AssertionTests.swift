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
        let maybes: [MaybeEvent<Int>] = [.success(1), .completed, .error(Failure.one)]
        XCTAssertEqual(maybes, [.success(1), .completed, .error(Failure.one)])
        let completables: [CompletableEvent] = [.completed, .error(Failure.one)]
        XCTAssertEqual(completables, [.completed, .error(Failure.one)])
        XCTAssertRecordedElements([.next(5, "a"), .next(9, "b")], ["a", "b"])
    }

    func testEventsOfTraits_asTheyAreSubscribed_compare() {
        var singles: [SingleEvent<Int>] = []
        var maybes: [MaybeEvent<Int>] = []
        var completables: [CompletableEvent] = []
        _ = Single.just(1).subscribe { singles.append($0) }
        _ = Single<Int>.error(Failure.two).subscribe { singles.append($0) }
        _ = Maybe<Int>.empty().subscribe { maybes.append($0) }
        _ = Completable.empty().subscribe { completables.append($0) }
        XCTAssertEqual(singles, [.success(1), .failure(Failure.two)])
        XCTAssertEqual(maybes, [.completed])
        XCTAssertEqual(completables, [.completed])
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
                XCTAssertRecordedElements([.next(5, "a"), .completed(6)], ["a"])
                XCTAssertEqual([.success(1)] as [MaybeEvent<Int>], [.success(2)])
                XCTAssertEqual([.completed] as [CompletableEvent], [.error(Failure.one)])
            }
            failing.run()
            XCTAssertEqual(Failing.messages.count, 7)
            XCTAssertTrue(
                Failing.messages.first?.hasSuffix(
                    "The sequences differ. The first is:\n  next(1) @ 1\nand the second:\n  next(1) @ 2") ?? false)
        }
    #endif
}
