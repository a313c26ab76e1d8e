#if os(Linux)
import CPlatform

/// The shortest ways from the roots to every node.
struct Distances: ~Copyable {
    /// The numbers of the roots that were let through.
    private let origins: [Int]
    /// The node and the edge that a node was reached through, as `rx_graph_distances` notes them.
    private let parents: MappedArray<rx_holder>

    /// Breadth first from the roots that `accepts` lets through. O(n + e).
    init(_ graph: ObjectGraph, _ roots: UnsafeBufferPointer<Root>, _ followed: rx_followed, accepts: (Root) -> Bool) {
        origins = roots.indices.filter { accepts(roots[$0]) }
        parents = MappedArray(zeroes: graph.nodeCount)
        let nodes = origins.map { roots[$0].node }, queue = MappedArray<Int32>(zeroes: graph.nodeCount)
        rx_graph_distances(graph.storage, nodes, nodes.count, followed, parents.start, queue.start)
    }

    /// The number of the root that a node is reached from, and the steps from there.
    func way(to node: Int) -> (root: Int, steps: [HolderPath.Step])? {
        guard parents.start[node].edge != 0 else { return nil }
        var steps: [HolderPath.Step] = [], current = node
        while parents.start[current].edge > 0 {
            let parent = parents.start[current]
            steps.append(.init(node: Int(parent.node), edge: Int(parent.edge) - 1))
            current = Int(parent.node)
        }
        return (origins[Int(-1 - parents.start[current].edge)], steps.reversed())
    }
}
#endif
