#if os(Linux)
/// Finds who holds an object, from what a reader has found.
final class RetentionSearch {
    private let contents: HeapContents
    private let naming: PathNaming

    // Worked out when first asked for.
    private var holders: Holders?
    private var typedDistances: Distances?
    private var globalDistances: Distances?
    private var stackDistances: Distances?
    private var typedCycles: MappedArray<Int32>?
    private var objectCycles: MappedArray<Int32>?
    private var anyCycles: MappedArray<Int32>?

    /// Of so many leaked objects of a group the best explained one is taken.
    private static let candidates = 16

    init(_ contents: HeapContents) {
        self.contents = contents
        naming = PathNaming(contents: contents)
    }

    func addresses(of type: Metadata) -> [UInt] {
        let count = contents.reader.graph.nodes.count
        return (0..<count).filter { contents.reader.graph.nodes[$0].metadata == type.address }.map { contents.reader.graph.nodes[$0].address }
    }

    func retention(of addresses: [UInt]) -> Retention? {
        let nodes = addresses.lazy.compactMap { self.contents.reader.object(at: $0) }.prefix(Self.candidates)
        var best: HolderPath?
        for node in nodes {
            guard let path = path(to: node) else { continue }
            if best.map({ rank(path) < rank($0) }) ?? true { best = path }
        }
        return best.map(naming.retention)
    }

    /// Smaller is better: proven before likely, short before long.
    private func rank(_ path: HolderPath) -> Int { (path.evidence == .complete ? 0 : 1 << 20) + path.cycle.count + path.steps.count }

    private func prepare() {
        if holders != nil { return }
        holders = Holders(contents.reader.graph)
        typedDistances = Distances(contents.reader.graph, contents.roots, typedOnly: true) { naming.isTyped($0) }
        globalDistances = Distances(contents.reader.graph, contents.roots, typedOnly: false) { $0.place != .stack }
        stackDistances = Distances(contents.reader.graph, contents.roots, typedOnly: false) { $0.place == .stack }
        typedCycles = contents.reader.graph.cycles(.typed)
        objectCycles = contents.reader.graph.cycles(.ofObjects)
    }

    /// The path to one object: proven if there is such a one, else the likeliest.
    private func path(to node: Int) -> HolderPath? {
        prepare()
        if let way = typedDistances!.way(to: node) { return chain(way, to: node, .complete) }
        let typed = HolderClosure(of: node, contents.reader.graph, holders!, .typed)
        if typed.mismatch == nil, let path = cycle(near: typed, typedCycles!, .typed, .complete) { return path }
        let objects = HolderClosure(of: node, contents.reader.graph, holders!, .ofObjects)
        if objects.mismatch == nil, let path = cycle(near: objects, objectCycles!, .ofObjects, .untyped) { return path }
        if let way = globalDistances!.way(to: node) { return chain(way, to: node, .untyped) }
        if let path = cycle(near: typed, typedCycles!, .typed, typed.mismatch ?? .untyped) { return path }
        if let path = cycle(near: objects, objectCycles!, .ofObjects, objects.mismatch ?? .untyped) { return path }
        if let path = foreignCycle(node) { return path }
        if let way = stackDistances!.way(to: node) { return chain(way, to: node, .untyped) }
        // Somebody holds it, or what holds it, and was not found.
        guard case .unaccounted(let holder, _, _)? = typed.mismatch, holder != node else { return nil }
        return HolderPath(root: nil, steps: typed.way(from: holder), subject: node, evidence: typed.mismatch ?? .untyped)
    }

    /// A cycle over memory that is no object: that of a task's frames, for example.
    private func foreignCycle(_ node: Int) -> HolderPath? {
        if anyCycles == nil { anyCycles = contents.reader.graph.cycles(.any) }
        let any = HolderClosure(of: node, contents.reader.graph, holders!, .any)
        return cycle(near: any, anyCycles!, .any, .untyped)
    }

    private func chain(_ way: (root: Int, steps: [HolderPath.Step]), to node: Int, _ evidence: HolderPath.Evidence) -> HolderPath {
        HolderPath(root: contents.roots[way.root], steps: way.steps, subject: node, evidence: evidence)
    }

    // MARK: Cycles

    /// The cycle that holds an object: of all that hang together there, the one through the object, or else through the class of the user's whose
    /// name comes first: all that one mistake holds is then explained by the same cycle.
    private func cycle(
        near closure: HolderClosure, _ cycles: borrowing MappedArray<Int32>, _ followed: FollowedEdges, _ evidence: HolderPath.Evidence
    ) -> HolderPath? {
        guard let nearest = closure.nodes.first(where: { cycles[$0] >= 0 }) else { return nil }
        let node = closure.nodes[0], component = cycles[nearest]
        let start = nearest == node && naming.isUsers(node) ? node : representative(closure, cycles, component) ?? nearest
        // What is kept in a bag is the user's own doing: that way first, if there is one, and only then over the observers of a subject.
        let cycle = way(from: [start], to: start, followed) { cycles[$0] == component && !naming.isListOfObservers($0) }
            ?? way(from: [start], to: start, followed) { cycles[$0] == component } ?? []
        guard !cycle.isEmpty else { return nil }
        let members = cycle.map(\.node)
        let rest = members.contains(node) ? [] : way(from: members, to: node, followed) { _ in true } ?? []
        return HolderPath(root: nil, cycle: cycle, steps: rest, subject: node, evidence: evidence)
    }

    private func representative(_ closure: HolderClosure, _ cycles: borrowing MappedArray<Int32>, _ component: Int32) -> Int? {
        var best: (node: Int, name: String)?
        for node in closure.nodes where cycles[node] == component && naming.isUsers(node) {
            let name = naming.name(of: node)
            if best == nil || name < best!.name { best = (node, name) }
        }
        return best?.node
    }

    /// The shortest way, of one edge at least. Breadth first: O(n + e) of what is reached.
    private func way(from starts: [Int], to end: Int, _ followed: FollowedEdges, _ isWithin: (Int) -> Bool) -> [HolderPath.Step]? {
        var parents: [Int: HolderPath.Step] = [:], queue = starts, position = 0
        let origins = Set(starts)
        while position < queue.count {
            let node = queue[position], holder = contents.reader.graph.nodes[node]
            position += 1
            for number in contents.reader.graph.edgeRange(node) {
                let edge = contents.reader.graph.edges[number], target = Int(edge.target)
                guard followed.follows(edge, of: holder), isWithin(target), parents[target] == nil else { continue }
                if target == end {
                    var steps = [HolderPath.Step(node: node, edge: number)]
                    while let last = steps.last, !origins.contains(last.node) { steps.append(parents[last.node]!) }
                    return steps.reversed()
                }
                if origins.contains(target) { continue }
                parents[target] = HolderPath.Step(node: node, edge: number)
                queue.append(target)
            }
        }
        return nil
    }
}
#endif
