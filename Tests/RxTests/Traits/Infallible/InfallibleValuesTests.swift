import Rx
import XCTest

final class InfallibleValuesTests: XCTestCase {
    func testValues_giveEachElement_andEndAtCompletion() async {
        var seen: [Int] = []
        for await value in Infallible.of(1, 2, 3).values { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testValues_leftEarly_disposeTheSubscription() async {
        let subject = PublishSubject<Int>()
        let infallible = subject.asInfallible(onErrorJustReturn: 0)
        do {
            let values = infallible.values
            XCTAssertTrue(subject.hasObservers, "Subscribes when asked for.")
            subject.onNext(1)
            subject.onNext(2)
            for await value in values {
                XCTAssertEqual(value, 1)
                break
            }
        }
        XCTAssertFalse(subject.hasObservers)
    }

    func testValues_ofACancelledTask_disposeTheSubscription() async {
        let subject = PublishSubject<Int>()
        let disposed = expectation(description: "disposed")
        let infallible = subject.do(onDispose: { disposed.fulfill() }).asInfallible(onErrorJustReturn: 0)
        let values = infallible.values
        let task = Task { for await _ in values {} }
        task.cancel()
        await fulfillment(of: [disposed], timeout: 60)
        XCTAssertFalse(subject.hasObservers)
    }

    func testValues_returnEveryResource() async {
        let before = Resources.total
        for await _ in Infallible.of(1, 2).values {}
        do {
            let subject = PublishSubject<Int>()
            let values = subject.asInfallible(onErrorJustReturn: 0).values
            subject.onNext(1)
            for await _ in values { break }
        }
        assertResourcesBack(to: before)
    }
}
