import Dispatch
import Synchronization

/// The timers of a scheduler on a dispatch queue. Any number of timers share one dispatch source.
///
/// The source is set for the earliest deadline. It is set again when an earlier deadline is added, and after it has
/// fired. Cancelling a timer does not change the source, so the source may fire once without effect.
///
/// A timer that is due is placed in the scheduler's queue at that moment, after the work that was scheduled before and
/// before the work that is scheduled later. The source's handler runs on `waitingRoom`. It pushes the timer to the
/// lane, or submits a separate block to a queue that other code can use. So timers on a concurrent queue run at the
/// same time.
///
/// The scheduler and each waiting timer own this object.
// @unchecked: the waiting timers are read and changed only while the lock is held.
final class TimerQueue: @unchecked Sendable {
    private struct Waiting {
        var heap = DeadlineHeap()
        var source: (any DispatchSourceTimer)?
        /// The deadline that the source is set for, or `never` if it is not set. It keeps its value until the handler
        /// has set the source again, so that no other code sets it.
        var alarm = never
    }

    /// The deadline of a timer that does not fire.
    static let never = UInt64.max

    /// The queue on which timers wait. No user code runs on it.
    private static let waitingRoom = DispatchQueue(label: "rx.timers")

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var waiting = Waiting()
    private let spare = SpareTimer<TimedItem>()
    private let spareRestartable = SpareTimer<RestartableTimedItem>()
    private let queue: DispatchQueue
    let lane: SerialLane?
    private let leeway: DispatchTimeInterval

    init(queue: DispatchQueue, lane: SerialLane?, leeway: DispatchTimeInterval) {
        self.queue = queue
        self.lane = lane
        self.leeway = leeway
    }

    deinit {
        waiting.source?.cancel()
        waiting.heap.deallocate()
        _ = spare.take()
        _ = spareRestartable.take()
    }

    /// Creates an item for work that runs after `span` has passed, and starts its wait.
    func start<State>(
        _ state: State, after span: RxTimeInterval, action: @escaping (State) -> any Disposable
    ) -> TimedItem {
        let item = spare.take() ?? TimedItem()
        item.takeWork(state, action: action)
        item.start(in: self, after: span)
        return item
    }

    /// Does the same as `start`, for an item that may be restarted.
    func startRestartable<State>(
        _ state: State, after span: RxTimeInterval, action: @escaping (State) -> any Disposable
    ) -> TimedItem {
        let item = spareRestartable.take() ?? RestartableTimedItem()
        item.takeWork(state, action: action)
        item.startRestartable(in: self, after: span)
        return item
    }

    /// Releases an item that has fired, or keeps it for reuse.
    private func done(with item: Unmanaged<TimedItem>) {
        let item = item.takeRetainedValue()
        if type(of: item) == TimedItem.self {
            spare.keep(item)
        } else {
            spareRestartable.keep(unsafeDowncast(item, to: RestartableTimedItem.self))
        }
    }

    /// The current time of the clock for deadlines.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The same time, for use in differences only: the date itself has no meaning.
    static var spanClock: RxTime { RxTime(timeIntervalSinceReferenceDate: Double(now) * 1e-9) }

    /// Returns a span in nanoseconds, limited to `never`.
    static func nanoseconds(_ span: DispatchTimeInterval) -> UInt64 {
        let (count, unit): (Int, UInt64) =
            switch span {
            case .seconds(let count): (count, 1_000_000_000)
            case .milliseconds(let count): (count, 1_000_000)
            case .microseconds(let count): (count, 1_000)
            case .nanoseconds(let count): (count, 1)
            case .never: (.max, .max)
            @unknown default: (.max, .max)
            }
        let (product, overflows) = UInt64(max(0, count)).multipliedReportingOverflow(by: unit)
        return overflows ? never : product
    }

    /// Returns the deadline in the given number of nanoseconds.
    static func deadline(after nanoseconds: UInt64) -> UInt64 {
        let (deadline, overflows) = now.addingReportingOverflow(nanoseconds)
        return overflows ? never : deadline
    }

