import RxBenchRaces
import Synchronization

/// A typical handwritten queue: one thread adds, any thread takes, no call waits. It uses nothing from this package.
///
/// An element's place is a number that grows with each element; the element is stored in the slot of that number. If
/// the numbers start again after each turn of the ring, a head that has come full circle looks like a head that hasn't
/// moved. The exchange in `take` then succeeds for an element that has already been taken (ABA).
final class RingQueue: Sendable {
    private let even = Atomic<Int>(0), odd = Atomic<Int>(0)
    /// The places of the next element to take and of the next element to add.
    private let head = Atomic<Int>(0), tail = Atomic<Int>(0)
    private let beginsAnew: Bool
    private static let slots = 2

    init(_ element: Int, beginsAnew: Bool) {
        self.beginsAnew = beginsAnew
        _ = add(element)
    }

    /// Adds an element; `false` if the queue is full. One slot stays empty, so that full and empty differ.
    func add(_ element: Int) -> Bool {
        let place = tail.load(ordering: .relaxed)
        // Acquiring: the slot must not be written before its element has been taken.
        if after(place) == after(head.load(ordering: .acquiring), by: Self.slots) { return false }
        if place % Self.slots == 0 { even.store(element, ordering: .relaxed) }
        if place % Self.slots == 1 { odd.store(element, ordering: .relaxed) }
        // Releasing: publishes the element.
        tail.store(after(place), ordering: .releasing)
        return true
    }

    /// Takes the oldest element; returns `nil` if the queue is empty.
    func take() -> Int? {
        // Acquiring: for the same reason as the exchange below.
        var place = head.load(ordering: .acquiring)
        // Acquiring: the element was stored before the tail.
        while place != tail.load(ordering: .acquiring) {
            let element = place % Self.slots == 0 ? even.load(ordering: .relaxed) : odd.load(ordering: .relaxed)
            // Releasing: the element is read before its slot is free. Acquiring: for the next load of the tail.
            let (isTaken, now) = head.compareExchange(
                expected: place, desired: after(place), ordering: .acquiringAndReleasing)
            if isTaken { return element }
            place = now
        }
        return nil
    }

    private func after(_ place: Int, by count: Int = 1) -> Int {
        beginsAnew ? (place + count) % Self.slots : place + count
    }
}

/// A queue of one element, and the elements taken from it.
///
/// Unchecked: each actor writes its own elements, which are read after both actors have ended.
private final class Exchange: @unchecked Sendable {
    let queue: RingQueue
    var byFirst: Int?
    var bySecond: (Int?, Int?)

    init(beginsAnew: Bool) { queue = RingQueue(1, beginsAnew: beginsAnew) }

    var grade: RaceGrade {
        let rest = (0..<3).map { _ in queue.take() }
        let elements = ([byFirst, bySecond.0, bySecond.1] + rest).compactMap(\.self).sorted()
        return elements == [1, 2, 3]
            ? .acceptable("each once")
            : .forbidden("of 1, 2, 3 came \(elements.map(String.init).joined(separator: ", "))")
    }
}

/// One element is taken while another thread takes and adds twice.
func ringQueueRace(_ name: String, beginsAnew: Bool) -> Race {
    Race(
        RaceScenario(
            name, decides: "Nothing: a test.", makeState: { Exchange(beginsAnew: beginsAnew) },
            actors: [
                { $0.byFirst = $0.queue.take() },
                {
                    $0.bySecond.0 = $0.queue.take()
                    _ = $0.queue.add(2)
                    $0.bySecond.1 = $0.queue.take()
                    _ = $0.queue.add(3)
                },
            ], finish: { $0.grade }))
}
