#if os(Linux)
/// The shortest ways from the roots to every node.
struct Distances: ~Copyable {
    /// The edge that a node was reached through, or -2 - r for root number r; -1 for nodes that were not reached.
    private(set) var parentEdge: MappedArray<Int32>
    private(set) var parentNode: MappedArray<Int32>

    /// Breadth first from the roots that `accepts` lets through. O(n + e).
    init(_ graph: borrowing ObjectGraph, _ roots: borrowing MappedArray<Root>, typedOnly: Bool, accepts: (Root) -> Bool) {
        parentEdge = MappedArray(repeating: -1, count: graph.nodes.count)
        parentNode = MappedArray(repeating: -1, count: graph.nodes.count)
        var queue = MappedArray<Int32>()
        for index in 0..<roots.count where parentEdge[Int(roots[index].node)] == -1 && accepts(roots[index]) {
            parentEdge[Int(roots[index].node)] = Int32(-2 - index)
            queue.append(roots[index].node)
        }
        var position = 0
        while position < queue.count {
            let node = queue[position]
            position += 1
            for number in graph.edgeRange(Int(node)) {
                let edge = graph.edges[number]
                if parentEdge[Int(edge.target)] != -1 || typedOnly && !edge.isTyped { continue }
                parentEdge[Int(edge.target)] = Int32(number)
                parentNode[Int(edge.target)] = node
                queue.append(edge.target)
            }
        }
    }

    func isReached(_ node: Int) -> Bool { parentEdge[node] != -1 }

    /// The number of the root that a node is reached from, and the steps from there.
    func way(to node: Int) -> (root: Int, steps: [HolderPath.Step])? {
        guard isReached(node) else { return nil }
        var steps: [HolderPath.Step] = [], current = node
        while parentEdge[current] >= 0 {
            let parent = Int(parentNode[current])
            steps.append(.init(node: parent, edge: Int(parentEdge[current])))
            current = parent
        }
        return (Int(-2 - parentEdge[current]), steps.reversed())
    }
}
#endif