    /// Returns the deadline after `span`.
    static func deadline(after span: DispatchTimeInterval) -> UInt64 {
        let time = DispatchTime.now() + span
        return time == .distantFuture ? never : time.uptimeNanoseconds
    }

    // The place of a timer is passed by its address, because the heap updates it for every timer that it moves: one
    // store. A property of the two unrelated classes of timers would be a virtual call each time. It is evaluated under
    // the lock: ThreadSanitizer treats forming its address as a modification.

    /// Adds a timer that waits until `deadline`, unless `isCancelled` returns `true` under the lock.
    func add(
        _ timer: DisposeBase, place: @autoclosure () -> UnsafeMutablePointer<Int>, deadline: UInt64,
        unless isCancelled: () -> Bool = { false }
    ) {
        lock.withLock {
            if isCancelled() { return }
            waiting.heap.insert(timer, place: place(), deadline: deadline)
            if deadline < waiting.alarm { setAlarm(at: deadline) }
        }
    }

    /// Removes a timer, if it still waits.
    func remove(place: @autoclosure () -> UnsafeMutablePointer<Int>) {
        lock.withLock {
            let place = place()
            if place.pointee != DeadlineHeap.nowhere { waiting.heap.remove(at: place.pointee) }
        }
    }

    private func setAlarm(at deadline: UInt64) {
        waiting.alarm = deadline
        if deadline == Self.never { return }
        let time = DispatchTime(uptimeNanoseconds: deadline)
        if let source = waiting.source { return source.schedule(deadline: time, leeway: leeway) }
        let source = DispatchSource.makeTimerSource(queue: Self.waitingRoom)
        source.schedule(deadline: time, leeway: leeway)
        source.setEventHandler { [weak self] in self?.fire() }
        source.resume()
        waiting.source = source
    }

    private func fire() {
        let now = Self.now
        while let timer = takeDue(at: now) { handOver(timer) }
    }

    /// Removes and returns the first timer if it is due. Otherwise sets the alarm for the first timer.
    private func takeDue(at now: UInt64) -> Unmanaged<DisposeBase>? {
        lock.withLock {
            while let first = waiting.heap.first, first.deadline <= now {
                waiting.heap.remove(at: 0)
                let moved = first.timer._withUnsafeGuaranteedRef { timer -> UInt64? in
                    guard let item = timer as? RestartableTimedItem, let moved = item.fire(after: first.deadline)
                    else { return nil }
                    waiting.heap.insert(item, place: first.place, deadline: moved)
                    return moved
                }
                // Retained under the lock: a timer that is cancelled at the same time may release itself.
                if moved == nil { return first.timer.retain() }
            }
            setAlarm(at: waiting.heap.first?.deadline ?? Self.never)
            return nil
        }
    }

    /// Submits a timer that is due to the scheduler's queue.
    private func handOver(_ timer: Unmanaged<DisposeBase>) {
        // Checks for the final class, which is one comparison.
        if timer._withUnsafeGuaranteedRef({ $0 is PeriodicItem }) {
            let item = unsafeDowncast(timer.takeRetainedValue(), to: PeriodicItem.self)
            if let lane { return lane.push(item.makeTurn()) }
            return put { item.run() }
        }
        let item = Unmanaged<TimedItem>.fromOpaque(timer.toOpaque())
        if let lane { return lane.push(item.takeRetainedValue()) }
        put { [self] in
            item._withUnsafeGuaranteedRef { $0.run() }
            done(with: item)
        }
    }

    /// Submits a timer that is due to a queue that other code can use.
    private func put(_ timer: @escaping @Sendable () -> Void) {
        if queue === DispatchQueue.main { MainQueue.put(timer) } else { queue.async(execute: timer) }
    }
}

