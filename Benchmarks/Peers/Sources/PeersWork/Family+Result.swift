extension Family {
    /// The result of a round of `n` operations, a multiple of 20. It is computed without any leg.
    public func expected(_ n: Int) -> Int {
        let sum = n * (n - 1) / 2
        switch self {
        case .create, .range, .publish, .behavior, .flatMapJust, .observeOn: return sum
        case .merge: return Self.counted(n, sum)
        case .just, .subjectOnce, .manyObservers, .schedule, .subscribeOn, .recursion, .virtualTime, .delay: return n
        case .map: return (0..<n).reduce(0) { $0 + $1 + 1 }
        case .filter: return (0..<n).filter { $0 % 2 == 0 }.reduce(0, +)
        case .mapFilter: return (0..<n).compactMap(Self.twelve).reduce(0, +)
        case .text: return n * Self.sample.utf8.count
        case .scan: return (0..<n).reduce((state: 0, total: 0)) { ($0.state + $1, $0.total + $0.state + $1) }.total
        case .buffer: return Self.counted(n / 10, sum)
        case .groupBy: return (0..<n).reduce(0) { $0 + $1 + $1 % 10 }
        case .publishToMany: return 100 * sum
        case .withLatestFrom: return sum + n * 7
        // One pair for each element except the first: 0 + 1, 2 + 1, 2 + 3 …
        case .combineLatest: return Self.counted(n - 1, (1..<n).reduce(0) { $0 + 2 * $1 - 1 })
        case .zip: return Self.counted(n / 2, sum)
        case .share, .shareReplay: return 2 * sum
        case .flatMapRange: return (0..<n).reduce(0) { $0 + 10 * $1 + 45 }
        case .flatMapLatest, .debounce: return n - 1
        case .single: return (0..<n).reduce(0) { $0 + 2 * ($1 + 1) }
        case .subscribe: return 2
        case .twelve: return n * (Self.twelve(1) ?? 0)
        }
    }

    /// Combines the number of received elements with their sum or with the last element.
    @inline(__always)
    public static func counted(_ count: Int, _ value: Int) -> Int { count &* 1_000_003 &+ value }

    /// The six maps and six filters of ``mapFilter``.
    static func twelve(_ value: Int) -> Int? {
        var x = value &+ 1
        guard x >= 0 else { return nil }
        x ^= 5
        guard x != -7 else { return nil }
        x = x &* 3
        guard x < 1 << 60 else { return nil }
        x >>= 1
        guard (x | 7) > 0 else { return nil }
        x |= 64
        guard x & 0xffff_ffff_ffff >= 0 else { return nil }
        x = x &- 9
        guard x ^ 3 != 1 << 50 else { return nil }
        return x
    }

    /// The string of ``text``: too long to be stored inline, so it is retained.
    public static let sample = "a string that is longer than fifteen bytes"
}
