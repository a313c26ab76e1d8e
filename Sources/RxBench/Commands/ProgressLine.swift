import RxBench
import RxBenchReport

/// Shows how far a run has come: one living line on a terminal, else a plain line now and then.
final class ProgressLine {
    private let isLive = Console.hasLiveErrors
    private var lastLine: UInt64 = 0
    private static let plainIntervalNanoseconds: UInt64 = 10_000_000_000

    func show(_ progress: RunProgress) {
        show(
            progress.id, completed: progress.completed, of: progress.total, remainingSeconds: progress.remainingSeconds)
    }

    func show(_ id: String, completed: Int, of total: Int, remainingSeconds: Double) {
        let now = MonotonicClock.nanoseconds
        guard isLive || now - lastLine > Self.plainIntervalNanoseconds else { return }
        lastLine = now
        let line =
            "\(completed * 100 / max(total, 1)) %, about \(Figures.duration(seconds: remainingSeconds)) left: \(id)"
        if isLive { Console.replaceLine(line) } else { Console.note(line) }
    }

    /// Clears the living line, so that what follows begins on an empty one.
    func finish() { if isLive { Console.replaceLine("") } }
}
