import Rx
import RxTest
import XCTest

/// The guarantees of every operator, tested by name.
final class OperatorContractTests: XCTestCase {
    /// The observations of one run in virtual time.
    private struct Run {
        let events: [Recorded<Event<String>>]
        let subscriptions: [Subscription]
        /// The tick at which the last of the operator's other sources was released.
        let othersEnd: TestTime

        var stops: [Recorded<Event<String>>] { events.filter { $0.value.isStopEvent } }
        var values: String { events.compactMap { $0.value.element }.joined(separator: " ") }
    }

    private func run(_ apply: @escaping OperatorContract.Apply, end: Event<Int>, disposed: TestTime = 1000) -> Run {
        let ended = Recorded(time: 240, value: end)
        return run(apply, [.next(210, 1), .next(220, 2), .next(230, 3), ended], disposed: disposed)
    }

    private func run(
        _ apply: @escaping OperatorContract.Apply, _ events: [Recorded<Event<Int>>], disposed: TestTime = 1000
    ) -> Run {
        let scheduler = ContractScheduler(recordsOthers: true)
        let source = scheduler.createHotObservable(events)
        let result = scheduler.start(disposed: disposed) { apply(source.asObservable(), scheduler) }
        return Run(events: result.events, subscriptions: source.subscriptions, othersEnd: scheduler.takeOthersEnd())
    }

    private func check(_ run: Run, _ expected: OperatorContract.Outcome, _ title: String) {
        let last = run.events.last
        switch expected.end {
        case .none: XCTAssertTrue(run.stops.isEmpty, "\(title) sent \(run.stops)")
        case .completed: XCTAssertEqual(last?.value.isCompleted, true, "\(title) sent \(run.events)")
        case .failed: XCTAssertNotNil(last?.value.error, "\(title) sent \(run.events)")
        }
        if expected.end != .none { XCTAssertEqual(last?.time, expected.tick, "\(title) sent \(run.events)") }
        XCTAssertLessThanOrEqual(run.stops.count, 1, "\(title) sent \(run.events)")
        XCTAssertEqual(run.subscriptions, expected.subscriptions, title)
        if expected.end != .none {
            XCTAssertLessThanOrEqual(run.othersEnd, expected.tick, "\(title) keeps another source")
        }
    }

    func testEveryOperator_atAnErrorOfItsSource_endsAsDeclared() {
        for contract in OperatorContract.all {
            check(run(contract.apply, end: .error(Planted.other)), contract.onError, contract.title)
        }
    }

    func testEveryOperator_atCompletion_hasSentItsValuesAndEndsAsDeclared() {
        for contract in OperatorContract.all {
            let run = run(contract.apply, end: .completed)
            check(run, contract.onCompletion, contract.title)
            XCTAssertEqual(run.values, contract.values, contract.title)
        }
    }

    func testEveryOperator_disposedMidway_sendsNothingMoreAndLetsGoOfItsSource() {
        for contract in OperatorContract.all {
            let run = run(contract.apply, end: .completed, disposed: 225)
            XCTAssertEqual(run.subscriptions, contract.subscriptionsWhenDisposed, contract.title)
            XCTAssertTrue(run.events.allSatisfy { $0.time < 225 }, "\(contract.title) sent \(run.events)")
            XCTAssertLessThanOrEqual(run.othersEnd, 225, "\(contract.title) keeps another source")
        }
    }

    func testEveryOperator_ofSourceThatGoesOnAfterItsEnd_endsOnceAndSendsNothingMore() {
        let rest: [Recorded<Event<Int>>] = [.next(230, 2), .completed(240), .error(250, Planted.fault), .next(260, 3)]
        for contract in OperatorContract.all {
            for end in [Recorded<Event<Int>>.completed(220), .error(220, Planted.other)] {
                let run = run(contract.apply, [.next(210, 1), end] + rest)
                XCTAssertLessThanOrEqual(run.stops.count, 1, "\(contract.title) sent \(run.events)")
                if !run.stops.isEmpty {
                    XCTAssertTrue(run.events.last!.value.isStopEvent, "\(contract.title) sent \(run.events)")
                }
            }
        }
    }

    func testEveryOperator_whoseClosureThrows_failsAtThatTickAndLetsGoOfItsSource() {
        for contract in OperatorContract.all {
            for closure in contract.closures {
                let title = "\(contract.title), \(closure.name)"
                let run = run(closure.apply, end: closure.sourceFails ? .error(Planted.other) : .completed)
                XCTAssertEqual(run.stops.map { "\($0)" }, ["error(fault) @ \(closure.tick)"], title)
                XCTAssertEqual(run.events.last?.value.isStopEvent, true, title)
                XCTAssertEqual(run.subscriptions, closure.subscribes ? [Subscription(200, closure.tick)] : [], title)
                XCTAssertLessThanOrEqual(run.othersEnd, closure.tick, "\(title) keeps another source")
            }
        }
    }

    // MARK: From inside a delivery

