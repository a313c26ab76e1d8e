#if os(Linux)
    import CRxTrace

    /// The holders of each node: the reversed graph.
    struct Holders: ~Copyable {
        private let firstHolder: MappedArray<Int32>
        private let holders: MappedArray<rxtrace_holder>

        /// O(n + e).
        init(_ graph: ObjectGraph) {
            firstHolder = MappedArray(zeroes: graph.nodeCount + 1)
            holders = MappedArray(zeroes: graph.edgeCount)
            rxtrace_graph_turn_round(graph.storage, firstHolder.start, holders.start)
        }

        /// All nodes that directly or indirectly hold a node. O(h) for *h* holders and the references between them.
        func transitiveHolders(of node: Int, _ graph: ObjectGraph, _ followed: rxtrace_followed) -> TransitiveHolders {
            let nodes = MappedArray<Int32>(zeroes: graph.nodeCount)
            let steps = MappedArray<rxtrace_holder>(zeroes: graph.nodeCount)
            var mismatch: Int32 = -1
            var found: Int32 = 0
            let count = rxtrace_graph_holders_of(
                graph.storage, firstHolder.start, holders.start, Int32(node), followed, nodes.start, steps.start,
                &mismatch, &found)
            let evidence: HolderPath.Evidence? =
                mismatch < 0
                ? nil
                : .unaccounted(node: Int(mismatch), found: Int(found), counted: graph.node(Int(mismatch)).references)
            return TransitiveHolders(nodes: nodes, count: Int(count), steps: steps, mismatch: evidence)
        }

        /// The references to a node, in no particular order.
        func references(to node: Int) -> UnsafeBufferPointer<rxtrace_holder> {
            let first = Int(firstHolder.start[node])
            return UnsafeBufferPointer(start: holders.start + first, count: Int(firstHolder.start[node + 1]) - first)
        }
    }

    /// All nodes that directly or indirectly hold an object.
    struct TransitiveHolders: ~Copyable {
        /// The object itself, followed by its holders, the nearest first.
        let nodes: MappedArray<Int32>
        let count: Int
        /// For each holder the object that it holds, and the number of the edge plus 1.
        fileprivate let steps: MappedArray<rxtrace_holder>
        /// The first node whose reference count differs from the number of references that were found.
        let mismatch: HolderPath.Evidence?

        /// Returns the steps from a holder down to the target.
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

        /// The number of a node's component; 0 for a node that is not on a cycle.
        func component(of node: Int) -> Int32 { components.start[node] }
    }

    /// The number of counted references to each node that no type accounts for. It is negative if there are more typed
    /// references than counted ones: some of them are not references, and it is not known which.
    final class UnaccountedReferences {
        fileprivate let counts: MappedArray<Int32>

        /// O(n + e).
        init(_ graph: ObjectGraph, variables: [Root]) {
            counts = MappedArray(zeroes: graph.nodeCount)
            // The pointer is stored in a constant because the 6.3 compiler with ThreadSanitizer emits a broken module
            // for a mutation through `counts.start`.
            let start = counts.start
            rxtrace_graph_unaccounted(graph.storage, start)
            for root in variables where start[Int(root.node)] != .max { start[Int(root.node)] -= 1 }
        }

        /// Whether an untyped word may be one of the references to a node.
        func isLeft(of node: Int32) -> Bool { counts.start[Int(node)] != 0 }
    }

    /// The shortest paths from some of the roots to every node.
    struct Distances: ~Copyable {
        private let origins: [Int]
        /// The node and the edge through which each node was reached, as recorded by `rxtrace_graph_distances`.
        private let parents: MappedArray<rxtrace_holder>

        /// Searches the graph breadth first. O(n + e).
        init(
            _ graph: ObjectGraph, _ unaccounted: UnaccountedReferences, _ roots: UnsafeBufferPointer<Root>,
            from origins: [Int],
            _ followed: rxtrace_followed
        ) {
            self.origins = origins
            parents = MappedArray(zeroes: graph.nodeCount)
            let nodes = origins.map { roots[$0].node }
            let queue = MappedArray<Int32>(zeroes: graph.nodeCount)
            rxtrace_graph_distances(
                graph.storage, unaccounted.counts.start, nodes, nodes.count, followed, parents.start, queue.start)
        }

        /// The reference through which a node is reached; `nil` for an origin and for an unreachable node.
        func parent(of node: Int) -> HolderPath.Step? {
            let parent = parents.start[node]
            return parent.edge > 0 ? .init(node: Int(parent.node), edge: Int(parent.edge) - 1) : nil
        }

        /// The number of the root for a node that is a root; `nil` for other nodes.
        func root(at node: Int) -> Int? {
            let parent = parents.start[node]
            return parent.edge < 0 ? origins[Int(-1 - parent.edge)] : nil
        }

        /// The number of the root from which a node is reached, and the steps from that root.
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

    /// The shortest chains from locations outside the heap, through references of one level of confidence.
    final class Chains {
        private let contents: HeapContents
        let distances: Distances
        private let areTyped: Bool
        private let evidence: HolderPath.Evidence

        /// - Parameter areTyped: whether the roots are Swift variables.
        /// - Complexity: O(n + e).
        init(
            _ contents: HeapContents, _ unaccounted: UnaccountedReferences, from roots: [Int], areTyped: Bool = false,
            _ followed: rxtrace_followed, _ evidence: HolderPath.Evidence = .untyped
        ) {
            self.contents = contents
            self.areTyped = areTyped
            self.evidence = evidence
            distances = Distances(contents.graph, unaccounted, contents.roots, from: roots, followed)
        }

        func path(to node: Int) -> HolderPath? {
            distances.way(to: node).map {
                HolderPath(
                    root: contents.roots[$0.root], isRootTyped: areTyped, steps: $0.steps, target: node,
                    evidence: evidence)
            }
        }
    }

    /// The locations outside the heap that may hold objects, grouped by the level of confidence.
    struct RootKinds {
        /// Swift variables, which hold objects strongly.
        private(set) var variables: [Int] = []
        /// Tasks, whose frames have no type description.
        private(set) var tasks: [Int] = []
        /// Other words of the program and its libraries.
        private(set) var others: [Int] = []
        private(set) var stacks: [Int] = []

        /// O(r log s) for *r* roots and *s* symbols.
        init(_ contents: HeapContents) {
            for (number, root) in contents.roots.enumerated() {
                switch root.place {
                case rxtrace_root_task: tasks.append(number)
                case rxtrace_root_stack: stacks.append(number)
                default:
                    guard let symbol = SymbolTable.symbol(at: root.address), symbol.name.hasPrefix("$s") else {
                        others.append(number)
                        continue
                    }
                    // The compiler's own variables, such as type caches, do not hold objects.
                    guard GlobalName.isSwiftVariable(symbol) else { continue }
                    let isStrong =
                        contents.graph.node(Int(root.node)).metadata != 0 && GlobalName(symbol)?.isStrong ?? false
                    if isStrong { variables.append(number) } else { others.append(number) }
                }
            }
        }
    }
#endif
