#if os(Linux)
    import CRxTrace

    /// How many of the counted references to each node were not found by type.
    final class Untold {
        fileprivate let counts: MappedArray<Int32>

        /// O(n + e).
        init(_ graph: ObjectGraph, variables: [Root]) {
            counts = MappedArray(zeroes: graph.nodeCount)
            // In a constant: with ThreadSanitizer the 6.3 compiler emits a broken module for a change through
            // `counts.start`.
            let start = counts.start
            rxtrace_graph_untold(graph.storage, start)
            for root in variables where start[Int(root.node)] != .max { start[Int(root.node)] -= 1 }
        }

        /// Whether a word that is not described may be one of the references to a node.
        func isLeft(of node: Int32) -> Bool { counts.start[Int(node)] > 0 }
    }

    /// The shortest ways from some of the roots to every node.
    struct Distances: ~Copyable {
        private let origins: [Int]
        /// The node and the edge that a node was reached through, as `rxtrace_graph_distances` notes them.
        private let parents: MappedArray<rxtrace_holder>

        /// Breadth first. O(n + e).
        init(
            _ graph: ObjectGraph, _ untold: Untold, _ roots: UnsafeBufferPointer<Root>, from origins: [Int],
            _ followed: rxtrace_followed
        ) {
            self.origins = origins
            parents = MappedArray(zeroes: graph.nodeCount)
            let nodes = origins.map { roots[$0].node }
            let queue = MappedArray<Int32>(zeroes: graph.nodeCount)
            rxtrace_graph_distances(
                graph.storage, untold.counts.start, nodes, nodes.count, followed, parents.start, queue.start)
        }

        /// The number of the root that a node is reached from, and the steps from there.
        func way(to node: Int) -> (root: Int, steps: [HolderPath.Step])? {
            guard parents.start[node].edge != 0 else { return nil }
            var steps: [HolderPath.Step] = []
            var current = node
            while parents.start[current].edge > 0 {
                let parent = parents.start[current]
                steps.append(.init(node: Int(parent.node), edge: Int(parent.edge) - 1))
                current = Int(parent.node)
            }
            return (origins[Int(-1 - parents.start[current].edge)], steps.reversed())
        }
    }
#endif
