/// The pending work of real-time schedulers.
public struct PendingWork: Hashable, Codable, Sendable {
    /// The number of pieces of work that schedulers have accepted, and that have neither ended nor been disposed.
    public let pieces: Int
    /// The number of running periodic timers.
    public let timers: Int

    /// Creates a value with the given numbers of pieces of work and periodic timers.
    public init(pieces: Int, timers: Int) { (self.pieces, self.timers) = (pieces, timers) }

    /// Whether there is neither work nor a timer.
    public var isEmpty: Bool { pieces == 0 && timers == 0 }

    /// Whether the number of pieces is more than half the number of runs.
    func pilesUp(over runs: Int) -> Bool { pieces > runs / 2 }

    /// The pending work beyond the work in `earlier`; 0 where `earlier` has more.
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

/// Work that schedulers still had when a detection ended, and that was scheduled at one place: its name, its due time,
/// and its holder.
public struct WaitingWork: Sendable, Hashable, Codable {
    /// The name of the waiting operator, such as `timeout`; or `work` for work that the user's code has scheduled.
    public let name: String
    /// The number of pieces of work.
    public let count: Int
    /// The time in seconds until the first piece is due; 0 for work that waits for a thread.
    public let firstDueSeconds: Double
    /// The time in seconds until the last piece is due.
    public let lastDueSeconds: Double
    /// The call stack that scheduled the work.
    public let creationStack: CallStack
    /// The holders of one of the pieces; `nil` if they were not searched for, or not found.
    public let retention: Retention?

    /// Creates waiting work with the given values.
    public init(
        name: String, count: Int, firstDueSeconds: Double, lastDueSeconds: Double, creationStack: CallStack,
        retention: Retention? = nil
    ) {
        self.name = name
        self.count = count
        self.firstDueSeconds = firstDueSeconds
        self.lastDueSeconds = lastDueSeconds
        self.creationStack = creationStack
        self.retention = retention
    }
}

extension WaitingWork: CustomStringConvertible {
    /// `23 of timeout, due in 59 min 58 s`, or `1 of observe, due now`.
    public var description: String {
        let first = Self.span(firstDueSeconds)
        let last = Self.span(lastDueSeconds)
        return "\(count) of \(name), due " + (first == last ? first : "\(first) to \(last)")
    }

    /// The summary, the place where it was scheduled, its holder, and finally the change to make.
    public var details: String {
        var lines = [description]
        if let place = creationStack.framesOfYours.first { lines.append("  made by \(place)") }
        if let retention { lines += "\(retention)".split(separator: "\n").map { "  \($0)" } }
        return lines.joined(separator: "\n")
    }

    private static func span(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9))
        let parts = [(whole / 86_400, "d"), (whole / 3_600 % 24, "h"), (whole / 60 % 60, "min"), (whole % 60, "s")].drop
        { $0.0 == 0 }
        // Two units are precise enough.
        return parts.isEmpty ? "now" : "in " + parts.prefix(2).map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}

extension WaitingWork {
    /// Returns the work of a detection's runs that is still scheduled, one group for each call stack that scheduled it.
    /// Returns at most eight groups, the largest first.
    static func all(_ groups: GrowthGroups) -> [WaitingWork] {
        guard groups.pending.pieces > 0, groups.firstRegisteredRun != nil else { return [] }
        let waiting = TracedResources.waitingWork.filter {
            !$0.isTimer && $0.item.stack != 0 && groups.run(of: $0.item) != nil
        }
        let places = Dictionary(grouping: waiting, by: \.item.stack).values.sorted {
            ($1.count, $0[0].item.stack) < ($0.count, $1[0].item.stack)
        }
        let heap = places.isEmpty ? nil : try? HeapSnapshot.capture()
        return places.prefix(8).compactMap { pieces in
            guard let stack = TracedResources.callStack(pieces[0].item.stack) else { return nil }
            let spans = pieces.map(\.seconds)
            let held = pieces.prefix(8).lazy.compactMap {
                heap?.retentionWithAddresses(of: [UInt($0.item.address)])
            }.first
            let place = stack.framesOfYours.first.flatMap { $0.line == nil ? nil : $0.place }
            return WaitingWork(
                name: name(of: stack), count: pieces.count, firstDueSeconds: spans.min() ?? 0,
                lastDueSeconds: spans.max() ?? 0, creationStack: stack,
                retention: held?.named(nil, owner: nil, made: Advice.Sites(subscription: place, held: place))
                    .withoutAddresses())
        }
    }

    /// The name of the operator that scheduled the work, from its innermost call; `work` if there is no such call.
    private static func name(of stack: CallStack) -> String {
        stack.frames.prefix { $0.isInternal }.lazy.compactMap { fileName(of: $0) ?? functionName(of: $0) }.first
            ?? "work"
    }

    /// The name of an operator's file; `nil` for the file of a scheduler, or of a timer that operators share.
    private static func fileName(of frame: StackFrame) -> String? {
        guard let file = frame.file, file.contains("/Operators/"), !file.hasSuffix("/CoordinatorTimer.swift"),
            let type = file.split(separator: "/").last?.split(separator: ".").first
        else { return nil }
        let name = type.prefix(1).lowercased() + type.dropFirst()
        return name.replacing(#/(On|For)$/#) { "(\($0.output.0.lowercased()):)" }
    }

    /// The name of the operator's function, for a frame without a file. An optimised build may have inlined the
    /// operator into the user's code.
    private static func functionName(of frame: StackFrame) -> String? {
        guard frame.file == nil else { return nil }
        let sequences =
            #/
            (?:Observable|ObservableConvertible|PrimitiveSequence|SharedSequenceConvertible|Infallible)Type
            (?:<[^.]*>)?\.(?<name>\w+\([^)]*\))
            /#
        return frame.function.firstMatch(of: sequences).map { TracedResources.trimmed(String($0.name)) }
    }
}
