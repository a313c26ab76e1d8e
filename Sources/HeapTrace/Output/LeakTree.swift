/// A tree for people: each round trip, its growing groups, where they were made, their holders and the change to make.
public struct LeakTree: LeakFormat {
    /// `text`.
    public let name = "text"
    /// The readers of the format.
    public let readers = "people"
    /// The number of calls of a stack to show.
    private static let frameLimit = 5

    /// The format.
    public init() {}

    /// The text of all round trips, with the verdict as the last line.
    public func text(of document: LeakDocument) -> String {
        let reports = document.scenarios.map { text(of: $0) + "\n" }.joined()
        let stale = document.staleAllowances.map { "stale allowance: \($0)\n" }.joined()
        return reports + stale + document.verdict + "\n"
    }

    /// The text of one round trip, without a line feed at the end.
    public func text(of report: GrowthReport) -> String { Self.node(of: report).text }

    /// The text of one group of a round trip, without a line feed at the end.
    public func text(of group: GrowthGroup) -> String { Self.node(of: group).text }

    private static func node(of report: GrowthReport) -> Node {
        if let failure = report.failure { return Node("\(report.name): failed: \(failure)") }
        var children = report.groups.filter { $0.verdict != .clean }
            .sorted { $0.verdict.severity > $1.verdict.severity }.map(Self.node)
        if !report.pendingWork.isEmpty {
            children.append(Node("still scheduled: \(report.pendingWork)", report.waiting.map(Self.node)))
        }
        children.append(Node("looked at: \(report.coverage)"))
        children += report.unavailable.map { Node("\($0.metric): unavailable, because \($0.reason)") }
        let runs = String.counted(report.runs, "run")
        if report.outcome == .notJudged {
            return Node("\(report.name): not judged after \(runs): \(report.notLookedAt)", children)
        }
        return Node("\(report.name): \(word(for: report)), after \(runs)", children)
    }

    private static func word(for report: GrowthReport) -> String {
        switch report.outcome {
        case .clean: report.verdict?.summary ?? "clean"
        case .found: "leaks"
        case .allowed: "leaks as allowed"
        case .inconclusive: "inconclusive"
        case .notJudged: "not judged"
        case .failed: "failed"
        }
    }

    private static func node(of group: GrowthGroup) -> Node {
        guard group.verdict.isGrowing || group.retention != nil else { return Node(group.description) }
        var node = Node(group.headline + (group.signature.map { "  #\($0)" } ?? ""))
        if let allowance = group.allowance {
            node.children.append(Node("may leak until \(allowance.until): \(allowance.reason)"))
            return node
        }
        if group.retention != nil { node.children.append(Node(group.description)) }
        if !group.companions.isEmpty {
            node.children.append(Node("and with it \(group.companions.map(\.description).joined(separator: ", "))"))
        }
        if let stack = group.creationStack, !stack.frames.isEmpty { node.children.append(made(at: stack)) }
        if let retention = group.retention {
            node.children.append(Node(retention.title, retention.holders.map { Node($0) }))
        }
        return node
    }

    private static func node(of waiting: WaitingWork) -> Node {
        var children: [Node] = []
        if let place = waiting.creationStack.framesOfYours.first { children.append(Node("made by \(place)")) }
        if let retention = waiting.retention {
            children.append(Node(retention.title, retention.holders.map { Node($0) }))
            if !retention.advice.isEmpty { children.append(Node(retention.advice)) }
        }
        return Node(waiting.description, children)
    }

    private static func made(at stack: CallStack) -> Node {
        let frames = stack.framesOfYours.isEmpty ? stack.frames : stack.framesOfYours
        let rest = frames.count - frameLimit
        return Node(
            "made at",
            frames.prefix(frameLimit).map { Node($0.description) } + (rest > 0 ? [Node("… and \(rest) more")] : []))
    }
}

extension GrowthReport {
    /// The subjects that were examined, and the subjects that were not.
    var coverage: String {
        let parts = lookedAt.map { subject in
            switch subject {
            case .resources: "resources of Rx"
            case .objects: "Swift objects, closures and boxes by type"
            case .heapBytes: "the bytes of the heap on all threads"
            case .heapBytesOfThread: "the bytes of the heap that the thread of the runs has taken"
            case .elements: "the elements of collections"
            case .memoryNextToLeaks: "memory next to leaks"
            case .counter(let name): name
            }
        }
        let missing = unavailable.map { "\($0.metric)" }
        return (parts.isEmpty ? "nothing" : parts.joined(separator: "; "))
            + (missing.isEmpty ? "" : "; not: " + missing.joined(separator: ", "))
            + (driftBytes.map { "; not: growth of less than the \($0) bytes that came as fast without a run" } ?? "")
    }

    /// The reasons why the round trip was not judged, with the remedies: a sentence for each count that a verdict
    /// needs.
    var notLookedAt: String {
        if isDisturbed {
            return """
                other code of this process worked at the same time: what grows may be its own, and what it releases \
                may hide growth. Run tests \
                one at a time: 'swift test --no-parallel', or '.serialized' on their suite.
                """
        }
        return unavailable.compactMap { missing in
            switch missing.metric {
            case .heapBytes, .objects: "\(missing.metric) were not looked at, because \(missing.reason)"
            case .memoryNextToLeaks:
                "whether other memory grows next to the allowed leak was not looked at, because \(missing.reason)"
            case .resources, .heapBytesOfThread, .elements, .counter: nil
            }
        }.joined(separator: " ")
    }
}

/// A line and its children.
private struct Node {
    private let line: String
    var children: [Node]

    init(_ line: String, _ children: [Node] = []) {
        self.line = line
        self.children = children
    }

    /// The line, and below it the children with branches. The recursion is as deep as a report, which is four levels.
    var text: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        [line]
            + children.enumerated().flatMap { index, child in
                let (branch, below) = index == children.count - 1 ? ("└─ ", "   ") : ("├─ ", "│  ")
                return [branch + child.line] + child.lines.dropFirst().map { below + $0 }
            }
    }
}
