import Synchronization

/// The waiting items of a virtual-time scheduler: the earliest first, of equal ones the one that was inserted first.
///
/// A binary heap: O(log *n*) to insert and take. Disposed items are left where they are and skipped;
/// once they are the majority, the heap is rebuilt without them, so that a timer that is restarted for each event
/// does not fill it.
struct VirtualTimeQueue<Time> {
    private struct Entry {
        let time: Time
        let number: Int
        let item: VirtualTimeItem
    }

    private var heap: [Entry] = []
    private var nextNumber = 0
    private let compare: (Time, Time) -> VirtualTimeComparison
    private let cancelled = VirtualTimeItem.Counter()

    init(comparing compare: @escaping (Time, Time) -> VirtualTimeComparison) { self.compare = compare }

    /// Adds work that is due at `time`.
    mutating func insert(at time: Time, _ work: @escaping () -> any Disposable) -> ScheduledItem {
        sweep()
        let item = VirtualTimeItem(countingIn: cancelled, work)
        heap.append(Entry(time: time, number: nextNumber, item: item))
        nextNumber += 1
        siftUp(heap.count - 1)
        return item
    }

    /// The time of the first item that was not disposed.
    mutating func firstTime() -> Time? {
        // Not `heap.first`: like `swapAt` on the array itself, it allocates in unspecialised code.
        while !heap.isEmpty {
            if !heap[0].item.isDisposed { return heap[0].time }
            removeFirst()
            cancelled.number.wrappingSubtract(1, ordering: .relaxed)
        }
        return nil
    }

    /// Takes out the first item, which `firstTime()` has just reported.
    @discardableResult
    mutating func removeFirst() -> ScheduledItem {
        let item = heap[0].item
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            siftDown(0)
        }
        return item
    }

    /// The times of the waiting items, in order.
    var times: [Time] { heap.sorted(by: precedes).filter { !$0.item.isDisposed }.map(\.time) }

    private mutating func sweep() {
        let dead = cancelled.number.load(ordering: .relaxed)
        guard dead > 32, dead > heap.count / 2 else { return }
        let before = heap.count
        heap.removeAll { $0.item.isDisposed }
        // Only what was removed: another thread may dispose meanwhile.
        cancelled.number.wrappingSubtract(before - heap.count, ordering: .relaxed)
        for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private func precedes(_ lhs: Entry, _ rhs: Entry) -> Bool {
        switch compare(lhs.time, rhs.time) {
        case .lessThan: true
        case .equal: lhs.number < rhs.number
        case .greaterThan: false
        }
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(heap[index], heap[parent]) else { return }
            heap.withUnsafeMutableBufferPointer { $0.swapAt(index, parent) }
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            let firstChild = 2 * index + 1
            if firstChild >= heap.count { return }
            var smallest = index
            // A range: an array of the two children would be allocated at each level.
            for child in firstChild...min(firstChild + 1, heap.count - 1) where precedes(heap[child], heap[smallest]) {
                smallest = child
            }
            if smallest == index { return }
            heap.withUnsafeMutableBufferPointer { $0.swapAt(index, smallest) }
            index = smallest
        }
    }
}

/// An item that tells its queue when it was cancelled.
// @unchecked: as its superclass.
final class VirtualTimeItem: ScheduledItem, @unchecked Sendable {
    /// Cancelled items that are still in the heap. May be off by those that are being cancelled: it only decides when
    /// to sweep.
    final class Counter: Sendable {
        let number = Atomic<Int>(0)
    }

    private let counter: Counter

    init(countingIn counter: Counter, _ work: @escaping () -> any Disposable) {
        self.counter = counter
        super.init(work)
    }

    override func willLeaveSchedule(cancelled: Bool) {
        if cancelled { counter.number.wrappingAdd(1, ordering: .relaxed) }
    }
}