    /// Applies an operator to a feed, calls `receive` for each event, sends 1, 2, 3 and `end`, and lets all virtual
    /// time pass.
    ///
    /// `receive` gets the subscription once `subscribe` has returned.
    private func run(
        _ contract: OperatorContract, end: Event<Int>,
        _ receive: @escaping (Event<String>, Feed, (any Disposable)?) -> Void
    ) -> (events: [Event<String>], isInUse: Bool) {
        let scheduler = ContractScheduler()
        let feed = Feed()
        var subscription: (any Disposable)?
        var events: [Event<String>] = []
        subscription = contract.apply(feed.source, scheduler).subscribe { event in
            events.append(event)
            receive(event, feed, subscription)
        }
        // Advances the time, so that operators that wait have begun.
        scheduler.advanceTo(10)
        for value in 1...3 { feed.send(.next(value)) }
        feed.send(end)
        scheduler.start()
        let isInUse = feed.isInUse
        subscription?.dispose()
        scheduler.start()
        return (events, isInUse)
    }

    private func checkGrammar(_ events: [Event<String>], _ title: String) {
        let stops = events.filter(\.isStopEvent)
        XCTAssertLessThanOrEqual(stops.count, 1, "\(title) sent \(events)")
        if !stops.isEmpty { XCTAssertTrue(events.last!.isStopEvent, "\(title) sent \(events)") }
    }

    func testEveryOperator_disposedFromInsideItsFirstElement_sendsNothingMoreAndLetsGoOfItsSource() {
        for contract in OperatorContract.all {
            var isDisposed = false
            var late: [Event<String>] = []
            let (_, isInUse) = run(contract, end: .completed) { event, _, subscription in
                if isDisposed { late.append(event) }
                subscription?.dispose()
                isDisposed = subscription != nil
            }
            XCTAssertTrue(late.isEmpty, "\(contract.title) sent \(late)")
            if isDisposed { XCTAssertFalse(isInUse, contract.title) }
        }
    }

    func testEveryOperator_ofSynchronousSourceDisposedFromInside_sendsNothingMore() {
        for contract in OperatorContract.all {
            let scheduler = ContractScheduler()
            var subscription: (any Disposable)?
            var isDisposed = false
            var late: [Event<String>] = []
            // Runs inside the trampoline, so that the source sends after its subscription is known.
            _ = CurrentThreadScheduler.instance.schedule(()) { _ in
                subscription = contract.apply(.of(1, 2, 3), scheduler).subscribe { event in
                    if isDisposed { late.append(event) }
                    subscription?.dispose()
                    isDisposed = subscription != nil
                }
                return Disposables.create()
            }
            scheduler.start()
            XCTAssertTrue(late.isEmpty, "\(contract.title) sent \(late)")
            subscription?.dispose()
        }
    }

    func testEveryOperator_whoseSubscriberSendsIntoItsSource_goesOn() {
        for contract in OperatorContract.all {
            for end in [Event<Int>.completed, .error(Planted.other)] {
                let events = within(seconds: 20, contract.title) {
                    var sent = 0
                    return self.run(contract, end: end) { event, feed, _ in
                        guard !event.isStopEvent, sent < 5 else { return }
                        sent += 1
                        feed.send(.next(10 + sent))
                    }.events
                }
                checkGrammar(events ?? [], contract.title)
            }
        }
    }

    func testEveryOperator_whoseSubscriberEndsItsSource_endsOnceAndLetsGoOfIt() {
        for contract in OperatorContract.all {
            for end in [Event<Int>.completed, .error(Planted.other)] {
                let result = within(seconds: 20, contract.title) {
                    self.run(contract, end: .completed) { event, feed, _ in
                        if !event.isStopEvent { feed.send(end) }
                    }
                }
                checkGrammar(result?.events ?? [], contract.title)
                XCTAssertEqual(result?.isInUse, false, contract.title)
            }
        }
    }

    /// Returns the result of `body`, or records a failure that names the operator if `body` does not return.
    private func within<Result>(seconds: Double, _ title: String, _ body: @escaping () -> Result) -> Result? {
        let result = Awaited(body)
        guard result.waits(seconds: seconds) else {
            XCTFail("\(title) did not return.")
            return nil
        }
        return result.value
    }
}

/// A source that may fail, after which it may be subscribed to again.
struct Feed {
    private let events = PublishSubject<Event<Int>>()

    var source: Observable<Int> { events.dematerialize() }
    var isInUse: Bool { events.hasObservers }

    func send(_ event: Event<Int>) { events.onNext(event) }
}

/// A closure that runs on a separate thread.
// @unchecked: the semaphore orders the two threads.
private final class Awaited<Value>: @unchecked Sendable {
    private let body: () -> Value
    private let done = DispatchSemaphore(value: 0)
    private(set) var value: Value?

    init(_ body: @escaping () -> Value) {
        self.body = body
        let thread = Thread { [self] in
            value = self.body()
            done.signal()
        }
        thread.start()
    }

    func waits(seconds: Double) -> Bool { done.wait(timeout: .now() + seconds) == .success }
}
