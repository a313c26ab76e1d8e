/// A timer in virtual time whose wait may start again.
///
/// A restart records the clock's tick and the number that a new timer would have. The due time is computed from them
/// when the item becomes the first in its queue, not for each restart.
// @unchecked: same reason as its superclass. Its own fields are confined to the thread of the scheduler.
final class RestartableItem: ScheduledItem, @unchecked Sendable {
    private let heap: TimeHeap<IntegerOrder>
    /// The length of the wait in seconds.
    @exclusivity(unchecked) private(set) var seconds = 0.0
    /// The tick and the number of the last restart.
    @exclusivity(unchecked) private(set) var lastRestart = (tick: 0, number: 0)
    /// The tick from which the item's place in the queue was computed.
    @exclusivity(unchecked) var placedAt = 0

    init(in heap: TimeHeap<IntegerOrder>) {
        self.heap = heap
        super.init(isRestartable: true)
    }

    func waiting(for seconds: Double) -> Self {
        self.seconds = seconds
        placedAt = heap.now
        return self
    }

    override func restart() -> Bool {
        heap.thread.ensure()
        guard noteRestart() else { return false }
        lastRestart = heap.mark()
        return true
    }
}

/// A scheduler that can compute when a restarted timer is due.
protocol RestartedTimers: AnyObject {
    /// Returns the tick at which a timer is due that was restarted at `tick`.
    func dueTick(from tick: Int, after seconds: Double) -> Int
}
