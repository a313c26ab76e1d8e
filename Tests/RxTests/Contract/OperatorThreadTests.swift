#if TRACE_RESOURCES
    import Foundation
    import Rx
    import Synchronization
    import XCTest

    /// Every operator may be disposed on a thread other than its source's thread. Each is tested by name.
    final class OperatorThreadTests: XCTestCase {
        /// The progress of the sender, and whether the other thread has arrived.
        private final class Progress: Sendable {
            let sent = Atomic<Int>(0)
            let isReady = Atomic<Bool>(false)
        }

        /// Sends 30 elements while another thread disposes the subscription after `count` of them. Returns the elements
        /// that arrived after both threads had finished.
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
            // `subscribe(on:)` schedules the disposal on its scheduler, and virtual time belongs to one thread: see
            // InFlightEventTests.
            for contract in OperatorContract.all where !contract.name.hasSuffix("subscribe(on:)") {
                let before = Resources.total
                for count in [1, 7, 20] {
                    XCTAssertEqual(race(contract, disposingAfter: count), 0, contract.title)
                }
                assertResourcesBack(to: before, contract.title)
            }
        }

        // MARK: Disposed while the observer is inside an event

        /// Whether another thread can dispose the subscription while its observer is held inside its first value, or,
        /// with `insideEnd`, inside the end; `nil` if that event never arrived.
        private func disposesElsewhere(
            within patience: Double, insideEnd: Bool,
            _ apply: (Observable<Int>, ContractScheduler) -> Observable<String>
        ) -> Bool? {
            let scheduler = ContractScheduler()
            let feed = Feed()
            let place = Box<(any Disposable)?>(nil)
            var returns: Bool?
            place.value = apply(feed.source, scheduler).subscribe { event in
                guard let subscription = place.value, returns == nil, event.isStopEvent == insideEnd else { return }
                let sent = Sent(subscription)
                returns = returnsElsewhere(within: patience) { sent.value.dispose() }
            }
            scheduler.advanceTo(10)
            for value in 1...3 { feed.send(.next(value)) }
            feed.send(.completed)
            scheduler.start()
            awaitStragglers()
            place.value?.dispose()
            return returns
        }

        func testEveryOperator_withItsObserverHeldInsideAnEvent_canBeDisposedOnAnotherThread() {
            var count = 0
            for contract in OperatorContract.all where !contract.name.hasSuffix("subscribe(on:)") {
                for insideEnd in [false, true] {
                    let returns = disposesElsewhere(within: 20, insideEnd: insideEnd, contract.apply)
                    XCTAssertNotEqual(returns, false, "\(contract.title), inside \(insideEnd ? "the end" : "a value")")
                    if returns != nil { count += 1 }
                }
            }
            XCTAssertGreaterThan(count, OperatorContract.all.count, "The events that dispose hardly ever came.")
        }

        /// The twin: an operator that holds a lock while it delivers, and needs the lock to dispose.
        func testOperatorWithALock_withItsObserverHeldInsideAnEvent_isFound() {
            let returns = disposesElsewhere(within: 0.05, insideEnd: false) { source, _ in
                Observable.create { observer in
                    let lock = NSRecursiveLock()
                    let subscription = source.subscribe { event in lock.withLock { observer.on(event.map { "\($0)" }) }
                    }
                    return Disposables.create { lock.withLock { subscription.dispose() } }
                }
            }
            XCTAssertEqual(returns, false)
        }
    }
#endif
