/// What schedulers that keep real time have before them.
public struct PendingWork: Hashable, Sendable {
    /// Pieces of work that they have accepted and that have neither ended nor been disposed.
    public let pieces: Int
    /// Periodic timers that run.
    public let timers: Int

    public init(pieces: Int, timers: Int) {
        self.pieces = pieces
        self.timers = timers
    }

    /// Whether there is neither work nor a timer.
    public var isEmpty: Bool { pieces == 0 && timers == 0 }

    /// Whether there is a piece of more than half of so many runs.
    func pilesUp(over runs: Int) -> Bool { pieces > runs / 2 }

    /// What there is more of than in `earlier`.
    func excess(over earlier: PendingWork) -> PendingWork {
        PendingWork(pieces: max(0, pieces - earlier.pieces), timers: max(0, timers - earlier.timers))
    }
}

extension PendingWork: CustomStringConvertible {
    /// `2 pieces of work and 1 periodic timer`, or `nothing`.
    public var description: String {
        let parts = [
            pieces == 0 ? nil : String.counted(pieces, "piece of work", "pieces of work"),
            timers == 0 ? nil : String.counted(timers, "periodic timer"),
        ].compactMap { $0 }
        return parts.isEmpty ? "nothing" : parts.joined(separator: " and ")
    }
}
