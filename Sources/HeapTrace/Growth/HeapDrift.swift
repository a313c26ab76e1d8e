/// The bytes that other code of the process takes while no run is under way: the loop in which a test's runner waits,
/// for example.
struct HeapDrift {
    private let clock = ContinuousClock()
    private var runsBegan: (instant: ContinuousClock.Instant, bytes: Int)?
    /// The bytes that the runs have added, and their duration in seconds.
    private var rise = 0
    private var seconds = 0.0
    /// The readings at the ends of the windows of the idle time.
    private var idle: [(instant: ContinuousClock.Instant, bytes: Int)] = []
    private var idleBytes = 0
    private var bytesPerSecond = 0.0
    /// Whether a whole idle time has been measured.
    private(set) var isMeasured = false
    /// Whether calls that only runs make have left some of the bytes. Other code may have finished earlier work in the
    /// idle time.
    var isOverruled = false

    /// The idle time has three windows of this length. The median of the three counts, so that memory that is taken in
    /// only one of them is not drift.
    private static let window = Duration.milliseconds(100)

    /// Call this at the end of the warm-up.
    mutating func beginRuns(at bytes: Int) { runsBegan = (clock.now, bytes) }

    /// Call this after a run that a decision follows, with the bytes after that run.
    mutating func endRuns(at bytes: Int) {
        guard let runsBegan else { return }
        (rise, seconds) = (bytes - runsBegan.bytes, (clock.now - runsBegan.instant) / .seconds(1))
    }

    /// Takes a reading in the idle time. Returns the pause before the next reading; `nil` when the idle time is over.
    mutating func pause(at bytes: Int) -> Settling.Pause? {
        let now = clock.now
        if idle.last.map({ now - $0.instant >= Self.window }) ?? true { idle.append((now, bytes)) }
        guard idle.count == 4 else { return Settling.Pause(milliseconds: 20) }
        isMeasured = true
        let taken = zip(idle, idle.dropFirst()).map { $1.bytes - $0.bytes }.sorted()
        idleBytes = max(0, 3 * taken[1])
        bytesPerSecond = Double(idleBytes) / ((now - idle[0].instant) / .seconds(1))
        return nil
    }

    /// The bytes that the runs have added; `nil` if the process would have taken fewer bytes without the runs.
    func explainedBytes(after runs: Int) -> Int? { explainsRise(after: runs) && rise > 0 ? rise : nil }

    /// Whether the rise of the bytes is at most the rise that is expected without the runs. The limit is a quarter
    /// higher, plus the bytes of the idle time, because that time is short and other code takes memory in pieces. Fewer
    /// than 80 runs are too short to decide.
    func explainsRise(after runs: Int) -> Bool {
        runs >= 80 && isMeasured && !isOverruled && idleBytes > 0
            && Double(rise) <= 1.25 * bytesPerSecond * seconds + Double(idleBytes)
    }
}
