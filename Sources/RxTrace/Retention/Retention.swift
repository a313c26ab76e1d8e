/// Who holds something that should be gone: a chain of strong references that begins at a global, or that closes around
/// a cycle.
///
/// The steps read downwards: each holder holds the next one through its edge, and the last one holds the subject.
public struct Retention: Sendable {
    /// The type of what is held: `ViewModel`.
    public let subject: String
    /// The holders from the outermost to the one that holds the subject; never empty.
    public let steps: [RetentionStep]
    /// How many steps at the beginning form a cycle: the last of them holds the first. 0 for a chain that begins at a
    /// global.
    ///
    /// If there are no others, the subject is the first holder, and holds itself; else the cycle's first holder holds
    /// what follows.
    public let cycleLength: Int
    /// How sure the answer is.
    public let grade: RetentionGrade
    /// What to change, in a sentence: `capture 'self' weakly in the closure at ViewModel.swift:42`.
    public let advice: String
    /// The class of the user's to look at: one that is on the way and leaks with the subject; `nil` if there is none.
    public let owner: String?
    /// The objects of the user's classes on the way, holders first, with their names.
    let classes: [(address: UInt, name: String)]
    /// The objects on the way, holders first and what is held last, as addresses: what else is on it hangs together
    /// with this.
    let trail: [UInt]
    /// So many steps at the beginning are words that look like references, in memory where what was there before may
    /// still lie.
    let guesses: Int
    /// What gives the advice; `nil` for a retention that was read back.
    let adviser: Advice?

    package init(
        subject: String, steps: [RetentionStep], cycleLength: Int, grade: RetentionGrade, advice: String,
        owner: String? = nil
    ) {
        self.init(
            subject: subject, steps: steps, cycleLength: cycleLength, grade: grade, advice: advice, adviser: nil,
            guesses: 0,
            trail: [], owner: owner, classes: [])
    }

    init(
        subject: String, steps: [RetentionStep], cycleLength: Int, grade: RetentionGrade, advice: String,
        adviser: Advice?, guesses: Int,
        trail: [UInt], owner: String?, classes: [(address: UInt, name: String)]
    ) {
        self.subject = subject
        self.steps = steps
        self.cycleLength = cycleLength
        self.grade = grade
        self.advice = advice
        self.adviser = adviser
        self.guesses = guesses
        self.trail = trail
        self.owner = owner
        self.classes = classes
    }

    /// The same with the names that users know the subject and its owner by, and with advice that says where what is to
    /// change was made.
    func named(_ subject: String?, owner: String?, made places: Advice.Places) -> Retention {
        Retention(
            subject: subject ?? self.subject, steps: steps, cycleLength: cycleLength, grade: grade,
            advice: adviser?.text(places) ?? advice,
            adviser: adviser, guesses: guesses, trail: trail, owner: owner, classes: classes)
    }

    /// Whether the subject is what was asked for, and not the first holder of a cycle that it is on.
    var isOfSubject: Bool { steps.count > cycleLength || steps[0].edge == Hop.untilDisposed }

    /// Whether a cycle holds the subject: it is on it, or hangs on it.
    public var isCycle: Bool { cycleLength > 0 }

    /// What stays the same between runs and builds: the subject and each step without lines and positions.
    ///
    /// Without what only seems to hold the first of them: a local variable, memory of a C library.
    public var stableNames: [String] { steps.dropFirst(guesses).map(\.stableName) + [subject] }
}

extension Retention: Hashable {
    /// Whether the two say the same, of whichever objects.
    public static func == (one: Retention, other: Retention) -> Bool {
        (one.subject, one.steps, one.cycleLength, one.grade, one.advice) == (
            other.subject, other.steps, other.cycleLength, other.grade, other.advice
        )
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(subject)
        hasher.combine(steps)
        hasher.combine(advice)
    }
}

/// How sure it is that a retention is what keeps its subject alive.
public enum RetentionGrade: Sendable, Hashable {
    /// Every edge was read by its type, and nothing else can hold the subject: each strong reference that is counted
    /// was found. Of a chain that begins at a global: every edge was read by its type.
    case proven
    /// The chain is there, but something on it could not be read by its type, or some references were not found; the
    /// text says what.
    case likely(because: String)
}

/// One holder on the way to what is held, and through what it holds the next.
public struct RetentionStep: Sendable, Hashable {
    /// Who holds: a type, `global cache`, or `closure in ViewModel.bind()`.
    public let holder: String
    /// Through what: `.bag`, `[3]`, `capture self`.
    public let edge: String
    /// The file of a closure, where the binary has it: `ViewModel.swift`.
    public let file: String?
    /// The line of a closure in its file.
    public let line: Int?
    /// Whether the edge was read by its type; otherwise a word that looks like a reference was taken for one.
    public let isTyped: Bool
    /// The edge without what only debug information tells.
    private let stableEdge: String

    package init(
        holder: String, edge: String, stableEdge: String? = nil, file: String? = nil, line: Int? = nil, isTyped: Bool
    ) {
        self.holder = holder
        self.edge = edge
        self.stableEdge = stableEdge ?? edge
        self.file = file
        self.line = line
        self.isTyped = isTyped
    }

    /// The step without what changes from run to run or from build to build: lines, positions in collections, and what
    /// only debug information tells.
    public var stableName: String { stableEdge.isEmpty ? holder : holder + " " + edgeWithoutPosition }

    private var edgeWithoutPosition: String {
        guard let open = stableEdge.lastIndex(of: "["), stableEdge.hasSuffix("]") else { return stableEdge }
        return stableEdge[..<open] + "[]"
    }

    /// Whether it holds the next one by a property of its own, and not by what a collection or a value of several parts
    /// has in it.
    var isProperty: Bool { edge.hasPrefix(".") && !edge.dropFirst().contains { $0 == "." || $0 == "[" } }

    /// The same step through another edge, or with a reference that was not read by its type.
    func changed(edge: String? = nil, isTyped: Bool? = nil) -> RetentionStep {
        RetentionStep(
            holder: holder, edge: edge ?? self.edge, stableEdge: edge ?? stableEdge, file: file, line: line,
            isTyped: isTyped ?? self.isTyped)
    }
}
