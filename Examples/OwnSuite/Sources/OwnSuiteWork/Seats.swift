import Synchronization

/// Seats that many threads sell, each seat once.
public final class Seats: Sendable {
    private let left: Atomic<Int>

    public init(_ count: Int) { left = Atomic(count) }

    /// Sells a seat; `false` if no seat is left.
    public func sell() -> Bool {
        var seen = left.load(ordering: .relaxed)
        while seen > 0 {
            // A plain store of 'seen - 1' would sell a seat twice: try it, and let 'races' show how.
            let (isSold, now) = left.compareExchange(expected: seen, desired: seen - 1, ordering: .relaxed)
            if isSold { return true }
            seen = now
        }
        return false
    }
}
