/// A timer in virtual time whose wait may begin again.
///
/// A restart notes the clock's tick and the number that a new timer would have. The time that follows from them is
/// computed when the item comes first in its queue, not for each restart.
// @unchecked: as its superclass; its own fields belong to the thread of the scheduler.
final class RestartableItem: ScheduledItem, @unchecked Sendable {
    private let heap: TimeHeap<IntegerOrder>
    /// How long it waits.
    @exclusivity(unchecked) private(set) var seconds = 0.0
    /// The moment of the last restart.
    @exclusivity(unchecked) private(set) var lastRestart = (tick: 0, number: 0)
    /// The tick from which its place in the queue was computed.
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

/// A scheduler that knows when a restarted timer is due.
protocol RestartedTimers: AnyObject {
    /// The tick at which a timer is due that was restarted at `tick`.
    func dueTick(from tick: Int, after seconds: Double) -> Int
}
