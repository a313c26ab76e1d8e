#if os(Linux)
/// Who refers to each node: the graph turned round.
struct Holders: ~Copyable {
    private var start: MappedArray<Int32>
    private var entries: MappedArray<(node: Int32, edge: Int32)>

    /// O(n + e).
    init(_ graph: borrowing ObjectGraph) {
        let count = graph.nodes.count
        start = MappedArray(repeating: 0, count: count + 1)
        entries = MappedArray(repeating: (0, 0), count: graph.edges.count)
        for edge in 0..<graph.edges.count { start[Int(graph.edges[edge].target) + 1] += 1 }
        for node in 0..<count { start[node + 1] += start[node] }
        var next = MappedArray<Int32>()
        for node in 0..<count { next.append(start[node]) }
        for node in 0..<count {
            for edge in graph.edgeRange(node) {
                let target = Int(graph.edges[edge].target)
                entries[Int(next[target])] = (Int32(node), Int32(edge))
                next[target] += 1
            }
        }
    }

    func range(_ node: Int) -> Range<Int> { Int(start[node])..<Int(start[node + 1]) }

    subscript(entry: Int) -> (node: Int32, edge: Int32) { entries[entry] }
}

/// All that directly or indirectly holds an object, nearest first.
struct HolderClosure {
    private(set) var nodes: [Int] = []
    /// Through which edge each of them holds the one before it.
    private(set) var steps: [Int: HolderPath.Step] = [:]
    /// Where the one before it is: the node that the step leads to.
    private(set) var held: [Int: Int] = [:]
    /// Whether there are blocks among them, which nobody counts the references to.
    private(set) var hasBlocks = false
    /// The first one whose counted references are not those that were found, and how many of how many were.
    private(set) var mismatch: (node: Int, found: Int, counted: Int)?

    /// O(h) for *h* holders and the references between them.
    init(of node: Int, _ graph: borrowing ObjectGraph, _ holders: borrowing Holders, typedOnly: Bool) {
        var seen: Set<Int> = [node]
        nodes = [node]
        var position = 0
        while position < nodes.count {
            let current = nodes[position]
            position += 1
            var found = 0
            for entry in holders.range(current) {
                let (holder, edge) = holders[entry]
                if typedOnly && !graph.edges[Int(edge)].isTyped { continue }
                found += 1
                if seen.insert(Int(holder)).inserted {
                    nodes.append(Int(holder))
                    steps[Int(holder)] = HolderPath.Step(node: Int(holder), edge: Int(edge))
                    held[Int(holder)] = current
                }
            }
            if graph.nodes[current].metadata == 0 { hasBlocks = true }
            let counted = graph.nodes[current].references
            if mismatch == nil, found != counted, counted >= 0 || found == 0 { mismatch = (current, found, counted) }
        }
    }

    /// The steps from a holder down to what is held.
    func way(from holder: Int) -> [HolderPath.Step] {
        var way: [HolderPath.Step] = [], current = holder
        while let step = steps[current], let next = held[current] {
            way.append(step)
            current = next
        }
        return way
    }
}
#endif
