#if os(Linux)
    import CRxTrace

    /// Who refers to each node: the graph turned round.
    struct Holders: ~Copyable {
        private let firstEntry: MappedArray<Int32>
        private let entries: MappedArray<rxtrace_holder>

        /// O(n + e).
        init(_ graph: ObjectGraph) {
            firstEntry = MappedArray(zeroes: graph.nodeCount + 1)
            entries = MappedArray(zeroes: graph.edgeCount)
            rxtrace_graph_turn_round(graph.storage, firstEntry.start, entries.start)
        }

        /// All that directly or indirectly holds a node. O(h) for *h* holders and the references between them.
        func closure(of node: Int, _ graph: ObjectGraph, _ followed: rxtrace_followed) -> HolderClosure {
            let nodes = MappedArray<Int32>(zeroes: graph.nodeCount)
            let steps = MappedArray<rxtrace_holder>(zeroes: graph.nodeCount)
            var mismatch: Int32 = -1
            var found: Int32 = 0
            let count = rxtrace_graph_holders_of(
                graph.storage, firstEntry.start, entries.start, Int32(node), followed, nodes.start, steps.start,
                &mismatch, &found)
            let evidence: HolderPath.Evidence? =
                mismatch < 0
                ? nil
                : .unaccounted(node: Int(mismatch), found: Int(found), counted: graph.node(Int(mismatch)).references)
            return HolderClosure(nodes: nodes, count: Int(count), steps: steps, mismatch: evidence)
        }
    }

    /// All that directly or indirectly holds an object.
    struct HolderClosure: ~Copyable {
        /// Nearest first; the object itself is the first.
        let nodes: MappedArray<Int32>
        let count: Int
        /// Of each holder the one that it holds, and 1 more than the number of the edge through which it does.
        fileprivate let steps: MappedArray<rxtrace_holder>
        /// The first one whose counted references are not those that were found.
        let mismatch: HolderPath.Evidence?

        fileprivate init(
            nodes: consuming MappedArray<Int32>, count: Int, steps: consuming MappedArray<rxtrace_holder>,
            mismatch: HolderPath.Evidence?
        ) {
            self.nodes = nodes
            self.count = count
            self.steps = steps
            self.mismatch = mismatch
        }

        /// The steps from a holder down to what is held.
        func way(from holder: Int) -> [HolderPath.Step] {
            var way: [HolderPath.Step] = []
            var current = holder
            while steps.start[current].edge > 0 {
                way.append(.init(node: current, edge: Int(steps.start[current].edge) - 1))
                current = Int(steps.start[current].node)
            }
            return way
        }
    }

    /// The strongly connected components of a graph.
    struct Cycles: ~Copyable {
        private let components: MappedArray<Int32>

        /// O(n + e).
        init(_ graph: ObjectGraph, _ followed: rxtrace_followed) {
            let count = graph.nodeCount
            components = MappedArray(zeroes: count)
            let order = MappedArray<Int32>(zeroes: count)
            let low = MappedArray<Int32>(zeroes: count)
            let open = MappedArray<Int32>(zeroes: count)
            let path = MappedArray<rxtrace_holder>(zeroes: count)
            rxtrace_graph_cycles(
                graph.storage, followed, components.start, order.start, low.start, open.start, path.start)
        }

        /// The number of a node's component; 0 for a node that is on no cycle.
        func component(of node: Int) -> Int32 { components.start[node] }
    }
#endif
