#if os(Linux)
/// Finds who holds an object, from what a reader has found.
final class RetentionSearch {
    private let contents: HeapContents
    private let symbols = SymbolTable()

    // Worked out when first asked for.
    private var holders: Holders?
    private var typedDistances: Distances?
    private var allDistances: Distances?
    private var typedCycles: MappedArray<Int32>?
    private var allCycles: MappedArray<Int32>?

    /// Of so many leaked objects of a group the best explained one is taken.
    private static let candidates = 16

    init(_ contents: HeapContents) { self.contents = contents }

    func addresses(of type: Metadata) -> [UInt] {
        (0..<contents.reader.graph.nodes.count).filter { contents.reader.graph.nodes[$0].metadata == type.address }.map { contents.reader.graph.nodes[$0].address }
    }

    func retention(of addresses: [UInt]) -> Retention? {
        let nodes = addresses.lazy.compactMap { self.contents.reader.object(at: $0) }.prefix(Self.candidates)
        var best: HolderPath?
        for node in nodes {
            guard let path = path(to: node) else { continue }
            if best.map({ rank(path) < rank($0) }) ?? true { best = path }
        }
        return best.map { PathNaming(contents: contents, symbols: symbols).retention($0) }
    }

    /// Smaller is better: proven before likely, short before long.
    private func rank(_ path: HolderPath) -> Int { (path.grade == .proven ? 0 : 1 << 20) + path.cycle.count + path.steps.count }

    // MARK: One object

    private func path(to node: Int) -> HolderPath? {
        prepare()
        if let (root, steps) = typedDistances!.way(to: node) {
            return HolderPath(root: contents.roots[root], steps: steps, subject: node, grade: .proven)
        }
        let typed = HolderClosure(of: node, contents.reader.graph, holders!, typedOnly: true)
        if typed.mismatch == nil, let cycle = cycle(near: typed, typedCycles!, typedOnly: true, grade: .proven) { return cycle }
        let all = HolderClosure(of: node, contents.reader.graph, holders!, typedOnly: false)
        if all.mismatch == nil, !all.hasBlocks, let cycle = cycle(near: all, allCycles!, typedOnly: false, grade: .likely(because: Self.untyped)) { return cycle }
        if let (root, steps) = allDistances!.way(to: node) {
            return HolderPath(root: contents.roots[root], steps: steps, subject: node, grade: .likely(because: Self.untyped))
        }
        let doubt = RetentionGrade.likely(because: (typed.mismatch ?? all.mismatch).map(unaccounted) ?? Self.untyped)
        return cycle(near: typed, typedCycles!, typedOnly: true, grade: doubt) ?? cycle(near: all, allCycles!, typedOnly: false, grade: doubt)
    }

    private static let untyped = "a reference on the way was not read by its type"

    private func unaccounted(_ mismatch: (node: Int, found: Int, counted: Int)) -> String {
        let name = PathNaming(contents: contents, symbols: symbols).name(of: mismatch.node)
        return "\(name) is held \(mismatch.counted) times, and \(mismatch.found) of the references were found: "
            + "a local variable, another thread or memory that was not read may hold it too"
    }

    private func prepare() {
        if holders != nil { return }
        holders = Holders(contents.reader.graph)
        typedDistances = Distances(contents.reader.graph, contents.roots, typedOnly: true) { self.isTyped($0) }
        allDistances = Distances(contents.reader.graph, contents.roots, typedOnly: false) { $0.place == .global }
        typedCycles = contents.reader.graph.cycles(typedOnly: true)
        allCycles = contents.reader.graph.cycles(typedOnly: false)
    }

    /// Whether the symbol at a root says that a Swift variable holds a strong reference there.
    private func isTyped(_ root: Root) -> Bool {
        guard root.place == .global, contents.reader.graph.nodes[Int(root.node)].metadata != 0, let symbol = symbols.symbol(at: root.address) else { return false }
        return GlobalName(symbol)?.isStrong ?? false
    }

    // MARK: Cycles

    /// The shortest cycle through the nearest holder that is on one.
    private func cycle(
        near closure: HolderClosure, _ cycles: borrowing MappedArray<Int32>, typedOnly: Bool, grade: RetentionGrade
    ) -> HolderPath? {
        guard let start = closure.nodes.first(where: { cycles[$0] >= 0 }) else { return nil }
        var parents: [Int: HolderPath.Step] = [:], queue = [start], position = 0
        while position < queue.count {
            let node = queue[position]
            position += 1
            for number in contents.reader.graph.edgeRange(node) {
                let edge = contents.reader.graph.edges[number], target = Int(edge.target)
                if typedOnly && !edge.isTyped || cycles[target] != cycles[start] { continue }
                if target == start {
                    var steps = [HolderPath.Step(node: node, edge: number)]
                    while let last = steps.last, last.node != start { steps.append(parents[last.node]!) }
                    return HolderPath(
                        root: nil, cycle: steps.reversed(), steps: closure.way(from: start), subject: closure.nodes[0], grade: grade)
                }
                if parents[target] == nil {
                    parents[target] = HolderPath.Step(node: node, edge: number)
                    queue.append(target)
                }
            }
        }
        return nil
    }
}
#endif
