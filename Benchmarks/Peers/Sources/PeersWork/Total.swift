import Dispatch
import Synchronization

/// Where an observer leaves what it received.
///
/// A pointer, as a captured variable costs more than most operators: each access of it is checked for exclusivity.
public final class Total {
    /// Where observers add.
    public let cell: UnsafeMutablePointer<Int>
    /// Where observers count.
    public let count: UnsafeMutablePointer<Int>

    /// Nothing received yet.
    public init() {
        cell = .allocate(capacity: 2)
        cell.initialize(repeating: 0, count: 2)
        count = cell + 1
    }

    deinit { cell.deallocate() }

    /// Returns what was added since the last call.
    public func take() -> Int {
        defer { cell.pointee = 0 }
        return cell.pointee
    }

    /// Returns how many elements were counted since the last call, with what was added.
    public func takeCounted() -> Int {
        defer { count.pointee = 0 }
        return Family.counted(count.pointee, take())
    }
}

/// Where the main thread waits for work on other threads.
public final class Gate: Sendable {
    private let passed = Atomic<Int>(0)
    private let total = Atomic<Int>(0)
    private let expected: Int
    private let opened = DispatchSemaphore(value: 0)

    /// A gate that opens, each time, when `expected` have passed.
    public init(after expected: Int) { self.expected = expected }

    /// Counts one piece of work, and what it received.
    public func pass(_ value: Int) {
        total.wrappingAdd(value, ordering: .relaxed)
        // Acquiring and releasing: the one that waits sees what the work wrote.
        if passed.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue.isMultiple(of: expected) { opened.signal() }
    }

    /// Waits until so many have passed since the last time, and returns the sum of what they received.
    ///
    /// - Throws: ``Stalled`` after twenty seconds, in place of hanging.
    public func wait() throws -> Int {
        if opened.wait(timeout: .now() + 20) == .timedOut { throw Stalled() }
        return total.exchange(0, ordering: .acquiringAndReleasing)
    }
}

/// Work on another thread did not end.
public struct Stalled: Error {
    /// Work that was waited for in vain.
    public init() {}
}
