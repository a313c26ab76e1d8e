import RxBench
import RxBenchReport

/// Shows how far a run has come: one living line on a terminal, else a plain line now and then.
final class ProgressLine {
    private let isLive = Console.hasLiveErrors
    private var lastLine: UInt64 = 0
    private static let plainIntervalNanoseconds: UInt64 = 10_000_000_000

    func show(_ progress: RunProgress) {
        let now = MonotonicClock.nanoseconds
        guard isLive || now - lastLine > Self.plainIntervalNanoseconds else { return }
        lastLine = now
        let share = progress.completed * 100 / max(progress.total, 1)
        let left = Figures.duration(seconds: progress.remainingSeconds)
        let line = "\(share) %, about \(left) left: \(progress.id)"
        if isLive { Console.replaceLine(String(line.prefix(100))) } else { Console.note(line) }
    }

    /// Clears the living line, so that what follows begins on an empty one.
    func finish() { if isLive { Console.replaceLine("") } }
}
