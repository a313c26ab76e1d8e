import Dispatch

/// Work that waits for a timer.
///
/// It keeps itself until it runs or is disposed.
// @unchecked: as its superclass; `timers` and `me` are written before it waits, and then by the one that ends that;
// `place` is guarded by the lock of `timers`.
final class TimedItem: ScheduledItem, @unchecked Sendable {
    private var timers: TimerQueue?
    private var me: TimedItem?
    @exclusivity(unchecked) private var place = DeadlineHeap.nowhere

    func start(in timers: TimerQueue, after dueTime: RxTimeInterval) {
        self.timers = timers
        me = self
        countAsPending(after: dueTime)
        timers.add(self, place: placePointer, deadline: TimerQueue.deadline(after: dueTime))
    }

    override func stopWaiting() {
        timers?.remove(place: placePointer)
        timers = nil
        me = nil
    }

    /// The address of a stored property of an object, which stays.
    private var placePointer: UnsafeMutablePointer<Int> { withUnsafeMutablePointer(to: &place) { $0 } }
}
