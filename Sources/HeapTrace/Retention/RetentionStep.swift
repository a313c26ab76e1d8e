/// One holder on the path to the target, and its reference to the next one.
public struct RetentionStep: Sendable {
    /// The holder: a type, `global cache`, or `closure in ViewModel.bind()`.
    public let holder: String
    /// The reference to the next object, as text: `.bag`, `[3]`, `capture self`.
    public var edge: String { through.text }
    /// The file of a closure, if the binary contains it: `ViewModel.swift`.
    public let file: String?
    /// The line of a closure in its file.
    public let line: Int?
    /// Whether the edge was read by its type. Otherwise, the edge is an untyped word that looks like a reference.
    public let isTyped: Bool
    /// The reference itself.
    let through: RetentionEdge
    /// Whether the holder is a closure whose enclosing function is known.
    let isNamedClosure: Bool

    init(
        holder: String, through edge: RetentionEdge, file: String? = nil, line: Int? = nil, isTyped: Bool,
        isNamedClosure: Bool = false
    ) {
        self.holder = holder
        self.isNamedClosure = isNamedClosure
        through = edge
        self.file = file
        self.line = line
        self.isTyped = isTyped
    }

    /// The step without the parts that change from run to run or from build to build: lines, positions in collections,
    /// and names that only debug information has.
    public var stableName: String { through.stableText.isEmpty ? holder : "\(holder) \(through.stableText)" }

    /// The kind of the edge.
    public var kind: RetentionEdge.Kind { through.kind }

    /// Whether the step leads through a stored property.
    var isThroughProperty: Bool { kind == .property || kind == .partOfProperty }

    /// The same step through another edge, or with a reference that was not read by its type.
    func changed(edge: RetentionEdge? = nil, isTyped: Bool? = nil) -> RetentionStep {
        RetentionStep(
            holder: holder, through: edge ?? through, file: file, line: line, isTyped: isTyped ?? self.isTyped,
            isNamedClosure: isNamedClosure)
    }
}

extension RetentionStep: Hashable {
    /// Whether the two read the same.
    public static func == (one: RetentionStep, other: RetentionStep) -> Bool {
        (one.holder, one.through, one.file, one.line, one.isTyped)
            == (other.holder, other.through, other.file, other.line, other.isTyped)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(holder)
        hasher.combine(through)
        hasher.combine(line)
    }
}

extension RetentionStep: CustomStringConvertible {
    /// `closure in ViewModel.bind() at ViewModel.swift:42: capture self`, for example.
    public var description: String {
        let place = StackFrame.place(file, line).map { " at \($0)" } ?? ""
        return holder + place + (edge.isEmpty ? "" : ": " + edge) + (isTyped ? "" : " (untyped)")
    }
}

/// `{"holder": "Screen", "edge": ".bag", "kind": "property", "isTyped": true}`: a closure has a file and a line, too.
extension RetentionStep: Codable {
    private enum CodingKeys: String, CodingKey { case holder, edge, kind, stableEdge, file, line, isTyped }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            holder: try container.decode(String.self, forKey: .holder),
            through: RetentionEdge(
                try container.decode(RetentionEdge.Kind.self, forKey: .kind),
                try container.decode(String.self, forKey: .edge),
                stableText: try container.decodeIfPresent(String.self, forKey: .stableEdge)),
            file: try container.decodeIfPresent(String.self, forKey: .file),
            line: try container.decodeIfPresent(Int.self, forKey: .line),
            isTyped: try container.decode(Bool.self, forKey: .isTyped))
    }

    /// Writes the holder, the edge as text and its kind, and where a closure is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(holder, forKey: .holder)
        try container.encode(edge, forKey: .edge)
        try container.encode(kind, forKey: .kind)
        if through.stableText != edge { try container.encode(through.stableText, forKey: .stableEdge) }
        try container.encodeIfPresent(file, forKey: .file)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encode(isTyped, forKey: .isTyped)
    }
}
