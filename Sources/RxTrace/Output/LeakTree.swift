/// A tree for people: each round trip, what grows in it, where that was made, who holds it and what to change.
public struct LeakTree: LeakFormat {
    /// `text`.
    public let name = "text"
    /// What reads it.
    public let readers = "people"
    /// How many calls of a stack are shown.
    private static let frameLimit = 5

    /// The format.
    public init() {}

    /// All round trips and, as the last line, the verdict.
    public func text(of document: LeakDocument) -> String {
        let records = document.scenarios.map { Self.lines(of: $0).joined(separator: "\n") + "\n" }.joined()
        let stale = document.staleAllowances.map { "stale allowance: \($0)\n" }.joined()
        return records + stale + document.verdict + "\n"
    }

    /// One round trip, without a line feed at the end.
    public func text(of record: LeakRecord) -> String { Self.lines(of: record).joined(separator: "\n") }

    private static func lines(of record: LeakRecord) -> [String] {
        if let failure = record.failure { return ["\(record.name): failed: \(failure)"] }
        let runs = ", after \(String.counted(record.runs, "run"))"
        let visible = record.groups.filter { $0.verdict != .clean }
        let children =
            visible.sorted { $0.verdict.gravity > $1.verdict.gravity }.map(Self.node)
            + (record.pendingWork.map { [Node("still scheduled: \($0)", (record.waiting ?? []).map(Self.node))] } ?? [])
            + record.unavailable.map { Node("\($0.subject): unavailable, because \($0.reason)") }
        return ["\(record.name): \(word(for: record))\(runs)"] + Node.lines(of: children)
    }

    private static func word(for record: LeakRecord) -> String {
        switch record.outcome {
        case .clean: record.groups.map(\.verdict).max { $0.gravity < $1.gravity }?.summary ?? "clean"
        case .leaking: "leaks"
        case .allowed: "leaks as allowed"
        case .undecided: "pending"
        case .unavailable: "unavailable"
        case .failed: "failed"
        }
    }

    private static func node(of group: LeakGroup) -> Node {
        guard group.verdict.isGrowing else { return Node("\(group.subject): \(group.verdict)") }
        var node = Node("\(group.headline)  #\(group.signature)")
        if let allowance = group.allowance {
            node.children.append(Node("may leak until \(allowance.until): \(allowance.reason)"))
            return node
        }
        if group.retention != nil { node.children.append(Node("\(group.subject): \(group.verdict)")) }
        if !group.companions.isEmpty {
            node.children.append(Node("and with it \(group.companions.joined(separator: ", "))"))
        }
        if let stack = group.creationStack, !stack.isEmpty { node.children.append(made(at: stack)) }
        if let retention = group.retention { node.children.append(held(by: retention)) }
        return node
    }

    /// A paragraph, below its first line.
    private static func node(of paragraph: String) -> Node {
        let lines = paragraph.split(separator: "\n").map(String.init)
        return Node(lines.first ?? "", lines.dropFirst().map { Node($0.replacing(#/^  /#, with: "")) })
    }

    private static func made(at stack: [LeakGroup.Frame]) -> Node {
        let outside = stack.filter { !$0.isInternal }
        let frames = outside.isEmpty ? stack : outside
        let rest = frames.count - frameLimit
        return Node(
            "made at", frames.prefix(frameLimit).map { Node($0.text) } + (rest > 0 ? [Node("… and \(rest) more")] : []))
    }

    private static func held(by holding: LeakGroup.Holding) -> Node {
        let grade = holding.doubt.map { "\(holding.grade.rawValue): \($0)" } ?? holding.grade.rawValue
        var holders: [Node] = []
        for (index, step) in holding.steps.enumerated() {
            holders.append(Node(step.text))
            guard index + 1 == holding.cycleLength else { continue }
            let goesOn = holding.steps.count > holding.cycleLength
            holders.append(
                Node("\(holding.steps[0].holder), where the cycle closes" + (goesOn ? ", and from there" : "")))
        }
        if holding.steps.count > holding.cycleLength { holders.append(Node(holding.subject)) }
        return Node(
            "\(holding.subject) is held by \(holding.cycleLength > 0 ? "a cycle" : "a chain"), \(grade)", holders)
    }
}

/// A line and what belongs to it.
private struct Node {
    var text: String
    var children: [Node]

    init(_ text: String, _ children: [Node] = []) {
        self.text = text
        self.children = children
    }

    /// The nodes as lines with branches; nested as deep as a report is, four levels.
    static func lines(of nodes: [Node]) -> [String] {
        nodes.enumerated().flatMap { index, node in
            let isLast = index == nodes.count - 1
            return [(isLast ? "└─ " : "├─ ") + node.text]
                + lines(of: node.children).map { (isLast ? "   " : "│  ") + $0 }
        }
    }
}

extension LeakGroup.Frame {
    /// `ViewModel.bind() at ViewModel.swift:42`, or `malloc in libc.so.6` where the line is not known.
    var text: String {
        StackFrame(address: 0, function: function, file: file, line: line, image: image, isInternal: isInternal)
            .description
    }
}

extension LeakGroup.Holding.Step {
    /// `closure in ViewModel.bind() at ViewModel.swift:42: capture self`.
    var text: String { RetentionStep(holder: holder, edge: edge, file: file, line: line, isTyped: isTyped).description }
}
