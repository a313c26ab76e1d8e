#if os(Linux)
/// Which references are followed.
enum FollowedEdges {
    /// Those that were read by their types.
    case typed
    /// Those of objects: typed ones, and words of objects that are not described.
    case ofObjects
    /// All, those of blocks that are no objects too.
    case any

    func follows(_ edge: ObjectGraph.Edge, of holder: ObjectGraph.Node) -> Bool {
        edge.isTyped || self == .any || self == .ofObjects && holder.metadata != 0
    }
}

/// All that directly or indirectly holds an object, nearest first.
struct HolderClosure {
    private(set) var nodes: [Int]
    /// Through which edge each of them holds the one before it, and which that is.
    private var steps: [Int: (step: HolderPath.Step, held: Int)] = [:]
    /// The first one whose counted references are not those that were found.
    private(set) var mismatch: HolderPath.Evidence?

    /// O(h) for *h* holders and the references between them.
    init(of node: Int, _ graph: borrowing ObjectGraph, _ holders: borrowing Holders, _ followed: FollowedEdges) {
        var seen: Set<Int> = [node], position = 0
        nodes = [node]
        while position < nodes.count {
            let current = nodes[position]
            position += 1
            var found = 0
            for entry in holders.range(current) {
                let (holder, edge) = (Int(holders[entry].node), Int(holders[entry].edge))
                if !followed.follows(graph.edges[edge], of: graph.nodes[holder]) { continue }
                found += 1
                if seen.insert(holder).inserted {
                    nodes.append(holder)
                    steps[holder] = (HolderPath.Step(node: holder, edge: edge), current)
                }
            }
            let counted = graph.nodes[current].references
            if mismatch == nil, found != counted { mismatch = .unaccounted(node: current, found: found, counted: counted) }
        }
    }

    /// The steps from a holder down to what is held.
    func way(from holder: Int) -> [HolderPath.Step] {
        var way: [HolderPath.Step] = [], current = holder
        while let (step, held) = steps[current] {
            way.append(step)
            current = held
        }
        return way
    }
}
#endif
