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

/// The file format of speedscope.app: what was kept, by the calls that made it, to be looked at in a browser.
///
/// As the format's published schema has it (`https://www.speedscope.app/file-format-schema.json`): frames are shared
/// and named by their place in a list; a profile is *sampled*: stacks from the outermost call to the innermost, each
/// with a weight.
public struct Speedscope: LeakFormat {
    /// `speedscope`.
    public let name = "speedscope"
    /// The readers of the format.
    public let readers = "speedscope.app"

    /// The format.
    public init() {}

    /// One profile for each round trip and unit in which something grows; without any, one that is empty.
    public func text(of document: LeakDocument) -> String {
        var frames = FrameTable()
        var profiles: [JSONValue] = []
        for record in document.scenarios {
            for (unit, title) in [(GrowthGroup.Unit.count, "live things"), (.bytes, "heap bytes")] {
                let stacks = record.keptStacks(unit: unit)
                if !stacks.isEmpty { profiles.append(Self.profile("\(record.name): \(title)", unit, stacks, &frames)) }
            }
        }
        if profiles.isEmpty { profiles = [Self.profile("nothing grows", .count, [], &frames)] }
        return JSONValue.text(
            of: [
                "$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "RxTrace", "name": "Leaks",
                "activeProfileIndex": 0,
                "shared": ["frames": .init(frames.list.map(Self.value))], "profiles": .init(profiles),
            ] as JSONValue)
    }

    private static func profile(
        _ name: String, _ unit: GrowthGroup.Unit, _ stacks: [KeptStack], _ frames: inout FrameTable
    ) -> JSONValue {
        [
            "type": "sampled", "name": .init(name), "unit": unit == .bytes ? "bytes" : "none", "startValue": 0,
            "endValue": .init(stacks.reduce(0) { $0 + $1.weight }),
            "samples": .init(stacks.map { stack in stack.frames.map { frames.index(of: $0) } }),
            "weights": .init(stacks.map(\.weight)),
        ]
    }

    private static func value(of frame: StackFrame) -> JSONValue {
        var value: [String: JSONValue] = ["name": .init(frame.function)]
        value["file"] = frame.file.map { .init($0) }
        value["line"] = frame.line.map { .init($0) }
        return .init(value)
    }

    private struct FrameTable {
        private(set) var list: [StackFrame] = []
        private var indices: [StackFrame: Int] = [:]

        /// Calls of one function in one line are one frame, whatever their addresses.
        mutating func index(of frame: StackFrame) -> Int {
            let frame = frame.withoutAddress
            if let known = indices[frame] { return known }
            indices[frame] = list.count
            list.append(frame)
            return list.count - 1
        }
    }
}
