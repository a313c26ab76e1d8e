/// The reason why an object is alive: a chain of strong references to it that begins at a global variable or at a
/// cycle.
///
/// Read the steps from the first to the last: each holder holds the next holder through its edge, and the last holder
/// holds the target.
public struct Retention: Sendable {
    /// The type of the held object: `ViewModel`.
    public let target: String
    /// The holders, from the outermost to the direct holder of the target; never empty.
    public let steps: [RetentionStep]
    /// The number of steps at the beginning that form a cycle, in which the last holder holds the first one. 0 for a
    /// chain that begins at a global variable.
    ///
    /// If all steps form the cycle, the target is the first holder. Otherwise the other steps lead from an object of
    /// the cycle to the target.
    public let cycleLength: Int
    /// The confidence in this answer.
    public let grade: RetentionGrade
    /// The change to make, in a sentence: `capture 'self' weakly in the closure at ViewModel.swift:42`. Empty if no
    /// change is certain to fit.
    public let advice: String
    /// A summary in one line: the class that leaks, its holder and the change to make.
    ///
    /// `ProfileScreen, held by a cycle over 'ProfileScreen.bag': capture 'self' weakly in the closure at
    /// ProfileScreen.swift:23`.
    public let headline: String
    /// The user's class to look at, which is on the path and leaks with the target; `nil` if there is no such class,
    /// and for a retention that was decoded.
    public let owner: String?
    /// Further information of the search; `nil` for a retention that was decoded.
    let found: Found?

    /// The objects that a path names, and the source of its advice.
    struct Found {
        /// The objects of the user's classes on the path, the outermost holder first, with the names of the classes.
        var classes: [(address: UInt, name: String)] = []
        /// The addresses of the objects on the path, the holders first and the target last. Other leaks on this path
        /// have the same cause.
        var trail: [UInt] = []
        /// Whether an object of the tracer is on the path. A word in such an object may be an address that the tracer
        /// has stored, and not a reference.
        var isOfTracer = false
        /// Whether a variable of Swift Testing leads to the target, which is not an object of the user's.
        var isOfSwiftTesting = false
        /// The number of steps at the beginning that may only look like references, because the memory may still
        /// contain earlier words.
        var guesses = 0
        /// Whether the path begins at a word on a stack.
        var isHeldByStack = false
        /// Whether the path consists of a variable of libdispatch and of memory without a type. Such memory may contain
        /// earlier words, for example that of a cancelled sleep.
        var isInMemoryOfDispatch = false
        /// Whether none of the holders has a name.
        var isAnonymous = false
        /// The source of the advice; `nil` in a report.
        var adviser: Advice?
        /// The cause of the leak.
        var cause: LeakCause = .unknown
        /// The user's collection that the runs fill, if it is the cause, and the path does not begin at a variable of
        /// the user's. The path to such a collection is not the mistake, and may differ from run to run.
        var collection: String?
        /// The number of objects of each of the user's classes that leak with the target.
        var keeps: [String: Int] = [:]

        /// Removes the addresses of the program's objects.
        mutating func removeAddresses() { (classes, trail, adviser) = ([], [], nil) }
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

    /// ` (keeps 1 FeedWorker alive)`; empty if the subject is one of these objects.
    private static func kept(_ objects: [String: Int], by subject: String) -> String {
        if objects.isEmpty || objects[subject] != nil { return "" }
        let most = objects.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
        return " (keeps \(most.map { "\($0.value) \($0.key)" }.joined(separator: ", ")) alive)"
    }

    private static func keeper(_ steps: [RetentionStep], _ cycleLength: Int) -> String {
        guard let first = steps.first else { return "something" }
        if first.kind == .untilDisposed { return "\(first.holder) \(first.edge)" }
        guard cycleLength > 0 else { return first.kind == .localVariable ? "a task" : first.holder }
        // A property describes a cycle best.
        let field = steps.prefix(cycleLength).first(where: \.isThroughProperty)
        return "a cycle over " + (field.map { "'\($0.holder)\($0.edge)'" } ?? first.holder)
    }

    /// Returns a copy with the user's names of the target and its owner, and with advice that names the places in
    /// `sites`.
    func named(_ target: String?, owner: String?, made sites: Advice.Sites) -> Retention {
        var found = found
        if let adviser = found?.adviser {
            let cause = adviser.cause(sites)
            found?.cause = cause
            let isOthers = sites.new != nil && !adviser.beginsAtUsersVariable
            found?.collection = if isOthers, case .collection(let name, _, _) = cause { name } else { nil }
        }
        return Retention(
            target: target ?? self.target, steps: steps, cycleLength: cycleLength, grade: grade,
            advice: found?.cause.advice ?? advice, owner: owner, found: found)
    }

    /// Returns a copy whose grade is *likely* for a reason, if the grade was *proven*.
    func doubted(because reason: String) -> Retention {
        guard grade == .proven else { return self }
        return Retention(
            target: target, steps: steps, cycleLength: cycleLength, grade: .likely(because: reason), advice: advice,
            owner: owner, found: found)
    }

    /// Returns a copy with the objects of the user's that leak with the target.
    func keeping(_ objects: [String: Int]) -> Retention {
        var found = found
        found?.keeps = objects
        return Retention(
            target: target, steps: steps, cycleLength: cycleLength, grade: grade, advice: advice, owner: owner,
            found: found)
    }

    /// Returns a copy without the addresses of the program's objects. The program frees a report into its own memory,
    /// in which a later search would take the addresses for references.
    func withoutAddresses() -> Retention {
        var found = found
        found?.removeAddresses()
        return Retention(
            target: target, steps: steps, cycleLength: cycleLength, grade: grade, advice: advice, owner: owner,
            found: found)
    }

