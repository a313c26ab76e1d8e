import Dispatch
import Synchronization

/// The elements that an observer has received: their sum and their number.
///
/// A pointer, because a captured variable costs more than most operators: each access is checked for exclusivity.
public final class Total {
    /// The sum that observers add to.
    public let cell: UnsafeMutablePointer<Int>
    /// The number of elements that observers count.
    public let count: UnsafeMutablePointer<Int>

    /// Creates an empty total.
    public init() {
        cell = .allocate(capacity: 2)
        cell.initialize(repeating: 0, count: 2)
        count = cell + 1
    }

    deinit { cell.deallocate() }

    /// Returns and resets the sum since the last call.
    public func take() -> Int {
        defer { cell.pointee = 0 }
        return cell.pointee
    }

    /// Returns and resets the number of elements since the last call, combined with their sum.
    public func takeCounted() -> Int {
        defer { count.pointee = 0 }
        return Family.counted(count.pointee, take())
    }
}

/// Lets the main thread wait for work on other threads.
public final class Gate: Sendable {
    private let passed = Atomic<Int>(0)
    private let total = Atomic<Int>(0)
    private let expected: Int
    private let opened = DispatchSemaphore(value: 0)

    /// Creates a gate that opens every time `expected` pieces of work have passed.
    public init(after expected: Int) { self.expected = expected }

    /// Counts one piece of work and adds the value that it received.
    public func pass(_ value: Int) {
        total.wrappingAdd(value, ordering: .relaxed)
        // Acquiring and releasing: the waiting thread sees everything that the work wrote.
        if passed.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue.isMultiple(of: expected) { opened.signal() }
    }

    /// Waits until the expected number of pieces have passed since the last wait. Returns the sum of their values.
    ///
    /// - Throws: ``Stalled`` after twenty seconds, instead of hanging.
    public func wait() throws -> Int {
        if opened.wait(timeout: .now() + 20) == .timedOut { throw Stalled() }
        return total.exchange(0, ordering: .acquiringAndReleasing)
    }
}

/// The error for work on another thread that did not end.
public struct Stalled: Error {
    /// Creates the error.
    public init() {}
}