/// An item that has fired and may take other work. One item is sufficient for timers that are set again as they fire.
///
/// Tracing builds keep none: see `SpareItems`.
private struct SpareTimer<Item: TimedItem>: ~Copyable {
    /// The item, which is retained once; `nil` if no item is kept.
    private let kept = Atomic<Unmanaged<Item>?>(nil)

    func take() -> Item? {
        if kept.load(ordering: .relaxed) == nil { return nil }
        // Acquiring: sees what was done with the item.
        return kept.exchange(nil, ordering: .acquiring)?.takeRetainedValue()
    }

    /// Keeps an item if it is empty and no other code references it.
    func keep(_ item: consuming Item) {
        #if !TRACE_RESOURCES
            guard item.isEmpty, isKnownUniquelyReferenced(&item), kept.load(ordering: .relaxed) == nil else { return }
            let item = Unmanaged.passRetained(item)
            // Releasing: the thread that takes the item sees what was done with it.
            let isKept = kept.compareExchange(
                expected: nil, desired: item, successOrdering: .releasing, failureOrdering: .relaxed)
            if !isKept.exchanged { item.release() }
        #endif
    }
}

/// Work that waits for a timer.
///
/// It owns itself until it runs or is disposed.
// @unchecked: same reason as its superclass. `timers` and `me` are written before the wait, and then only by the thread
// that ends the wait. `place` is guarded by the lock of `timers`.
class TimedItem: ScheduledItem, @unchecked Sendable {
    @exclusivity(unchecked) private final var timers: TimerQueue?
    @exclusivity(unchecked) private final var me: TimedItem?
    @exclusivity(unchecked) private final var place = DeadlineHeap.nowhere

    init() { super.init() }

    final func start(in timers: TimerQueue, after dueTime: RxTimeInterval) {
        self.timers = timers
        me = self
        countAsPending(after: dueTime)
        timers.add(self, place: placePointer, deadline: TimerQueue.deadline(after: TimerQueue.nanoseconds(dueTime)))
    }

    final override func stopWaiting() {
        timers?.remove(place: placePointer)
        timers = nil
        me = nil
    }

    /// The address of a stored property of an object, which is stable.
    private final var placePointer: UnsafeMutablePointer<Int> { withUnsafeMutablePointer(to: &place) { $0 } }
}

/// A timer whose wait may start again. A restart moves its deadline. The new deadline is checked when the first
/// deadline is reached.
// @unchecked: same reason as its superclass. `span` is written before the wait.
// A separate class: without these fields, other timers are smaller by one size class of the allocator.
final class RestartableTimedItem: TimedItem, @unchecked Sendable {
    /// The deadline after a restart: 0 if the timer was not restarted, or `fired` after it has fired.
    private let moved = Atomic<UInt64>(0)
    /// The length of the wait in nanoseconds.
    @exclusivity(unchecked) private var span: UInt64 = 0

    private static let fired: UInt64 = 1

    func startRestartable(in timers: TimerQueue, after dueTime: RxTimeInterval) {
        span = TimerQueue.nanoseconds(dueTime)
        // Relaxed, here and below: the threads share only the deadline.
        moved.store(0, ordering: .relaxed)
        start(in: timers, after: dueTime)
    }

    /// Moves the deadline, unless it was already reached.
    override func restart() -> Bool {
        let deadline = TimerQueue.deadline(after: span)
        var seen = moved.load(ordering: .relaxed)
        while seen != Self.fired {
            let result = moved.weakCompareExchange(expected: seen, desired: deadline, ordering: .relaxed)
            if result.exchanged { return true }
            seen = result.original
        }
        return false
    }

    /// Handles a deadline that was reached. Returns `nil` if the timer fires, or the deadline after a restart.
    func fire(after deadline: UInt64) -> UInt64? {
        var seen = moved.load(ordering: .relaxed)
        while true {
            if seen > deadline { return seen }
            let result = moved.weakCompareExchange(expected: seen, desired: Self.fired, ordering: .relaxed)
            if result.exchanged { return nil }
            seen = result.original
        }
    }
}
