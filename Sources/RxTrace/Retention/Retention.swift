/// The holders of something that should be gone: a chain of strong references that begins at a global, or closes around
/// a cycle.
///
/// The steps read downwards: each holder holds the next one through its edge, and the last one holds the target.
public struct Retention: Sendable {
    /// The type of the held object: `ViewModel`.
    public let target: String
    /// The holders, from the outermost to the direct holder of the target; never empty.
    public let steps: [RetentionStep]
    /// How many steps at the beginning form a cycle: the last of them holds the first. 0 for a chain that begins at a
    /// global.
    ///
    /// If there are no others, the target is the first holder, and holds itself; else the cycle's first holder holds
    /// what follows.
    public let cycleLength: Int
    /// How sure the answer is.
    public let grade: RetentionGrade
    /// The change to make, in a sentence: `capture 'self' weakly in the closure at ViewModel.swift:42`; empty if no
    /// change is sure to fit.
    public let advice: String
    /// The whole in one line: the class that leaks, how it is held, and what to change.
    ///
    /// `ProfileScreen, held by a cycle over 'ProfileScreen.bag': capture 'self' weakly in the closure at
    /// ProfileScreen.swift:23`.
    public let headline: String
    /// The user's class to look at: one that is on the path and leaks with the target; `nil` if there is none, and for
    /// a retention that was read back.
    public let owner: String?
    /// The search's own knowledge; `nil` for a retention that was read back.
    let found: Found?

    /// The objects behind the words of a path, and the source of its advice.
    struct Found {
        /// The objects of the user's classes on the way, holders first, with their names.
        var classes: [(address: UInt, name: String)] = []
        /// The addresses of the objects on the path, the holders first and the target last. Other leaks on this path
        /// have the same cause.
        var trail: [UInt] = []
        /// Whether an object of the search itself is on the way: a word there may be an address that it has noted.
        var isOfTracer = false
        /// Whether a variable of Swift Testing's holds it, and it is no object of the user's.
        var isOfSwiftTesting = false
        /// The number of steps at the beginning that only look like references, in memory where what was there before
        /// may still lie.
        var guesses = 0
        var isHeldByStack = false
        /// Whether none of the holders has a name.
        var isAnonymous = false
        /// The source of the advice.
        let adviser: Advice
        /// The cause of the leak.
        var cause: LeakCause = .unknown
        /// The user's collection that the runs fill, if it is the cause and no variable of the user's leads to it. The
        /// path that leads to it is not the mistake, and may differ from run to run.
        var collection: String?
        /// How many objects of each of the user's classes go with the target.
        var keeps: [String: Int] = [:]
    }

    package init(
        target: String, steps: [RetentionStep], cycleLength: Int, grade: RetentionGrade, advice: String,
        owner: String? = nil
    ) {
        self.init(
            target: target, steps: steps, cycleLength: cycleLength, grade: grade, advice: advice, owner: owner,
            found: nil)
    }

    init(
        target: String, steps: [RetentionStep], cycleLength: Int, grade: RetentionGrade, advice: String,
        owner: String?, found: Found?
    ) {
        self.target = target
        self.steps = steps
        self.cycleLength = cycleLength
        self.grade = grade
        self.advice = advice
        self.owner = owner
        self.found = found
        let subject = (owner ?? target) + Self.kept(found?.keeps ?? [:], by: owner ?? target)
        headline = Self.headline(subject, found?.collection ?? Self.keeper(steps, cycleLength), advice)
    }

    private static func headline(_ subject: String, _ keeper: String, _ advice: String) -> String {
        "\(subject), held by \(keeper)" + (advice.isEmpty ? "" : ": \(advice)")
    }

    /// ` (keeps 1 FeedWorker alive)`; nothing where the subject is one of them.
    private static func kept(_ objects: [String: Int], by subject: String) -> String {
        if objects.isEmpty || objects[subject] != nil { return "" }
        let most = objects.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
        return " (keeps \(most.map { "\($0.value) \($0.key)" }.joined(separator: ", ")) alive)"
    }

    private static func keeper(_ steps: [RetentionStep], _ cycleLength: Int) -> String {
        guard let first = steps.first else { return "something" }
        if first.kind == .untilDisposed { return "\(first.holder) \(first.edge)" }
        guard cycleLength > 0 else { return first.kind == .localVariable ? "a task" : first.holder }
        // Of a cycle the user's own field says most.
        let field = steps.prefix(cycleLength).first(where: \.isThroughProperty)
        return "a cycle over " + (field.map { "'\($0.holder)\($0.edge)'" } ?? first.holder)
    }

    /// The same with the names that users know the target and its owner by, and with advice that says where what is to
    /// change was made.
    func named(_ target: String?, owner: String?, made sites: Advice.Sites) -> Retention {
        var found = found
        if let adviser = found?.adviser {
            let cause = adviser.cause(sites)
            found?.cause = cause
            let isOthers = sites.new != nil && !adviser.beginsAtUsersVariable
            found?.collection = if isOthers, case .collection(let name, _) = cause { name } else { nil }
        }
        return Retention(
            target: target ?? self.target, steps: steps, cycleLength: cycleLength, grade: grade,
            advice: found?.cause.advice ?? advice, owner: owner, found: found)
    }

    /// The same as a likely answer, for a reason.
    func doubted(because reason: String) -> Retention {
        guard grade == .proven else { return self }
        return Retention(
            target: target, steps: steps, cycleLength: cycleLength, grade: .likely(because: reason), advice: advice,
            owner: owner, found: found)
    }

