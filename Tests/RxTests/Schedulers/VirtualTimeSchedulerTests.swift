import Foundation
import Rx
import RxTest
import XCTest

final class VirtualTimeSchedulerTests: XCTestCase {
    /// One unit is ten seconds, and less than a unit counts as zero.
    private struct TenSeconds: VirtualTimeConverterType {
        func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
            Date(timeIntervalSince1970: Double(virtualTime) * 10)
        }
        func convertToVirtualTime(_ time: RxTime) -> Int { Int(time.timeIntervalSince1970 / 10) }
        func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
            Double(virtualTimeInterval) * 10
        }
        func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int { Int(timeInterval / 10) }
        func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }
        func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
            lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
        }
    }

    private typealias Scheduler = VirtualTimeScheduler<TenSeconds>

    private var log: [String] = []

    private func makeScheduler() -> Scheduler { Scheduler(initialClock: 0, converter: TenSeconds()) }

    private func at(
        _ time: Int, on scheduler: Scheduler, _ name: String, _ then: @escaping () -> Void = {}
    ) -> any Disposable {
        scheduler.scheduleAbsoluteVirtual((), time: time) { [unowned scheduler] _ in
            self.log.append("\(name)@\(scheduler.clock)")
            then()
            return Disposables.create()
        }
    }

    func testScheduler_counts_asOneResource() {
        let before = (Resources.total, Resources.count(of: .scheduler))
        do {
            let scheduler = makeScheduler()
            XCTAssertEqual(Resources.total, before.0 + 1)
            XCTAssertEqual(Resources.count(of: .scheduler), before.1 + 1)
            _ = at(5, on: scheduler, "never run")
        }
        assertResourcesBack(to: before.0)
        XCTAssertEqual(Resources.count(of: .scheduler), before.1)
    }

    func testStart_withRandomTimes_runsByTimeAndThenByInsertion() {
        var generator = SplitMix(seed: 11)
        let scheduler = makeScheduler()
        let times = (0..<2_000).map { _ in Int.random(in: 0..<50, using: &generator) }
        var order: [Int] = []
        for (index, time) in times.enumerated() {
            _ = scheduler.scheduleAbsoluteVirtual(index, time: time) {
                order.append($0)
                return Disposables.create()
            }
        }
        scheduler.start()
        let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        XCTAssertEqual(order, expected)
        XCTAssertEqual(scheduler.clock, times.max())
    }

    func testStart_withWorkInThePast_runsItWithoutTurningTheClockBack() {
        let scheduler = makeScheduler()
        _ = at(5, on: scheduler, "first") { _ = self.at(2, on: scheduler, "past") }
        scheduler.start()
        XCTAssertEqual(log, ["first@5", "past@5"])
    }

    func testStart_withDisposedWork_neitherRunsItNorMovesTheClock() {
        let before = Resources.total
        do {
            let scheduler = makeScheduler()
            _ = at(1, on: scheduler, "a")
            at(9, on: scheduler, "b").dispose()
            scheduler.start()
            XCTAssertEqual(log, ["a@1"])
            XCTAssertEqual(scheduler.clock, 1)
        }
        assertResourcesBack(to: before)
    }

    func testAdvanceTo_runsWhatIsDueAndThenSetsTheClock() {
        let scheduler = makeScheduler()
        for time in [1, 5, 6] { _ = at(time, on: scheduler, "it") }
        scheduler.advanceTo(5)
        XCTAssertEqual(log, ["it@1", "it@5"])
        scheduler.advanceTo(5)
        XCTAssertEqual(scheduler.clock, 5)
        scheduler.advanceTo(20)
        XCTAssertEqual(log, ["it@1", "it@5", "it@6"])
        XCTAssertEqual(scheduler.clock, 20)
    }

    func testStop_insideAnItem_endsAfterIt() {
        let scheduler = makeScheduler()
        _ = at(1, on: scheduler, "a") { scheduler.stop() }
        _ = at(2, on: scheduler, "b")
        scheduler.start()
        XCTAssertEqual(log, ["a@1"])
        scheduler.start()
        XCTAssertEqual(log, ["a@1", "b@2"])
    }

    func testSleep_movesTheClockWithoutRunning() {
        let scheduler = makeScheduler()
        _ = at(3, on: scheduler, "late")
        scheduler.sleep(10)
        XCTAssertEqual(scheduler.clock, 10)
        XCTAssertEqual(log, [])
        scheduler.start()
        XCTAssertEqual(log, ["late@10"])
    }

    func testRelative_withAConverterThatTruncates_countsWholeUnits() {
        let scheduler = makeScheduler()
        _ = scheduler.scheduleRelative((), dueTime: .seconds(1)) { _ in
            self.log.append("short@\(scheduler.clock)")
            scheduler.sleep(10)
            _ = scheduler.scheduleRelative((), dueTime: .seconds(20)) { _ in
                self.log.append("later@\(scheduler.clock)")
                return Disposables.create()
            }
            _ = scheduler.scheduleRelativeVirtual((), dueTime: 5) { _ in
                self.log.append("virtual@\(scheduler.clock)")
                return Disposables.create()
            }
            return Disposables.create()
        }
        scheduler.start()
        XCTAssertEqual(log, ["short@0", "later@12", "virtual@15"])
    }

    func testQueue_whoseItemsAreDisposedAgainAndAgain_doesNotGrow() {
        let before = Resources.total
        do {
            let scheduler = makeScheduler()
            _ = at(1, on: scheduler, "kept")
            for _ in 0..<10_000 { at(100, on: scheduler, "restarted").dispose() }
            XCTAssertLessThan(Resources.total - before, 100)
            scheduler.start()
            XCTAssertEqual(log, ["kept@1"])
        }
        assertResourcesBack(to: before)
    }

    func testDebugDescription_namesClockAndWaitingTimes() {
        let scheduler = makeScheduler()
        for time in [7, 3] { _ = at(time, on: scheduler, "it") }
        at(5, on: scheduler, "gone").dispose()
        XCTAssertEqual(scheduler.debugDescription, "clock 0, waiting: [3, 7]")
    }

    func testHistorical_runsAtDates() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            XCTAssertEqual(scheduler.clock, Date(timeIntervalSince1970: 0))
            var seen: Date?
            _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1_500)) { _ in
                seen = scheduler.now
                return Disposables.create()
            }
            scheduler.start()
            XCTAssertEqual(seen, Date(timeIntervalSince1970: 1.5))
        }
        assertResourcesBack(to: before)
    }

    // MARK: Whole ticks, dates, and user-defined times

    /// The actions of a random plan: items at random times, also in the past, that schedule or dispose other items.
    private func runPlan<Converter: VirtualTimeConverterType>(
        on scheduler: VirtualTimeScheduler<Converter>, seed: UInt64,
        at time: @escaping (Int) -> Converter.VirtualTimeUnit
    ) -> [Int] {
        var generator = SplitMix(seed: seed)
        var order: [Int] = []
        var handles: [any Disposable] = []
        func add() {
            let number = handles.count
            let due = Int.random(in: -20..<60, using: &generator)
            handles.append(
                scheduler.scheduleAbsoluteVirtual(number, time: time(due)) { number in
                    order.append(number)
                    if number.isMultiple(of: 3), handles.count < 1_500 { add() }
                    if number.isMultiple(of: 5) { handles.randomElement(using: &generator)?.dispose() }
                    return Disposables.create()
                })
        }
        for _ in 0..<1_000 { add() }
        for _ in 0..<300 { handles.randomElement(using: &generator)?.dispose() }
        scheduler.advanceTo(time(30))
        for _ in 0..<100 { add() }
        scheduler.start()
        return order
    }

    func testEveryClock_runsTheSamePlanInTheSameOrder() {
        for seed in UInt64(1)...5 {
            let own = runPlan(on: makeScheduler(), seed: seed) { $0 }
            let ticks = runPlan(on: TestScheduler(initialClock: 0), seed: seed) { $0 }
            // 1 January 2001 is in the middle of the plan: dates count from that day, and are negative before it.
            let dates = runPlan(
                on: HistoricalScheduler(initialClock: Date(timeIntervalSinceReferenceDate: -10)), seed: seed
            ) { Date(timeIntervalSinceReferenceDate: Double($0) / 4 - 10) }
            XCTAssertGreaterThan(own.count, 700, "seed \(seed)")
            XCTAssertEqual(ticks, own, "seed \(seed)")
            XCTAssertEqual(dates, own, "seed \(seed)")
        }
    }

    func testManyItems_ofAnyTimes_runInOrder_andAreReleasedWithASchedulerThatIsStopped() {
        let before = Resources.total
        do {
            var generator = SplitMix(seed: 3)
            let scheduler = TestScheduler(initialClock: .min)
            let times =
                [.max, .min, 0, -1, .max - 1, .min + 1]
                + (0..<1_000).map { _ in Int.random(in: .min ... .max, using: &generator) }
            var ran: [Int] = []
            for time in times {
                _ = scheduler.scheduleAbsoluteVirtual(time, time: time) { [unowned scheduler] in
                    ran.append($0)
                    if ran.count == 600 { scheduler.stop() }
                    return Disposables.create()
                }
            }
            scheduler.start()
            XCTAssertEqual(ran, Array(times.sorted().prefix(600)))
            let waiting = times.sorted().dropFirst(600)
            XCTAssertEqual(scheduler.debugDescription, "clock \(ran[599]), waiting: \(Array(waiting))")
        }
        assertResourcesBack(to: before)
    }

    func testHistorical_takesZeroOfEitherSignForTheSameTime() {
        let scheduler = HistoricalScheduler()
        for (number, seconds) in [0.0, -0.0, 0.0].enumerated() {
            _ = scheduler.scheduleAbsoluteVirtual(number, time: Date(timeIntervalSinceReferenceDate: seconds)) {
                self.log.append("\($0)")
                return Disposables.create()
            }
        }
        scheduler.start()
        XCTAssertEqual(log, ["0", "1", "2"])
    }

    /// Integers, of which the greater one comes first.
    private struct Countdown: VirtualTimeConverterType {
        func convertFromVirtualTime(_ virtualTime: Int) -> RxTime { Date(timeIntervalSince1970: Double(-virtualTime)) }
        func convertToVirtualTime(_ time: RxTime) -> Int { -Int(time.timeIntervalSince1970) }
        func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval { Double(virtualTimeInterval) }
        func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int { Int(timeInterval) }
        func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time - offset }
        func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
            lhs > rhs ? .lessThan : lhs < rhs ? .greaterThan : .equal
        }
    }

    func testConverter_thatCountsDown_isAskedForTheOrder() {
        let scheduler = VirtualTimeScheduler(initialClock: 10, converter: Countdown())
        for time in [3, 9, 5] {
            _ = scheduler.scheduleAbsoluteVirtual(time, time: time) {
                self.log.append("\($0)@\(scheduler.clock)")
                return Disposables.create()
            }
        }
        scheduler.advanceTo(5)
        XCTAssertEqual(log, ["9@9", "5@5"])
        scheduler.start()
        XCTAssertEqual(log, ["9@9", "5@5", "3@3"])
    }

    // MARK: States

    private protocol Named { var name: String { get } }
    private struct Value: Named { var name = "value" }
    private final class Object: Named { let name = "object" }

    func testState_ofAnyKind_reachesTheActionAsItIs() {
        let scheduler = HistoricalScheduler()
        func add<State>(_ state: State, _ action: @escaping (State) -> String) {
            _ = scheduler.schedule(state) {
                self.log.append(action($0))
                return Disposables.create()
            }
        }
        add(Value() as any Named) { $0.name }
        add(Object() as any Named) { $0.name }
        add(Optional<any Named>.some(Object())) { $0?.name ?? "none" }
        add(Optional<Int>.none) { "\($0 as Any)" }
        add((1, "two", [3.0], 4, 5)) { "\($0)" }
        add({ (number: Int) in number + 1 }) { "\($0(6))" }
        add(5 as Any) { "\($0)" }
        add(SIMD2(1.5, 2.5)) { "\($0.sum())" }
        add(()) { _ in "void" }
        add(Object.self as any Named.Type) { "\($0 == Object.self)" }
        scheduler.start()
        XCTAssertEqual(
            log, ["value", "object", "object", "nil", #"(1, "two", [3.0], 4, 5)"#, "7", "5", "4.0", "void", "true"])
    }

    func testState_largeOrSmall_isReleasedWithTheItemThatIsDisposed() {
        final class Token {}
        let scheduler = HistoricalScheduler()
        weak var small: Token?
        weak var large: Token?
        var items: [any Disposable] = []
        do {
            let (first, second) = (Token(), Token())
            (small, large) = (first, second)
            items.append(scheduler.schedule(first) { _ in Disposables.create() })
            items.append(scheduler.schedule((second, 1, 2, 3, 4)) { _ in Disposables.create() })
        }
        XCTAssertNotNil(small)
        XCTAssertNotNil(large)
        for item in items { item.dispose() }
        XCTAssertNil(small)
        XCTAssertNil(large)
        withExtendedLifetime(items) {}
    }

    func testWork_thatNeverRuns_isReleasedWithItsScheduler() {
        final class Token {}
        weak var small: Token?
        weak var large: Token?
        weak var captured: Token?
        do {
            let scheduler = HistoricalScheduler()
            let (first, second, third) = (Token(), Token(), Token())
            (small, large, captured) = (first, second, third)
            _ = scheduler.schedule(first) { _ in Disposables.create() }
            _ = scheduler.schedule((second, 1, 2, 3, 4)) { _ in Disposables.create { withExtendedLifetime(third) {} } }
        }
        XCTAssertNil(small)
        XCTAssertNil(large)
        XCTAssertNil(captured)
    }

    func testResult_ofAnyKind_isDisposedOnceWithItsItem_orReleasedWithIt() {
        final class Token {}
        struct Wide: Disposable, @unchecked Sendable {
            let words = (1, 2, 3, 4)
            let token: Token
            let disposed: () -> Void
            func dispose() { disposed() }
        }
        struct Narrow: Disposable, @unchecked Sendable {
            let disposed: () -> Void
            func dispose() { disposed() }
        }
        let scheduler = HistoricalScheduler()
        weak var kept: Token?
        var items: [any Disposable] = []
        do {
            let token = Token()
            kept = token
            let note = { (name: String) in { self.log.append(name) } }
            items.append(scheduler.schedule(1) { _ in Wide(token: token, disposed: note("wide")) })
            items.append(scheduler.schedule(2) { _ in Narrow(disposed: note("narrow")) })
            items.append(scheduler.schedule(3) { _ in Disposables.create(with: note("object")) })
            items.append(scheduler.schedule(4) { _ in Wide(token: token, disposed: note("never")) })
        }
        scheduler.start()
        XCTAssertNotNil(kept)
        for item in items.prefix(3) + items.prefix(3) { item.dispose() }
        XCTAssertEqual(log, ["wide", "narrow", "object"])
        items = []
        XCTAssertNil(kept)
    }
}
