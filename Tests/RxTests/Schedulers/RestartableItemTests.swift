import Foundation
import Rx
import RxTest
import XCTest

/// Restarted timers in virtual time, compared with a user's scheduler, on which each element starts a timer.
final class RestartableItemTests: XCTestCase {
    /// A user-defined scheduler on top of another one.
    private struct Forwarding: SchedulerType {
        let base: TestScheduler

        var now: RxTime { base.now }

        func schedule<StateType>(
            _ state: StateType, action: @escaping (StateType) -> any Disposable
        ) -> any Disposable { base.schedule(state, action: action) }

        func scheduleRelative<StateType>(
            _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
        ) -> any Disposable { base.scheduleRelative(state, dueTime: dueTime, action: action) }
    }

    private typealias Make = @Sendable (Observable<Int>, any SchedulerType) -> Observable<Int>

    private static let operators: [(String, Make)] = [
        ("debounce 0", { $0.debounce(.seconds(0), scheduler: $1) }),
        ("debounce 2", { $0.debounce(.seconds(2), scheduler: $1) }),
        ("debounce 3 behind observe(on:)", { $0.observe(on: $1).debounce(.seconds(3), scheduler: $1) }),
        ("timeout 3", { $0.timeout(.seconds(3), scheduler: $1) }),
        (
            "timeout 2 within debounce 1",
            { $0.debounce(.seconds(1), scheduler: $1).timeout(.seconds(2), scheduler: $1) }
        ),
        (
            "timeout other",
            { source, scheduler in
                source.timeout(
                    .seconds(2), other: source.map { $0 + 100 }.debounce(.seconds(1), scheduler: scheduler),
                    scheduler: scheduler)
            }
        ),
        (
            "three at once",
            { source, scheduler in
                Observable.merge((1...3).map { source.debounce(.seconds($0), scheduler: scheduler) })
            }
        ),
    ]

    /// The events of `make` with their ticks, and the ticks of each other piece of work of the same scheduler.
    private func trace(
        _ make: Make, of events: [Recorded<Event<Int>>], isForwarded: Bool, processingDelay: Bool, cold: Bool
    ) -> [String] {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: processingDelay)
        var log: [String] = []
        let source =
            cold
            ? scheduler.createColdObservable(events).asObservable()
            : scheduler.createHotObservable(events).asObservable()
        for tick in 1...40 {
            _ = scheduler.scheduleAbsoluteVirtual((), time: tick) { _ in
                log.append("tick \(tick)")
                return Disposables.create()
            }
        }
        let subscription = make(source, isForwarded ? Forwarding(base: scheduler) : scheduler).subscribe {
            log.append("\($0) at \(scheduler.clock)")
        }
        scheduler.advanceTo(15)
        // In the middle of a wait: the description computes the places of restarted timers, and has no side effects.
        log.append(scheduler.debugDescription.isEmpty ? "" : "described")
        scheduler.start()
        subscription.dispose()
        return log
    }

    func testRestartedTimer_keepsThePlaceOfATimerForEachElement() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<300 {
            var tick = 0
            var events: [Recorded<Event<Int>>] = []
            for value in 1...Int.random(in: 1...12, using: &random) {
                tick += [0, 0, 1, 1, 2, 2, 3, 5].randomElement(using: &random)!
                events.append(.next(tick + 1, value))
            }
            if Bool.random(using: &random) { events.append(.completed(tick + Int.random(in: 1...5, using: &random))) }
            let cold = Bool.random(using: &random)
            let delay = Bool.random(using: &random)
            for (name, make) in Self.operators {
                XCTAssertEqual(
                    trace(make, of: events, isForwarded: false, processingDelay: delay, cold: cold),
                    trace(make, of: events, isForwarded: true, processingDelay: delay, cold: cold),
                    "\(name), cold: \(cold), delay: \(delay), \(events), seed \(seed)")
            }
        }
    }

    /// A scheduler whose times are not ticks, so that it has no timers to restart.
    private struct Converter: VirtualTimeConverterType {
        func convertFromVirtualTime(_ time: Double) -> RxTime { RxTime(timeIntervalSince1970: time) }
        func convertToVirtualTime(_ time: RxTime) -> Double { time.timeIntervalSince1970 }
        func convertFromVirtualTimeInterval(_ interval: Double) -> TimeInterval { interval }
        func convertToVirtualTimeInterval(_ interval: TimeInterval) -> Double { interval }
        func offsetVirtualTime(_ time: Double, offset: Double) -> Double { time + offset }
        func compareVirtualTime(_ lhs: Double, _ rhs: Double) -> VirtualTimeComparison {
            lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
        }
    }

    func testDebounce_onASchedulerWhoseTimesAreNoTicks_startsATimerForEachElement() {
        let scheduler = VirtualTimeScheduler(initialClock: 0.0, converter: Converter())
        let source = PublishSubject<Int>()
        var log: [String] = []
        let subscription = source.debounce(.seconds(2), scheduler: scheduler).subscribe(onNext: {
            log.append("\($0)@\(scheduler.clock)")
        })
        for value in 1...3 {
            source.onNext(value)
            scheduler.advanceTo(Double(value))
        }
        scheduler.start()
        subscription.dispose()
        XCTAssertEqual(log, ["3@4.0"])
    }

    func testRestartedTimers_disposedMeanwhile_doNotRun_andLeaveNothing() {
        let before = Resources.total
        do {
            let scheduler = TestScheduler(initialClock: 0)
            let source = PublishSubject<Int>()
            var sent = 0
            let subscriptions = (0..<50).map { _ in
                source.debounce(.seconds(5), scheduler: scheduler).subscribe(onNext: { _ in sent += 1 })
            }
            for value in 1...3 {
                source.onNext(value)
                scheduler.advanceTo(value)
            }
            for (index, subscription) in subscriptions.enumerated() where index % 2 == 0 { subscription.dispose() }
            scheduler.start()
            XCTAssertEqual(sent, 25)
            subscriptions.forEach { $0.dispose() }
        }
        assertResourcesBack(to: before)
    }
}
