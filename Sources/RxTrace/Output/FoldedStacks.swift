/// Folded stacks: what was kept, by the calls that made it, one stack a line. Made for flame graphs.
///
/// The format is that of B. Gregg's FlameGraph: calls from the outermost to the innermost, parted by semicolons, then a
/// space and a whole number; here, how many things were kept. The outermost one is the round trip, the innermost what
/// was kept. Bytes are left out.
public struct FoldedStacks: LeakFormat {
    /// `folded`.
    public let name = "folded"
    /// The readers of the format.
    public let readers = "flamegraph.pl, inferno, speedscope"

    /// The format.
    public init() {}

    /// One line for each group of things that grows.
    public func text(of document: LeakDocument) -> String {
        document.scenarios.flatMap { record in
            record.keptStacks(unit: .count).map { stack in
                stack.frames.map { Self.word($0.function) }.joined(separator: ";") + " \(stack.weight)\n"
            }
        }.joined()
    }

    /// A call without what parts calls.
    private static func word(_ text: String) -> String {
        String(text.map { $0 == ";" ? "," : $0.isNewline ? " " : $0 })
    }
}

/// Things that were kept, and the calls that made them, the outermost first.
struct KeptStack: Equatable {
    let frames: [StackFrame]
    let weight: Int
}

extension GrowthReport {
    /// The stacks of all that grows and is counted in `unit`.
    func keptStacks(unit: GrowthGroup.Unit) -> [KeptStack] {
        func frame(_ function: String) -> StackFrame { StackFrame(address: 0, function: function, image: "") }
        return growing.filter { $0.unit == unit && $0.kept > 0 }.map { group in
            KeptStack(
                frames: [frame(name)] + (group.creationStack?.frames ?? []).reversed() + [frame(group.title)],
                weight: group.kept)
        }
    }
}
