/// The waiting items of a virtual-time scheduler and its clock.
///
/// Items run in the order of their times. Items of the same time run in the order of insertion.
class VirtualTimeQueue<Time> {
    /// Whether items are running. If it is set to `false`, the run ends after the current item.
    @exclusivity(unchecked) final var isRunning = false
    /// Spare items. Their number is at most the largest number of items that waited at the same time.
    @exclusivity(unchecked) private final var spares = SpareItems()
    @exclusivity(unchecked) fileprivate final var spareRestartables = SpareItems()

    deinit {
        spares.removeAll()
        spareRestartables.removeAll()
    }

    @inline(__always)
    final func makeItem<State>(_ state: State, action: @escaping (State) -> any Disposable) -> ScheduledItem {
        let item = spares.take() ?? ScheduledItem()
        item.takeWork(state, action: action)
        return item
    }

    @inline(__always)
    final func run(_ item: consuming ScheduledItem) {
        item.run()
        if item.isRestartable {
            spareRestartables.keep(item)
        } else {
            spares.keep(item)
        }
    }

    var clock: Time {
        get { fatalError("A queue of virtual time overrides clock.") }
        set { fatalError("A queue of virtual time overrides clock.") }
    }

    /// Adds an item that is due at `time`.
    func insert(_ item: ScheduledItem, at time: Time) { fatalError("A queue of virtual time overrides insert.") }

    /// Returns an item that can take work and be inserted, and that waits for `seconds` after a restart. Returns `nil`
    /// if the queue has no such items.
    func makeRestartableItem(after seconds: Double) -> RestartableItem? { nil }

    /// Returns the tick of the time that `compute` returns while the clock shows `tick`. For queues that count in
    /// ticks.
    func tick(of compute: () -> Time, whenShowing tick: Int) -> Int {
        fatalError("A queue that counts in ticks overrides tick(of:whenShowing:).")
    }

    /// Runs the waiting items, and items that are added in the meantime.
    func run() { fatalError("A queue of virtual time overrides run().") }

    /// Runs items that are due up to and including `limit`.
    func run(until limit: Time) { fatalError("A queue of virtual time overrides run(until:).") }

    /// The times of the waiting items, in order.
    var times: [Time] { fatalError("A queue of virtual time overrides times.") }
}

/// Maps points in virtual time to integers in the same order. Equal points have the same tick.
package struct VirtualTicks<Time> {
    let tick: (Time) -> Int
    let time: (Int) -> Time

    package init(tick: @escaping (Time) -> Int, time: @escaping (Int) -> Time) {
        self.tick = tick
        self.time = time
    }
}

/// A queue that counts in integers, and converts times on input and output.
final class TickQueue<Time>: VirtualTimeQueue<Time> {
    private let ticks: VirtualTicks<Time>
    private let heap = TimeHeap(order: IntegerOrder())

    init(clock: Time, ticks: VirtualTicks<Time>) {
        self.ticks = ticks
        heap.now = ticks.tick(clock)
        super.init()
    }

    /// The scheduler that owns this queue.
    var scheduler: (any RestartedTimers)? {
        get { heap.scheduler }
        set { heap.scheduler = newValue }
    }

    override var clock: Time {
        get { ticks.time(heap.now) }
        set { heap.now = ticks.tick(newValue) }
    }

    override func insert(_ item: ScheduledItem, at time: Time) { heap.insert(item, at: ticks.tick(time)) }

    override func makeRestartableItem(after seconds: Double) -> RestartableItem? {
        let item = spareRestartables.take().map { unsafeDowncast($0, to: RestartableItem.self) }
        return (item ?? RestartableItem(in: heap)).waiting(for: seconds)
    }

    override func tick(of compute: () -> Time, whenShowing tick: Int) -> Int {
        let now = heap.now
        heap.now = tick
        defer { heap.now = now }
        return ticks.tick(compute())
    }

    override func run() { run(untilTick: .max) }

    override func run(until limit: Time) { run(untilTick: ticks.tick(limit)) }

    private func run(untilTick limit: Int) {
        isRunning = true
        while isRunning {
            heap.sortMany()
            guard let due = heap.firstTime(), due <= limit else { break }
            heap.now = max(heap.now, due)
            run(heap.removeFirst())
        }
        isRunning = false
    }

    override var times: [Time] { heap.times.map(ticks.time) }
}

/// A queue of times that only their converter can order.
final class ComparedTimeQueue<Time>: VirtualTimeQueue<Time> {
    private var now: Time
    private let heap: TimeHeap<ConvertedOrder<Time>>

    init(clock: Time, comparing compare: @escaping (Time, Time) -> VirtualTimeComparison) {
        now = clock
        heap = TimeHeap(order: ConvertedOrder(compare: compare))
        super.init()
    }

    override var clock: Time {
        get { now }
        set { now = newValue }
    }

    override func insert(_ item: ScheduledItem, at time: Time) { heap.insert(item, at: time) }

    override func run() { run { _ in true } }

    override func run(until limit: Time) {
        let compare = heap.order.compare
        run { !compare($0, limit).greaterThan }
    }

    private func run(while isDue: (Time) -> Bool) {
        let compare = heap.order.compare
        isRunning = true
        while isRunning, let due = heap.firstTime(), isDue(due) {
            if compare(due, now).greaterThan { now = due }
            run(heap.removeFirst())
        }
        isRunning = false
    }

    override var times: [Time] { heap.times }
}
