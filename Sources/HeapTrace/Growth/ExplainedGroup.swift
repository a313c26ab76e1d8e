/// A group that grows, together with its holder.
struct ExplainedGroup {
    private let found: GrowthGroup
    private let retention: Retention
    /// The user's class on the path that leaks with the target; `nil` if there isn't one.
    private let owner: String?
    /// The addresses of all its objects.
    private let addresses: Set<UInt>
    /// The objects that are on the path to one target only. They leak together with that target.
    private let company: Set<UInt>
    /// The objects on the path that lead to several targets: the collection that keeps the targets, and its owner.
    private var shared: Set<UInt> { Set(retention.trail.dropLast()).subtracting(company) }
    /// The addresses of the user's calls that made the objects; empty if they are not known.
    private let makers: [UInt]
    /// The objects on the path that the runs have made; `nil` if these are not known.
    private let new: Set<UInt>?
    /// Whether its objects are instances of a class that the user did not write.
    private let isOfLibrary: Bool

    /// Finds the holder of the group; `nil` if no holder was found.
    init?(_ found: GrowthGroup, _ objects: HeapCensus.Objects, _ census: HeapCensus) {
        let heap = census.now
        let sample = objects.sample
        var ways = sample.compactMap { heap.retentionWithAddresses(of: [$0]) }
            .filter { !$0.isOfTracer && !$0.isOfSwiftTesting }
        if found.metric.isObjects, ways.count(where: { !$0.isHeldByStack }) * 2 < sample.count {
            // If most targets have no holder, a word on a stack that looks like a reference is no evidence.
            let held = ways.filter { !$0.isHeldByStack }
            ways = held.isEmpty ? sample.compactMap { heap.retention(withoutStacks: $0) ?? heap.unheld($0) } : held
        }
        if found.metric == .heapBytes, ways.count(where: { !$0.isGuess }) * 2 < sample.count {
            ways.removeAll(where: \.isGuess)
        }
        self.init(found, objects, census, heldBy: ways)
    }

    /// Blocks that the user's code allocates, if no holder of them was found; `nil` for another group.
    init?(unfreed found: GrowthGroup, _ objects: HeapCensus.Objects, _ census: HeapCensus) {
        guard found.metric == .heapBytes, !(found.creationStack?.framesOfYours.isEmpty ?? true) else { return nil }
        let place = found.creationStack?.placeOfYours
        self.init(
            found, objects, census,
            heldBy: objects.sample.map { .unfreed(blocksOf: found.blockSizes, madeAt: place, at: $0) })
    }

    private init?(
        _ found: GrowthGroup, _ objects: HeapCensus.Objects, _ census: HeapCensus, heldBy ways: [Retention]
    ) {
        let heap = census.now
        var ways = ways
        // The new objects are passed to the naming, so that all paths to one collection get the same names.
        ways = ways.map { $0.named(nil, owner: nil, made: Advice.Sites(new: census.new($0.trail))) }
        let kinds = Array(Dictionary(grouping: ways, by: \.stableNames).values)
        let sorted = kinds.sorted { $0[0].stableNames.lexicographicallyPrecedes($1[0].stableNames) }
        guard let usual = Self.usual(sorted, of: Set(objects.all)) else { return nil }
        self.found = found
        let company = Self.company(on: kinds)
        let new = census.new(usual.trail)
        self.new = new
        // The first object on the path that is new and leads to one target only leaks with the target, and so do the
        // objects that it holds.
        let first = usual.trail.first { new?.contains($0) ?? false && company.contains($0) } ?? usual.trail.last
        let keeps = first.map { heap.usersObjects(heldBy: $0, since: census.mark?.heap) } ?? [:]
        retention = (objects.doubt.map(usual.doubted(because:)) ?? usual).keeping(keeps)
        (addresses, self.company) = (Set(objects.all), company)
        let leaking = usual.found?.classes.first { company.contains($0.address) }
        // All objects on a cycle leak, and so do the objects that the cycle holds.
        let isOfUsers = usual.isCycle && usual.steps[0].kind != .untilDisposed
        owner = leaking?.name ?? (isOfUsers ? usual.found?.classes.first?.name : nil)
        makers = found.creationStack?.framesOfYours.map(\.address) ?? []
        isOfLibrary =
            found.metric.isObjects && found.metric != .closures
            && (objects.suspects.first.flatMap { heap.origin(of: $0) } ?? .user) != .user
    }

