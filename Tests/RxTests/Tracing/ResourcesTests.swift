import Rx
import XCTest

/// The counted resources, and the exactness of their counts.
final class ResourcesTests: XCTestCase {
    func testTotal_ofOneHeldObservable_risesAndFallsByOne() {
        let before = Resources.total
        var held: Observable<Int>? = .just(1)
        XCTAssertEqual(Resources.total, before + 1)
        withExtendedLifetime(held) {}
        held = nil
        assertResourcesBack(to: before)
    }

    func testCount_ofEachKind_followsWhatLives() {
        let before = counts()
        do {
            let subject = PublishSubject<Int>()
            XCTAssertEqual(difference(from: before), [.subject: 1])
            let mapped = subject.map { $0 + 1 }
            XCTAssertEqual(difference(from: before), [.subject: 1, .observable: 1])
            let subscription = mapped.subscribe()
            // The link and the subscriber, and the subject's side of the subscription.
            XCTAssertEqual(difference(from: before), [.subject: 1, .observable: 1, .sink: 2, .disposable: 1])
            subscription.dispose()
        }
        XCTAssertEqual(difference(from: before), [:])
    }

    func testCount_ofAConnection_lastsAsLongAsItIsConnected() {
        let before = counts()
        let shared = PublishSubject<Int>().share()
        let subscription = shared.subscribe()
        XCTAssertEqual(difference(from: before)[.connection], 1)
        subscription.dispose()
        XCTAssertNil(difference(from: before)[.connection])
    }

    func testTotal_afterEvents_isWhatItWasBeforeThem() {
        let subject = PublishSubject<Int>()
        let subscription = subject.map { $0 + 1 }.filter { $0 > 0 }.scan(0, accumulator: +).subscribe()
        let before = Resources.total
        for value in 0..<1_000 { subject.onNext(value) }
        assertResourcesBack(to: before)
        subscription.dispose()
    }

    func testTotal_ofResourcesMadeAndReleasedOnOtherThreads_isExact() {
        let before = Resources.total
        for _ in 0..<20 {
            // Made here, released on another thread: each thread has its own count, and only the sum is meaningful.
            let made = (0..<100).map { Observable.just($0) }
            let box = Emptied(made)
            concurrently(
                { for _ in 0..<500 { _ = Observable.just(1).map { $0 + 1 }.subscribe() } },
                { box.empty() },
                { for _ in 0..<500 { PublishSubject<Int>().subscribe().dispose() } })
        }
        assertResourcesBack(to: before)
    }

    func testIncrement_ofAResourceOfOnesOwn_isTakenBackByDecrement() {
        let before = Resources.total
        XCTAssertEqual(Resources.incrementTotal(), before + 1)
        XCTAssertEqual(Resources.decrementTotal(), before)
    }

    private func counts() -> [Resources.Kind: Int] {
        Dictionary(uniqueKeysWithValues: Resources.Kind.allCases.map { ($0, Resources.count(of: $0)) })
    }

    private func difference(from before: [Resources.Kind: Int]) -> [Resources.Kind: Int] {
        counts().merging(before) { $0 - $1 }.filter { $0.value != 0 }
    }

    private final class Emptied: @unchecked Sendable {
        // @unchecked: only one thread accesses it after its creation.
        private var content: [Observable<Int>]
        init(_ content: [Observable<Int>]) { self.content = content }
        func empty() { content = [] }
    }
}