    /// Whether the path names an object, a variable or a function that holds the target. Such a path distinguishes
    /// leaks.
    var namesPlace: Bool { !(found?.isAnonymous ?? false) }

    /// The cause of the leak; `.unknown` for a retention that was decoded.
    var cause: LeakCause { found?.cause ?? .unknown }

    var trail: [UInt] { found?.trail ?? [] }

    /// Whether the target is a task, or memory that a task directly refers to.
    var isOfTask: Bool { found?.adviser.map { $0.task != nil || $0.way.last?.kind == .task } ?? false }

    /// Whether the target is memory that delayed work of libdispatch directly refers to.
    var isOfDelayedWork: Bool { found?.adviser?.way.last?.kind == .delayedWork }

    /// Whether an object of the user's is on the path, or is the target.
    var hasUsersObjects: Bool { !(found?.classes.isEmpty ?? true) }

    /// Whether the path leads through objects of the tracer. Such a path is no evidence.
    var isOfTracer: Bool { found?.isOfTracer ?? false }

    /// Whether Swift Testing keeps the target for its own use, such as the stacks of errors that were thrown.
    var isOfSwiftTesting: Bool { found?.isOfSwiftTesting ?? false }

    /// Whether the path begins at a word on a stack, which only seems to hold the target.
    var isHeldByStack: Bool { found?.isHeldByStack ?? false }

    /// Whether the path consists of words that may only look like references: a word on a stack, memory of libdispatch,
    /// or memory of tasks or a cycle of memory, both without a name.
    var isGuess: Bool {
        if isHeldByStack { return true }
        if hasUsersObjects { return false }
        if found?.isInMemoryOfDispatch ?? false { return true }
        if namesPlace { return false }
        return isCycle || steps.allSatisfy { $0.kind == .localVariable && !$0.isTyped }
    }

    /// Whether the target is the requested object, and not the first holder of a cycle that contains it.
    var isOfTarget: Bool { steps.count > cycleLength || steps[0].kind == .untilDisposed }

    /// Whether a cycle holds the target. The target is on the cycle, or objects of the cycle lead to it.
    public var isCycle: Bool { cycleLength > 0 }

    /// The names that stay the same between runs and builds: the steps without lines and positions, and the target.
    ///
    /// Holders at the beginning that may only seem to hold the next one, such as a local variable or memory of a C
    /// library, are left out. If the cause is a collection that the runs fill, and the path does not begin at a
    /// variable of the user's, the names are the name of the collection and the target.
    public var stableNames: [String] {
        if let collection = found?.collection { return [collection, target] }
        return stableSteps.map(\.stableName) + [target]
    }

    private var stableSteps: ArraySlice<RetentionStep> { steps.dropFirst(found?.guesses ?? 0) }

    /// Whether a closure of a known function is among the holders that have a stable name.
    var namesClosure: Bool { found?.collection == nil && stableSteps.contains(where: \.isNamedClosure) }
}

extension Retention {
    /// The retention of a block of memory to which no counted reference was found. Pointers are not counted. `sizes`
    /// are the sizes of such blocks, and `place` is the line that allocates them.
    static func unfreed(blocksOf sizes: [Int], madeAt place: String?, at address: UInt) -> Retention {
        let step = RetentionStep(holder: "no counted reference", through: RetentionEdge(.unknown), isTyped: false)
        let cause = LeakCause.unfreed(madeAt: place)
        return Retention(
            target: sizes.count == 1 ? "a block of \(String.counted(sizes[0], "byte"))" : "blocks of the heap",
            steps: [step], cycleLength: 0,
            grade: .likely(because: "pointers, which are not counted, may refer to it"),
            advice: cause.advice, owner: nil,
            found: Found(
                trail: [address], isAnonymous: true,
                adviser: Advice(steps: [step], cycleLength: 0, cycle: [], way: [], fixed: cause), cause: cause))
    }
}

extension Retention: Hashable {
    /// Whether the two have the same text, regardless of the objects.
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
    /// Every edge was read by its type. For a cycle, every counted strong reference to the target and to its holders
    /// was found as well, so nothing else can hold the target.
    case proven
    /// A path was found, but a reference on it could not be read by its type, or some references were not found. The
    /// text gives the reason.
    case likely(because: String)
}

extension Retention: CustomStringConvertible {
    /// The grade, one line for each step, and the change to make in the last line.
    public var description: String {
        (["\(title):"] + holders.map { "  \($0)" } + (advice.isEmpty ? [] : [advice])).joined(separator: "\n")
    }

    /// `Screen is held by a cycle, proven`.
    var title: String { "\(target) is held by \(isCycle ? "a cycle" : "a chain"), \(grade)" }

    /// One line for each step, and one for the target.
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

    /// The grade without the reason for a doubt.
    private enum GradeName: String, Codable { case proven, likely }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        target = try container.decode(String.self, forKey: .target)
        steps = try container.decode([RetentionStep].self, forKey: .steps)
        cycleLength = try container.decode(Int.self, forKey: .cycleLength)
        switch try container.decode(GradeName.self, forKey: .grade) {
        case .proven: grade = .proven
        case .likely: grade = .likely(because: try container.decodeIfPresent(String.self, forKey: .doubt) ?? "")
        }
        advice = try container.decode(String.self, forKey: .advice)
        headline = try container.decode(String.self, forKey: .headline)
        (owner, found) = (nil, nil)
    }

    /// Writes the text, without the further information of the search.
    public func encode(to encoder: any Encoder) throws {
        let doubt: String? = if case .likely(let reason) = grade { reason } else { nil }
        try encoder.write([
            CodingKeys.target: target, .steps: steps, .cycleLength: cycleLength,
            .grade: doubt == nil ? GradeName.proven : .likely, .doubt: doubt, .advice: advice, .headline: headline,
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
