#if TRACE_RESOURCES
    import Rx
    import RxTest
    import XCTest

    /// Every operator releases all objects that it holds. Each is tested by name.
    final class OperatorReleaseTests: XCTestCase {
        /// The way in which a run ends.
        private enum Way { case completed, failed, disposed, disposedInside }

        /// Applies an operator to a feed and ends the run. Sequences that have ended by themselves are not
        /// disposed.
        private func run(_ apply: OperatorContract.Apply, _ way: Way) {
            let scheduler = ContractScheduler()
            let feed = Feed()
            let place = SingleAssignmentDisposable()
            var hasEnded = false
            let subscription = apply(feed.source, scheduler).subscribe { event in
                if event.isStopEvent { hasEnded = true } else if way == .disposedInside { place.dispose() }
            }
            if way == .disposedInside { place.setDisposable(subscription) }
            scheduler.advanceTo(10)
            for value in 1...3 { feed.send(.next(value)) }
            switch way {
            case .completed: feed.send(.completed)
            case .failed: feed.send(.error(Planted.other))
            case .disposed, .disposedInside: subscription.dispose()
            }
            scheduler.start()
            if !hasEnded { subscription.dispose() }
            scheduler.start()
        }

        private func checkRelease(_ apply: OperatorContract.Apply, _ way: Way, _ title: @autoclosure () -> String) {
            let before = Resources.total
            run(apply, way)
            let after = Resources.total
            XCTAssertEqual(after, before, "\(title()) leaves \(after - before) resources")
        }

        override func setUp() {
            // Makes the objects that exist once for the process.
            for contract in OperatorContract.all { run(contract.apply, .completed) }
        }

        func testEveryOperator_onceCompleted_releasesEverything() {
            for contract in OperatorContract.all { checkRelease(contract.apply, .completed, contract.title) }
        }

        func testEveryOperator_onceFailed_releasesEverything() {
            for contract in OperatorContract.all { checkRelease(contract.apply, .failed, contract.title) }
        }

        func testEveryOperator_onceDisposed_releasesEverything() {
            for contract in OperatorContract.all { checkRelease(contract.apply, .disposed, contract.title) }
        }

        func testEveryOperator_disposedFromInside_releasesEverything() {
            for contract in OperatorContract.all { checkRelease(contract.apply, .disposedInside, contract.title) }
        }

        func testEveryOperator_whoseClosureThrew_releasesEverything() {
            for contract in OperatorContract.all {
                for closure in contract.closures {
                    checkRelease(
                        closure.apply, closure.sourceFails ? .failed : .completed, "\(contract.title), \(closure.name)")
                }
            }
        }

        func testEveryOperator_onceDisposed_leavesNothingThatWaitsForItsScheduler() {
            for contract in OperatorContract.all where !contract.name.hasSuffix("subscribe(on:)") {
                let scheduler = ContractScheduler()
                let feed = Feed()
                let sequence = contract.apply(feed.source, scheduler)
                let before = Resources.count(of: .sink)
                let subscription = sequence.subscribe { _ in }
                scheduler.advanceTo(10)
                for value in 1...3 { feed.send(.next(value)) }
                subscription.dispose()
                XCTAssertEqual(Resources.count(of: .sink), before, contract.title)
                withExtendedLifetime(sequence) {}
            }
        }

        func testEveryOperator_assembledAndNotSubscribed_releasesEverything() {
            for contract in OperatorContract.all {
                let before = Resources.total
                do {
                    let scheduler = ContractScheduler()
                    _ = contract.apply(.never(), scheduler)
                    scheduler.start()
                }
                assertResourcesBack(to: before, contract.title)
            }
        }

        func testReleaseCheck_ofOperatorThatLeaks_noticesIt() {
            let before = Resources.total
            var leaked: [BooleanDisposable] = []
            run(
                { source, _ in
                    leaked.append(BooleanDisposable())
                    return source.map { "\($0)" }
                }, .completed)
            XCTAssertEqual(Resources.total, before + 1)
            leaked = []
            assertResourcesBack(to: before)
        }
    }
#endif
