import Foundation
import Rx

/// A virtual-time scheduler for tests: it makes sequences that send given events at given ticks, and records
/// at which tick something arrives.
///
///     let scheduler = TestScheduler(initialClock: 0)
///     let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
///     let result = scheduler.start { source.map { $0 * 10 } }
///     print(result.events)         // [next(10) @ 210, next(20) @ 220, completed @ 230]
///     print(source.subscriptions)  // [(200: 230)]
open class TestScheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter> {
    /// The ticks at which `start` acts, unless told otherwise.
    public enum Defaults {
        /// The sequence is built.
        public static let created = 100
        /// It is subscribed.
        public static let subscribed = 200
        /// The subscription is disposed.
        public static let disposed = 1000
    }

    private let simulatesProcessingDelay: Bool

    /// A scheduler whose clock shows `initialClock`.
    ///
    /// - Parameters:
    ///   - initialClock: the time that it begins with, in ticks.
    ///   - resolution: the seconds that a tick stands for.
    ///   - simulateProcessingDelay: whether work scheduled for the present tick or earlier runs at the next one, as if
    ///     it took time. It does not concern the virtual-time methods (`scheduleAt`, observables with events).
    public init(initialClock: TestTime, resolution: Double = 1.0, simulateProcessingDelay: Bool = true) {
        simulatesProcessingDelay = simulateProcessingDelay
        super.init(
            initialClock: initialClock, converter: TestSchedulerVirtualTimeConverter(resolution: resolution),
            ticks: VirtualTicks(tick: { $0 }, time: { $0 }))
    }

    /// The next tick for what is due now or earlier, if processing takes time.
    open override func adjustScheduledTime(_ time: TestTime) -> TestTime {
        simulatesProcessingDelay && time <= clock ? clock + 1 : time
    }

    /// A sequence that sends its events at the given ticks, to those who are subscribed then.
    public func createHotObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        HotObservable(scheduler: self, recordedEvents: events)
    }

    /// A sequence that sends its events so many ticks after each subscription.
    public func createColdObservable<Element>(_ events: [Recorded<Event<Element>>]) -> TestableObservable<Element> {
        ColdObservable(scheduler: self, recordedEvents: events)
    }

    /// An observer that records what it receives.
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

    /// Builds a sequence, subscribes to it and disposes the subscription at the given ticks, running until nothing
    /// waits any more.
    ///
    /// - Returns: the observer, with all that it has received.
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

    /// As `start(created:subscribed:disposed:create:)`, created at 100 and subscribed at 200.
    public func start<Element, Source: ObservableConvertibleType>(
        disposed: TestTime, create: @escaping () -> Source
    ) -> TestableObserver<Element> where Source.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: disposed, create: create)
    }

    /// As `start(created:subscribed:disposed:create:)`, created at 100, subscribed at 200 and disposed at 1000.
    public func start<Element, Source: ObservableConvertibleType>(
        _ create: @escaping () -> Source
    ) -> TestableObserver<Element> where Source.Element == Element {
        start(created: Defaults.created, subscribed: Defaults.subscribed, disposed: Defaults.disposed, create: create)
    }
}

/// Relates the whole ticks of a test's clock to seconds.
///
/// Times become ticks by rounding to the nearest; those beyond what an integer holds become the last tick.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType, Sendable {
    /// Ticks.
    public typealias VirtualTimeUnit = Int
    /// Ticks.
    public typealias VirtualTimeIntervalUnit = Int

    /// The seconds that a tick stands for.
    let resolution: Double

    /// The date that lies `virtualTime` ticks after 1 January 1970.
    public func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    /// The number of ticks since 1 January 1970, rounded.
    public func convertToVirtualTime(_ time: RxTime) -> Int { convertToVirtualTimeInterval(time.timeIntervalSince1970) }

    /// The seconds that so many ticks stand for.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// The number of ticks in so many seconds, rounded.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        let ticks = timeInterval / resolution + 0.5
        return ticks < TimeInterval(Int.max) ? Int(ticks) : .max
    }

    /// The tick that lies `offset` ticks after `time`.
    public func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }

    /// Which of two ticks comes first.
    public func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