    var metric: GrowthMetric { found.metric }
    /// Whether the path to it leads through an object of another group.
    func leads(through other: ExplainedGroup) -> Bool {
        !other.addresses.isDisjoint(with: retention.trail)
    }
    /// Whether the other group's report covers this memory: its objects refer to it, it is the storage of the
    /// collection that keeps them, or the advice is the same.
    func isExplained(by other: ExplainedGroup) -> Bool {
        leads(through: other) || other.retention.trail.contains { addresses.contains($0) }
            || retention.cause == other.retention.cause
    }
    /// Whether the new elements of a collection lead to one of its objects, or to an object on the path to one: to the
    /// tasks that hold it, for example.
    func isKept(by collection: ExplainedGroup, _ census: HeapCensus) -> Bool {
        let objects = addresses.union(retention.trail)
        return collection.addresses.contains { census.now.leads(from: $0, toAnyOf: objects, since: census.mark?.heap) }
    }
    /// Whether it is a collection of unmanaged pointers. A snapshot does not follow these as references.
    func hasPointers(in heap: HeapSnapshot) -> Bool { addresses.contains(where: heap.keepsPointers) }
    var isKnown: Bool { retention.cause.isKnown }
    var isProven: Bool { retention.grade == .proven }
    var isCycle: Bool { retention.isCycle }
    func isAbout(_ group: GrowthGroup) -> Bool { found == group }

    /// Returns the path that holds most targets. Among the kinds of path that hold at least a third of that number, a
    /// kind whose advice names a line is preferred. Within the kind, proven paths are preferred, and among those the
    /// most frequent cause: a path through a stale word looks like the other paths, but begins at an older holder.
    ///
    /// If some of the targets hold others, as a task holds its memory, the paths to the holders are preferred in the
    /// same way.
    private static func usual(_ kinds: [[Retention]], of targets: Set<UInt>) -> Retention? {
        let most = kinds.map(\.count).max() ?? 0
        let frequent = kinds.filter { $0.count * 3 >= most }
        let outer = frequent.filter { $0[0].trail.dropLast().allSatisfy { !targets.contains($0) } }
        let many = outer.isEmpty ? frequent : outer
        // A path through a task that is running, or has not begun, does not name a line.
        let telling = many.filter { $0[0].cause.namesLine }
        let usual = (telling.isEmpty ? many : telling).max { $0.count < $1.count } ?? []
        let proven = usual.filter { $0.grade == .proven }
        let paths = proven.isEmpty ? usual : proven
        let counts = Dictionary(paths.map { ($0.cause, 1) }, uniquingKeysWith: +)
        return paths.first { counts[$0.cause] == counts.values.max() }
    }

    /// The objects that are on one path only, without kinds of path that were found only once: such a path is no
    /// evidence of a lasting holder. If all kinds were found only once, the targets are the result.
    private static func company(on kinds: [[Retention]]) -> Set<UInt> {
        let usual = kinds.filter { $0.count > 1 }.flatMap { $0 }
        if usual.isEmpty { return Set(kinds.flatMap { $0 }.compactMap(\.trail.last)) }
        let counts = Dictionary(usual.flatMap { Set($0.trail) }.map { ($0, 1) }, uniquingKeysWith: +)
        return Set(counts.filter { $0.value == 1 }.keys)
    }

    // MARK: Causes