    /// The same with the objects of the user's that go with the target.
    func keeping(_ objects: [String: Int]) -> Retention {
        var found = found
        found?.keeps = objects
        return Retention(
            target: target, steps: steps, cycleLength: cycleLength, grade: grade, advice: advice, owner: owner,
            found: found)
    }

    /// Whether it names an object, a variable or a function that holds the target, and so distinguishes leaks.
    var namesPlace: Bool { !(found?.isAnonymous ?? false) }

    /// The cause of the leak; `.unknown` for a retention that was read back.
    var cause: LeakCause { found?.cause ?? .unknown }

    var trail: [UInt] { found?.trail ?? [] }

    /// Whether it is a task, or memory that a task itself refers to.
    var isOfTask: Bool { found.map { $0.adviser.task != nil || $0.adviser.way.last?.kind == .task } ?? false }

    /// Whether it is memory that work for later of libdispatch refers to itself.
    var isOfDelayedWork: Bool { found?.adviser.way.last?.kind == .delayedWork }

    /// Whether an object of the user's is on the way.
    var hasUsersObjects: Bool { !(found?.classes.isEmpty ?? true) }

    /// Whether the path leads through the search's own objects, and so is no evidence.
    var isOfTracer: Bool { found?.isOfTracer ?? false }

    /// Whether Swift Testing keeps it for itself, such as the stacks of errors that were thrown.
    var isOfSwiftTesting: Bool { found?.isOfSwiftTesting ?? false }

    /// Whether only a word on a stack seems to hold it.
    var isHeldByStack: Bool { found?.isHeldByStack ?? false }

    /// Whether the target is the requested object, and not the first holder of a cycle that contains it.
    var isOfTarget: Bool { steps.count > cycleLength || steps[0].kind == .untilDisposed }

    /// Whether a cycle holds the target: it is on it, or hangs on it.
    public var isCycle: Bool { cycleLength > 0 }

    /// The names that stay the same between runs and builds: the steps without lines and positions, and the target.
    ///
    /// Without what only seems to hold the first of them: a local variable, memory of a C library. Of a collection that
    /// the runs fill and no variable of the user's leads to, its name and the target.
    public var stableNames: [String] {
        if let collection = found?.collection { return [collection, target] }
        return stableSteps.map(\.stableName) + [target]
    }

    private var stableSteps: ArraySlice<RetentionStep> { steps.dropFirst(found?.guesses ?? 0) }

    /// Whether a closure of a known function is among the holders that have a stable name.
    var namesClosure: Bool { found?.collection == nil && stableSteps.contains(where: \.isNamedClosure) }
}

extension Retention: Hashable {
    /// Whether the two read the same, for any objects.
    public static func == (one: Retention, other: Retention) -> Bool {
        (one.target, one.steps, one.cycleLength, one.grade, one.advice) == (
            other.target, other.steps, other.cycleLength, other.grade, other.advice
        )
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(target)
        hasher.combine(steps)
        hasher.combine(advice)
    }
}

/// The confidence that a retention keeps its target alive.
public enum RetentionGrade: Sendable, Hashable {
    /// Every edge was read by its type, and nothing else can hold the target: each strong reference that is counted
    /// was found. Of a chain that begins at a global: every edge was read by its type.
    case proven
    /// The chain is there, but something on it could not be read by its type, or some references were not found; the
    /// text says what.
    case likely(because: String)
}

extension Retention: CustomStringConvertible {
    /// The grade, one line a step, and what to change in the last one.
    public var description: String {
        (["\(title):"] + holders.map { "  \($0)" } + (advice.isEmpty ? [] : [advice])).joined(separator: "\n")
    }

    /// `Screen is held by a cycle, proven`.
    var title: String { "\(target) is held by \(isCycle ? "a cycle" : "a chain"), \(grade)" }

    /// One line a step.
    var holders: [String] {
        var lines = steps.map(\.description)
        let goesOn = steps.count > cycleLength
        if isCycle {
            lines.insert(
                "\(steps[0].holder), where the cycle closes" + (goesOn ? ", and from there" : ""), at: cycleLength)
        }
        return goesOn ? lines + [target] : lines
    }
}

extension Retention: Codable {
    private enum CodingKeys: String, CodingKey {
        case target = "subject", steps, cycleLength, grade, doubt, advice, headline
    }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        target = try container.decode(String.self, forKey: .target)
        steps = try container.decode([RetentionStep].self, forKey: .steps)
        cycleLength = try container.decode(Int.self, forKey: .cycleLength)
        let doubt = try container.decodeIfPresent(String.self, forKey: .doubt)
        grade = try container.decode(String.self, forKey: .grade) == "proven" ? .proven : .likely(because: doubt ?? "")
        advice = try container.decode(String.self, forKey: .advice)
        headline = try container.decode(String.self, forKey: .headline)
        (owner, found) = (nil, nil)
    }

    /// Writes the words, without what the search knows besides.
    public func encode(to encoder: any Encoder) throws {
        let doubt: String? = if case .likely(let reason) = grade { reason } else { nil }
        try encoder.write([
            CodingKeys.target: target, .steps: steps, .cycleLength: cycleLength,
            .grade: doubt == nil ? "proven" : "likely", .doubt: doubt, .advice: advice, .headline: headline,
        ])
    }
}

extension RetentionGrade: CustomStringConvertible {
    /// `proven`, or `likely: ` and the reason.
    public var description: String {
        switch self {
        case .proven: "proven"
        case .likely(let reason): "likely: \(reason)"
        }
    }
}
