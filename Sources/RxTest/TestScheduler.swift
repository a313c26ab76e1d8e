import Foundation
import Rx

/// A virtual-time scheduler for tests. It creates sequences that send given events at given ticks, and records the tick
/// at which each event arrives.
///
///     let scheduler = TestScheduler(initialClock: 0)
///     let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
///     let result = scheduler.start { source.map { $0 * 10 } }
///     print(result.events)         // [next(10) @ 210, next(20) @ 220, completed @ 230]
///     print(source.subscriptions)  // [(200: 230)]
open class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter> {
    /// The ticks at which `start` acts by default.
    public enum Defaults {
        /// The tick at which the sequence is created.
        public static let created = 100
        /// The tick at which the sequence is subscribed to.
        public static let subscribed = 200
        /// The tick at which the subscription is disposed.
        public static let disposed = 1000
    }

    private let simulatesProcessingDelay: Bool

    /// Creates a scheduler whose clock starts at `initialClock`.
    ///
    /// - Parameters:
    ///   - initialClock: the start time, in ticks.
    ///   - resolution: the duration of a tick in seconds.
    ///   - simulateProcessingDelay: whether work that is scheduled for the current tick or earlier runs at the next
    ///     tick, as if processing took time. It does not affect the virtual-time methods (`scheduleAt`, observables
    ///     with events).
    public init(initialClock: TestTime, resolution: Double = 1.0, simulateProcessingDelay: Bool = true) {
        simulatesProcessingDelay = simulateProcessingDelay
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution),
            ticks: VirtualTicks(tick: { $0 }, time: { $0 }))
    }

    /// Returns the next tick for work that is due at the current tick or earlier, if the scheduler simulates processing
    /// delay.
    open override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        simulatesProcessingDelay && time <= clock ? clock + 1 : time
    }

    /// Creates a sequence that sends its events at the given ticks to the current subscribers.
    public func createHotObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        HotObservable(scheduler: self, recordedEvents: events)
    }

    /// Creates a sequence that sends its events at the given numbers of ticks after each subscription.
    public func createColdObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        ColdObservable(scheduler: self, recordedEvents: events)
    }

    /// Creates an observer that records the events that it receives.
    public func createObserver<Element>(_ type: Element.Type) -> TestableObserver<Element> {
        TestableObserver(scheduler: self)
    }

    /// Runs `action` at `time`.
    public func scheduleAt(_ time: TestTime, action: @escaping () -> Void) {
        _ = scheduleAbsoluteVirtual((), time: time) { _ in
            action()
            return Disposables.create()
        }
    }

    /// Creates a sequence, subscribes to it and disposes the subscription at the given ticks. Runs the scheduler until
    /// no work is pending.
    ///
    /// - Returns: the observer with all recorded events.
    public func start<Element, Source: ObservableConvertibleType>(
        created: TestTime, subscribed: TestTime, disposed: TestTime, create: @escaping () -> Source
    ) -> TestableObserver<Element> where Source.Element == Element {
        let observer = createObserver(Element.self)
        var source: Observable<Element>?
        var subscription: (any Disposable)?
        scheduleAt(created) { source = create().asObservable() }
        scheduleAt(subscribed) { subscription = source?.subscribe(observer) }
        scheduleAt(disposed) { subscription?.dispose() }
        start()
        return observer
    }

    /// Calls `start(created:subscribed:disposed:create:)` with `created` 100 and `subscribed` 200.
    public func start<Element, Source: ObservableConvertibleType>(
        disposed: TestTime, create: @escaping () -> Source
    ) -> TestableObserver<Element> where Source.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: disposed, create: create)
    }

    /// Calls `start(created:subscribed:disposed:create:)` with `created` 100, `subscribed` 200 and `disposed` 1000.
    public func start<Element, Source: ObservableConvertibleType>(
        _ create: @escaping () -> Source
    ) -> TestableObserver<Element> where Source.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: Defaults.disposed, create: create)
    }
}

/// Converts between the integer ticks of a test's clock and seconds.
///
/// A time is rounded to the nearest tick. A time that exceeds the range of an integer becomes the last tick.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType, Sendable {
    /// A time in ticks.
    public typealias VirtualTimeUnit = Int
    /// An interval in ticks.
    public typealias VirtualTimeIntervalUnit = Int

    /// The duration of a tick in seconds.
    let resolution: Double

    /// Returns the date `virtualTime` ticks after 1 January 1970.
    public func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    /// Returns the number of ticks since 1 January 1970, rounded.
    public func convertToVirtualTime(_ time: RxTime) -> Int { convertToVirtualTimeInterval(time.timeIntervalSince1970) }

    /// Returns the duration of `virtualTimeInterval` ticks in seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// Returns the number of ticks in `timeInterval` seconds, rounded.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        let ticks = timeInterval / resolution + 0.5
        return ticks < TimeInterval(Int.max) ? Int(ticks) : .max
    }

    /// Returns the tick `offset` ticks after `time`.
    public func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }

    /// Compares two ticks.
    public func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