    /// Merges the groups that have the same cause. O(n²) for *n* groups.
    ///
    /// Resources have a group for each place where they were made. Objects have one group for each class, which can
    /// belong to several causes; such a group is listed with each of them. A group of a library's class that belongs to
    /// no cause is also listed with each, unless its advice names a line or a collection of the user's.
    static func causes(of groups: [ExplainedGroup]) -> [Cause] {
        let sorted = groups.sorted { $0.order < $1.order }
        var causes = components(of: sorted.filter { !$0.found.metric.isObjects })
        for group in sorted where group.found.metric.isObjects {
            var touched = causes.indices.filter { causes[$0].members.contains { hangTogether(group, $0) } }
            // The user must remove these objects from the collection, even if an allowance covers the other leak.
            if group.isInCollection { touched.removeAll { !causes[$0].leads(over: group.shared) } }
            if touched.isEmpty, group.isOfLibrary, !group.namesLine, !group.isInCollection {
                touched = Array(causes.indices)
            }
            if touched.isEmpty { causes.append(Cause(members: [group])) }
            if touched.count == 1 { causes[touched[0]].members.append(group) }
            if touched.count > 1 { for index in touched { causes[index].others.append(group.found) } }
        }
        for index in causes.indices { causes[index].members.sort { $0.order < $1.order } }
        return causes.sorted { $0.members[0].order < $1.members[0].order }
    }

    private static func components(of groups: [ExplainedGroup]) -> [Cause] {
        var rest = groups[...]
        var causes: [Cause] = []
        while let first = rest.popFirst() {
            var members = [first]
            var position = 0
            while position < members.count {
                let member = members[position]
                position += 1
                members += rest.filter { hangTogether(member, $0) }
                rest = rest.filter { !hangTogether(member, $0) }[...]
            }
            causes.append(Cause(members: members))
        }
        return causes
    }

    /// Whether a single change would release both groups. It would if the same call made both, if both have the same
    /// advice, if one is on the path to the other, if both leak together with a third object, or if one cycle holds
    /// both.
    private static func hangTogether(_ one: ExplainedGroup, _ other: ExplainedGroup) -> Bool {
        if !one.makers.isEmpty, one.makers == other.makers { return true }
        let isMadeElsewhere = !one.makers.isEmpty && !other.makers.isEmpty
        if !isMadeElsewhere, one.namesLine || one.isOfSystem || one.isInCollection,
            one.retention.cause == other.retention.cause
        {
            return true
        }
        if !one.company.isDisjoint(with: other.addresses) || !other.company.isDisjoint(with: one.addresses) {
            return true
        }
        return !one.company.isDisjoint(with: other.company) || isSameCycle(one.retention, other.retention)
    }

    /// Whether the advice names a collection of the user's.
    var isInCollection: Bool { if case .collection = retention.cause { true } else { false } }

    /// Whether the advice names a line.
    private var namesLine: Bool { retention.cause.namesLine }

    var isOfSystem: Bool { if case .system = retention.cause { true } else { false } }

    /// Whether one cycle holds both. The cycles of subscriptions and timers with themselves all look alike, so only
    /// cycles through objects of the user's are compared, by name.
    private static func isSameCycle(_ one: Retention, _ other: Retention) -> Bool {
        guard one.isCycle, other.isCycle, one.steps[0].kind != .untilDisposed,
            other.steps[0].kind != .untilDisposed
        else { return false }
        func names(_ retention: Retention) -> Set<String> {
            Set(retention.steps.prefix(retention.cycleLength).map(\.stableName))
        }
        return one.cause.isKnown && one.cause == other.cause || names(one) == names(other)
    }

    /// Sorts the clearest group first: the types that users know best, then the shortest path. Last are objects of a
    /// library, and elements of a collection of a library, which are often a consequence of another leak.
    private var order: (Int, Int, Int, String) {
        let maker = found.creationStack?.framesOfYours.first?.description ?? ""
        let isLast = isOfLibrary || found.metric.isCollection && !isInCollection
        return (
            isLast ? 3 : found.metric.displayRank, retention.steps.count, retention.trail.count,
            "\(found.metric) \(maker)"
        )
    }

    /// The groups of one cause, the clearest first.
    struct Cause {
        fileprivate var members: [ExplainedGroup]
        /// Groups that may also belong to other causes.
        fileprivate var others: [GrowthGroup] = []

