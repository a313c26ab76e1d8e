import Rx
import XCTest

@MainActor
final class SharedSequenceValuesTests: XCTestCase {
    func testValues_endWithTheSequence() async {
        var seen: [Int] = []
        for await value in Driver.of(1, 2, 3).values { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testValues_keepWhatComesBeforeTheTaskAsks() async {
        let relay = PublishRelay<Int>()
        let values = relay.asSignal().values
        relay.accept(1)
        relay.accept(2)
        var iterator = values.makeAsyncIterator()
        let first = await iterator.next()
        let second = await iterator.next()
        XCTAssertEqual([first, second], [1, 2])
    }

    func testValues_ofATaskThatIsCancelled_disposeTheSubscription() async {
        let subject = PublishSubject<Int>()
        let task = Task { () -> [Int] in
            var seen: [Int] = []
            for await value in subject.asDriver(onErrorJustReturn: 0).values {
                seen.append(value)
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return seen
        }
        while !subject.hasObservers { await Task.yield() }
        subject.onNext(1)
        let seen = await task.value
        XCTAssertEqual(seen, [1])
        XCTAssertFalse(subject.hasObservers)
    }

    func testValues_thatAreLetGoOf_disposeTheSubscription() {
        let subject = PublishSubject<Int>()
        var values: AsyncStream<Int>? = subject.asDriver(onErrorJustReturn: 0).values
        XCTAssertTrue(subject.hasObservers)
        XCTAssertNotNil(values)
        values = nil
        XCTAssertFalse(subject.hasObservers)
    }

    func testValues_inEveryWayToEnd_returnEveryResource() async {
        let before = Resources.total
        do {
            let subject = PublishSubject<Int>()
            let values = subject.asDriver(onErrorJustReturn: 9).values
            subject.onError(Planted.fault)
            var seen: [Int] = []
            for await value in values { seen.append(value) }
            XCTAssertEqual(seen, [9])
            _ = subject.asSignal(onErrorJustReturn: 0).values
        }
        assertResourcesBack(to: before)
    }
}
