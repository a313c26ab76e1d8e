import Dispatch
import Synchronization

/// The timers of a scheduler on a dispatch queue: any number of them wait with one dispatch source.
///
/// The source is set for the earliest deadline. It is set anew when an earlier one comes, and when it has fired; a
/// timer that is cancelled leaves it as it is, so that it may fire for nothing, once.
///
/// A timer that is due takes its place in the scheduler's queue at that moment, behind what was scheduled before and
/// ahead of what is scheduled later: the source's handler, on `waitingRoom`, pushes it to the lane, or puts a block of
/// its own on a queue that others know. So timers on a concurrent queue run at the same time.
///
/// Kept by the scheduler and by each timer that waits.
// @unchecked: what waits is read and changed only while the lock is held.
final class TimerQueue: @unchecked Sendable {
    private struct Waiting {
        var heap = DeadlineHeap()
        var source: (any DispatchSourceTimer)?
        /// The deadline that the source is set for; `never` if it is not. Until its handler has set it anew it stays as
        /// it was, so that nobody else does.
        var alarm = never
    }

    /// The deadline of a timer that does not fire.
    static let never = UInt64.max

    /// Where timers wait. No user code runs here.
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

    /// Makes an item for work that runs once `span` has passed, and lets it wait.
    func start<State>(
        _ state: State, after span: RxTimeInterval, action: @escaping (State) -> any Disposable
    ) -> TimedItem {
        let item = spare.take() ?? TimedItem()
        item.takeWork(state, action: action)
        item.start(in: self, after: span)
        return item
    }

    /// As `start`, for an item that may be restarted.
    func startRestartable<State>(
        _ state: State, after span: RxTimeInterval, action: @escaping (State) -> any Disposable
    ) -> TimedItem {
        let item = spareRestartable.take() ?? RestartableTimedItem()
        item.takeWork(state, action: action)
        item.startRestartable(in: self, after: span)
        return item
    }

    /// Lets go of an item that has fired, or keeps it.
    private func done(with item: Unmanaged<TimedItem>) {
        let item = item.takeRetainedValue()
        if type(of: item) == TimedItem.self {
            spare.keep(item)
        } else {
            spareRestartable.keep(unsafeDowncast(item, to: RestartableTimedItem.self))
        }
    }

    /// The time on the clock of deadlines.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The same time, for differences alone: the date means nothing.
    static var spanClock: RxTime { RxTime(timeIntervalSinceReferenceDate: Double(now) * 1e-9) }

    /// A span in nanoseconds, no more than `never`.
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

    /// The deadline that lies so many nanoseconds ahead.
    static func deadline(after nanoseconds: UInt64) -> UInt64 {
        let (deadline, overflows) = now.addingReportingOverflow(nanoseconds)
        return overflows ? never : deadline
    }

    /// The deadline that lies `span` ahead.
    static func deadline(after span: DispatchTimeInterval) -> UInt64 {
        let time = DispatchTime.now() + span
        return time == .distantFuture ? never : time.uptimeNanoseconds
    }

    // The place is asked for under the lock: to form its address is a change of it, for ThreadSanitizer.

    /// Lets a timer wait until `deadline`, unless `isCancelled`, which is asked under the lock.
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

    /// Lets a timer wait no longer, if it still does.
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

    /// Takes the first timer out if it is due; if none is, sets the alarm for it.
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
                // Under the lock: one that is cancelled meanwhile may let go of itself.
                if moved == nil { return first.timer.retain() }
            }
            setAlarm(at: waiting.heap.first?.deadline ?? Self.never)
            return nil
        }
    }

    /// Puts a timer that is due on the scheduler's queue.
    private func handOver(_ timer: Unmanaged<DisposeBase>) {
        // Asked for the final class, which is one comparison.
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

    /// Puts a timer that is due on a queue that others know.
    private func put(_ timer: @escaping @Sendable () -> Void) {
        if queue === DispatchQueue.main { MainQueue.put(timer) } else { queue.async(execute: timer) }
    }
}

/// An item that has fired and may take other work. One is enough for timers that are armed again as they fire.
///
/// Builds that trace keep none: see `SpareItems`.
private struct SpareTimer<Item: TimedItem>: ~Copyable {
    /// The address of the item, which is retained once; 0 if there is none.
    private let address = Atomic<UInt>(0)

    func take() -> Item? {
        if address.load(ordering: .relaxed) == 0 { return nil }
        // Acquiring: sees what was done with it.
        return UnsafeRawPointer(bitPattern: address.exchange(0, ordering: .acquiring)).map {
            Unmanaged<Item>.fromOpaque($0).takeRetainedValue()
        }
    }

    /// Keeps an item, if nothing is in it and nobody else knows it.
    func keep(_ item: consuming Item) {
        #if !TRACE_RESOURCES
            guard item.isEmpty, isKnownUniquelyReferenced(&item), address.load(ordering: .relaxed) == 0 else { return }
            let kept = Unmanaged.passRetained(item)
            // Releasing: who takes it sees what was done with it.
            let isKept = address.compareExchange(
                expected: 0, desired: UInt(bitPattern: kept.toOpaque()), successOrdering: .releasing,
                failureOrdering: .relaxed)
            if !isKept.exchanged { kept.release() }
        #endif
    }
}

/// Work that waits for a timer.
///
/// It keeps itself until it runs or is disposed.
// @unchecked: as its superclass; `timers` and `me` are written before it waits, and then by the one that ends that;
// `place` is guarded by the lock of `timers`.
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

    /// The address of a stored property of an object, which stays.
    private final var placePointer: UnsafeMutablePointer<Int> { withUnsafeMutablePointer(to: &place) { $0 } }
}

/// A timer whose wait may begin again: a restart moves its deadline, which is looked at when the first one has come.
// @unchecked: as its superclass; `span` is written before it waits.
// A class of its own, as other timers are smaller by a size of the allocator without these fields.
final class RestartableTimedItem: TimedItem, @unchecked Sendable {
    /// The deadline that it was moved to; 0 if it was not, `fired` once its time has come.
    private let moved = Atomic<UInt64>(0)
    /// How many nanoseconds it waits.
    @exclusivity(unchecked) private var span: UInt64 = 0

    private static let fired: UInt64 = 1

    func startRestartable(in timers: TimerQueue, after dueTime: RxTimeInterval) {
        span = TimerQueue.nanoseconds(dueTime)
        // Relaxed, here and below: a deadline is all that is shared.
        moved.store(0, ordering: .relaxed)
        start(in: timers, after: dueTime)
    }

    /// Moves the deadline, unless it has come.
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

    /// The deadline has come: `nil` if the timer fires, else the deadline that it was moved to.
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