        /// Whether the path to one of its groups leads through one of these objects.
        fileprivate func leads(over objects: Set<UInt>) -> Bool {
            members.contains { !objects.isDisjoint(with: $0.retention.trail) }
        }

        /// The first group, with the other groups as its companions, and with advice that names the places to look at.
        var group: GrowthGroup {
            let first = members[0]
            let found = first.found
            // Objects are only counted, so the stack of a resource that was made with them is used.
            let stack = found.creationStack ?? members.lazy.compactMap(\.found.creationStack).first
            var name: String?
            if case .type(let type, _) = found.metric, first.retention.isOfTarget { name = type }
            let company = (members.dropFirst().map(\.found) + others)
                .filter { $0.metric != found.metric && $0.metric != .heapBytes }
            let (counts, verdict, sizes) = sum
            return GrowthGroup(
                metric: found.metric, counts: counts, verdict: verdict, creationStack: stack,
                retention: first.retention.named(name, owner: owner, made: places),
                companions: GrowthCompanion.companions(of: company), blockSizes: sizes)
        }

        /// The counts of the first group. Bytes of one cause are added up, regardless of the function that allocates
        /// them and of the sizes of the blocks.
        private var sum: (counts: [Int], verdict: GrowthVerdict, blockSizes: [Int]) {
            let groups = members.map(\.found).filter { $0.metric == .heapBytes }
            let slopes = groups.compactMap { if case .growing(let slope) = $0.verdict { slope } else { nil } }
            guard let first = groups.first, groups.count == members.count, slopes.count == groups.count else {
                return (members[0].found.counts, members[0].found.verdict, members[0].found.blockSizes)
            }
            let low = slopes.reduce(0) { $0 + $1.interval.lowerBound }
            let high = slopes.reduce(0) { $0 + $1.interval.upperBound }
            return (
                groups.dropFirst().reduce(first.counts) { zip($0, $1.counts).map(+) },
                .growing(GrowthSlope(perRun: slopes.reduce(0) { $0 + $1.perRun }, interval: low...high)),
                Set(groups.flatMap(\.blockSizes)).sorted()
            )
        }

        /// The user's class to look at: the class that is counted, or else the first one on a path.
        private var owner: String? {
            if members[0].found.metric.isObjects { return members[0].retention.target }
            return members.lazy.compactMap(\.owner).first
        }

        private var places: Advice.Sites {
            let subscriptions = members.map(\.found).filter(\.metric.isSubscription)
            let grouping = subscriptions.first { $0.metric == .type("groupBy", .sink) }
            // After the sequence of groups is disposed, the subscription to a group keeps the source.
            let placeOfGrouping = grouping?.creationStack?.placeOfYours
            let ofGroup = subscriptions.first {
                $0.metric.isSubscriber && $0.creationStack?.placeOfYours != placeOfGrouping
            }
            let subscription = grouping != nil ? ofGroup ?? grouping : subscriptions.first
            return Advice.Sites(
                subscription: subscription?.creationStack?.placeOfYours, isOfGroup: grouping != nil && ofGroup != nil,
                held: members[0].found.creationStack?.placeOfYours, new: members[0].new)
        }
    }
}

extension GrowthMetric {
    /// Sort key: 0 for classes, then operators and public types, then the rest.
    fileprivate var displayRank: Int {
        switch self {
        case .closures: 2
        case .objects: 0
        case .type(let name, .disposable): HeapRole.isPublicDisposable(name) ? 1 : 2
        default: 1
        }
    }

    /// Whether a call of `subscribe` made it.
    fileprivate var isSubscriber: Bool { if case .type("subscribe", .sink) = self { true } else { false } }

    fileprivate var isSubscription: Bool {
        switch self {
        case .type(_, .sink), .type(_, .connection): true
        // A bag is made at a different place than the disposables in it.
        case .type(let name, .disposable): !HeapRole.isPublicDisposable(name)
        default: false
        }
    }
}

extension CallStack {
    /// The file and line of the innermost call in the user's code; `nil` if that call has no line.
    fileprivate var placeOfYours: String? { framesOfYours.first.flatMap { $0.line == nil ? nil : $0.place } }
}
