#if TRACE_RESOURCES
import Rx
import Synchronization
import XCTest

/// Every operator may be disposed on another thread than the one its source sends on, asserted for each by name.
final class OperatorThreadTests: XCTestCase {
    /// How far the sender has come, and whether the other thread is there.
    private final class Progress: Sendable {
        let sent = Atomic<Int>(0)
        let isReady = Atomic<Bool>(false)
    }

    /// Sends 30 elements while another thread disposes the subscription after `count` of them. Returns what came after both were done.
    private func race(_ contract: OperatorContract, disposingAfter count: Int) -> Int {
        let scheduler = ContractScheduler()
        let feed = Feed()
        let progress = Progress()
        var received = 0
        let subscription = Sent(contract.apply(feed.source, scheduler).subscribe { _ in received += 1 })
        scheduler.advanceTo(10)
        let thread = JoinedThread {
            progress.isReady.store(true, ordering: .relaxed)
            while progress.sent.load(ordering: .relaxed) < count { sched_yield() }
            subscription.value.dispose()
        }
        while !progress.isReady.load(ordering: .relaxed) { sched_yield() }
        for number in 1...30 {
            progress.sent.store(number, ordering: .relaxed)
            feed.send(.next(number))
        }
        thread.join()
        let before = received
        feed.send(.next(31))
        feed.send(.completed)
        scheduler.start()
        return received - before
    }

    func testEveryOperator_disposedByAnotherThreadMidway_sendsNothingMoreAndReleasesEverything() {
        // `subscribe(on:)` asks its scheduler for the disposal, and virtual time belongs to one thread: InFlightEventTests.
        for contract in OperatorContract.all where !contract.name.hasSuffix("subscribe(on:)") {
            let before = Resources.total
            for count in [1, 7, 20] {
                XCTAssertEqual(race(contract, disposingAfter: count), 0, contract.title)
            }
            XCTAssertEqual(Resources.total, before, contract.title)
        }
    }
}
#endif
