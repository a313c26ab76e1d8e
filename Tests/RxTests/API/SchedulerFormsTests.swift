import Foundation
import Rx
import RxBlocking
import XCTest

/// Calls every public name of schedulers in the form that users write.
final class SchedulerFormsTests: XCTestCase {
    /// A user-defined scheduler: it has the periodic form and recursion by default.
    private struct Inline: SchedulerType {
        var now: RxTime { Date(timeIntervalSince1970: 0) }

        func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable
        { action(state) }

        func scheduleRelative<StateType>(
            _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
        ) -> any Disposable { action(state) }
    }

    /// A user-defined converter: one unit is ten seconds.
    private struct TenSeconds: VirtualTimeConverterType {
        typealias VirtualTimeUnit = Int
        typealias VirtualTimeIntervalUnit = Int

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

    private final class Stepping: VirtualTimeScheduler<TenSeconds> {
        init() { super.init(initialClock: 0, converter: TenSeconds()) }

        override func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime { time + 1 }
    }

    func testSchedulersOfOnesOwn() throws {
        let immediate: any ImmediateSchedulerType = Inline()
        var seen: [Int] = []
        _ = immediate.schedule(7) { value in
            seen.append(value)
            return Disposables.create()
        }
        _ = immediate.scheduleRecursive(2) { value, recurse in
            seen.append(value)
            if value > 0 { recurse(value - 1) }
        }
        XCTAssertEqual(seen, [7, 2, 1, 0])
        XCTAssertEqual(try Observable.of(1, 2, scheduler: Inline()).toBlocking().toArray(), [1, 2])
        let virtual = HistoricalScheduler()
        var ticks: [Int] = []
        let series = virtual.schedulePeriodic(0, startAfter: .seconds(1), period: .seconds(2)) { tick in
            ticks.append(tick)
            return tick + 1
        }
        virtual.advanceTo(Date(timeIntervalSince1970: 5))
        series.dispose()
        XCTAssertEqual(ticks, [0, 1, 2])
    }

    func testMainSchedulers() {
        let schedulers: [any SchedulerType] = [
            MainScheduler.instance, MainScheduler(), MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
        ]
        XCTAssertEqual(schedulers.count, 4)
        let serial: SerialDispatchQueueScheduler = MainScheduler.asyncInstance
        XCTAssertLessThan(abs(serial.now.timeIntervalSinceNow), 60)
        MainScheduler.ensureExecutingOnScheduler()
        MainScheduler.ensureExecutingOnScheduler(errorMessage: "Elsewhere.")
        MainScheduler.ensureRunningOnMainThread()
        MainScheduler.ensureRunningOnMainThread(errorMessage: "Elsewhere.")
    }

    func testCurrentThreadScheduler() {
        XCTAssertTrue(CurrentThreadScheduler.isScheduleRequired)
        _ = CurrentThreadScheduler.instance.schedule(()) { _ in
            XCTAssertFalse(CurrentThreadScheduler.isScheduleRequired)
            return Disposables.create()
        }
    }

    func testQueueSchedulers() throws {
        let queue = DispatchQueue(label: "api")
        let schedulers: [any ImmediateSchedulerType] = [
            SerialDispatchQueueScheduler(internalSerialQueueName: "api"),
            SerialDispatchQueueScheduler(
                internalSerialQueueName: "api", serialQueueConfiguration: { $0.setTarget(queue: queue) },
                leeway: .nanoseconds(0)),
            SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "api"),
            SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "api", leeway: .milliseconds(1)),
            SerialDispatchQueueScheduler(qos: .background),
            SerialDispatchQueueScheduler(qos: .userInitiated, internalSerialQueueName: "api", leeway: .milliseconds(1)),
            ConcurrentDispatchQueueScheduler(queue: queue),
            ConcurrentDispatchQueueScheduler(queue: queue, leeway: .milliseconds(1)),
            ConcurrentDispatchQueueScheduler(qos: .default),
            ConcurrentDispatchQueueScheduler(qos: .default, leeway: .milliseconds(1)),
            OperationQueueScheduler(operationQueue: OperationQueue()),
            OperationQueueScheduler(operationQueue: OperationQueue(), queuePriority: .high),
        ]
        for scheduler in schedulers {
            XCTAssertEqual(try Observable.of(1, 2).observe(on: scheduler).toBlocking(timeout: 30).toArray(), [1, 2])
        }
        let operations = OperationQueueScheduler(operationQueue: .main)
        XCTAssertTrue(operations.operationQueue === OperationQueue.main)
        XCTAssertEqual(operations.queuePriority, .normal)
    }

    func testVirtualTime() {
        let scheduler = Stepping()
        var seen: [Int] = []
        func note(_ value: Int) -> any Disposable {
            seen.append(value)
            return Disposables.create()
        }
        let clock: Stepping.VirtualTime = scheduler.clock
        let span: Stepping.VirtualTimeInterval = 2
        XCTAssertEqual(clock, 0)
        _ = scheduler.scheduleRelativeVirtual(2, dueTime: span, action: note)
        _ = scheduler.scheduleAbsoluteVirtual(1, time: 1, action: note)
        _ = scheduler.scheduleRelative(5, dueTime: .seconds(40), action: note)
        _ = scheduler.schedule(0) { _ in note(0) }
        XCTAssertEqual(scheduler.debugDescription, "clock 0, waiting: [1, 1, 2, 5]")
        scheduler.advanceTo(1)
        XCTAssertEqual(seen, [1, 0])
        scheduler.sleep(1)
        scheduler.start()
        scheduler.stop()
        XCTAssertEqual(seen, [1, 0, 2, 5])
        XCTAssertEqual(scheduler.now, Date(timeIntervalSince1970: 50))
    }

    func testHistoricalScheduler() {
        XCTAssertEqual(HistoricalScheduler().now, Date(timeIntervalSince1970: 0))
        let start = Date(timeIntervalSince1970: 1_000)
        let scheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter> = HistoricalScheduler(initialClock: start)
        XCTAssertEqual(scheduler.clock, start)
    }
}
