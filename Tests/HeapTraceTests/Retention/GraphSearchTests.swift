#if os(Linux)
    import CRxTrace
    @testable import HeapTrace
    import Testing

    /// Searches in random graphs of a few nodes, compared with an exhaustive search.
    @Suite struct GraphSearchTests {
        /// A graph in arrays, and the nodes that reach each other through at least one edge.
        private final class Sample {
            let count: Int
            var nodes: [rxtrace_node] = []
            var edges: [rxtrace_edge] = []
            var starts: [Int32] = [0]

            init(_ random: inout SeededGenerator) {
                count = Int.random(in: 1...9, using: &random)
                for node in 0..<count {
                    nodes.append(
                        rxtrace_node(
                            address: UInt(node) * 16, size: 16, metadata: Bool.random(using: &random) ? 1 : 0,
                            references: Int.random(in: 0...2, using: &random)))
                    for _ in 0..<Int.random(in: 0...2, using: &random) {
                        let isLent = Int.random(in: 0..<6, using: &random) == 0
                        let isTyped = isLent || .random(using: &random)
                        let isRefuted = !isTyped && Int.random(in: 0..<4, using: &random) == 0
                        edges.append(
                            rxtrace_edge(
                                target: .random(in: 0..<Int32(count), using: &random), label: -1, index: -1,
                                is_typed: isTyped, is_lent: isLent, is_refuted: isRefuted, function: 0))
                    }
                    starts.append(Int32(edges.count))
                }
            }

            func withGraph(_ body: (ObjectGraph) -> Void) {
                // Copies: `body` reads this sample too.
                var nodes = nodes
                var edges = edges
                var starts = starts
                nodes.withUnsafeMutableBufferPointer { nodes in
                    edges.withUnsafeMutableBufferPointer { edges in
                        starts.withUnsafeMutableBufferPointer { starts in
                            var graph = rxtrace_graph()
                            (graph.nodes, graph.edges, graph.edge_start) = (
                                nodes.baseAddress, edges.baseAddress, starts.baseAddress
                            )
                            (graph.node_count, graph.edge_count) = (Int32(nodes.count), Int32(edges.count))
                            withUnsafePointer(to: graph) { body(ObjectGraph(storage: $0)) }
                        }
                    }
                }
            }

            func holds(_ holder: Int, _ held: Int, _ followed: rxtrace_followed) -> [Int] {
                counted(holder, held, followed).filter { !edges[$0].is_lent }
            }

            /// Returns the edges that hold their targets, and the lent edges, which are counted but keep nothing alive.
            func counted(_ holder: Int, _ held: Int, _ followed: rxtrace_followed) -> [Int] {
                (Int(starts[holder])..<Int(starts[holder + 1])).filter {
                    if edges[$0].is_refuted { return false }
                    let isFollowed =
                        edges[$0].is_typed || followed == rxtrace_follow_any
                        || followed == rxtrace_follow_of_objects && nodes[holder].metadata != 0
                    return edges[$0].target == held && isFollowed && (edges[$0].is_typed || !forgotten.contains(held))
                }
            }

            /// Ignores the words that lead to some nodes.
            func forgetWords(_ isForgotten: (Int) -> Bool) { forgotten = Set((0..<count).filter(isForgotten)) }
            private var forgotten: Set<Int> = []

            /// Returns the least number of edges from each node to each other node; `nil` if there is no path. R. W.
            /// Floyd, Algorithm 97: Shortest path (1962).
            func lengths(_ followed: rxtrace_followed) -> [[Int?]] {
                var lengths = (0..<count).map { from in
                    (0..<count).map { to in holds(from, to, followed).isEmpty ? nil : 1 } as [Int?]
                }
                for middle in 0..<count {
                    for from in 0..<count {
                        for to in 0..<count {
                            guard let first = lengths[from][middle], let second = lengths[middle][to] else { continue }
                            lengths[from][to] = min(lengths[from][to] ?? .max, first + second)
                        }
                    }
                }
                return lengths
            }
        }

        private static let modes = [rxtrace_follow_typed, rxtrace_follow_of_objects, rxtrace_follow_any]

        private func forEachSample(_ body: (Sample, ObjectGraph) -> Void) {
            var random = SeededGenerator(seed: 20_261_121)
            for _ in 0..<500 {
                let sample = Sample(&random)
                sample.withGraph { body(sample, $0) }
            }
        }

        @Test func cycles_areTheNodesThatReachEachOther() {
            forEachSample { sample, graph in
                for followed in Self.modes {
                    let cycles = Cycles(graph, followed)
                    let lengths = sample.lengths(followed)
                    for one in 0..<sample.count {
                        #expect((cycles.component(of: one) > 0) == (lengths[one][one] != nil))
                        for other in 0..<sample.count where cycles.component(of: one) > 0 {
                            let hangTogether = one == other || lengths[one][other] != nil && lengths[other][one] != nil
                            #expect((cycles.component(of: one) == cycles.component(of: other)) == hangTogether)
                        }
                    }
                }
            }
        }

        @Test func holders_areTheNodesThatReachOne_nearestFirst() {
            forEachSample { sample, graph in
                let holders = Holders(graph)
                for followed in Self.modes {
                    let lengths = sample.lengths(followed)
                    for node in 0..<sample.count {
                        let closure = holders.transitiveHolders(of: node, graph, followed)
                        let found = (0..<closure.count).map { Int(closure.nodes.start[$0]) }
                        #expect(Set(found) == Set((0..<sample.count).filter { $0 == node || lengths[$0][node] != nil }))
                        let distances = found.dropFirst().map { lengths[$0][node]! }
                        #expect(found.first == node && distances == distances.sorted())
                        for holder in found.dropFirst() {
                            #expect(closure.way(from: holder).count == lengths[holder][node])
                        }
                        let mismatch = found.first { held in
                            (0..<sample.count).reduce(0) { $0 + sample.counted($1, held, followed).count }
                                != sample.nodes[held].references
                        }
                        if case .unaccounted(let at, _, _)? = closure.mismatch {
                            #expect(at == mismatch)
                        } else {
                            #expect(mismatch == nil)
                        }
                    }
                }
            }
        }

        @Test func words_areRefuted_whereTypedReferencesAccountForExactlyTheCountedOnes() {
            forEachSample { sample, graph in
                let unaccounted = (0..<sample.count).map { node in
                    let typed = sample.edges.filter { $0.is_typed && $0.target == Int32(node) }.count
                    return Int32(sample.nodes[node].references - typed)
                }
                rxtrace_graph_refute(UnsafeMutablePointer(mutating: graph.storage), unaccounted)
                for number in 0..<sample.edges.count {
                    let edge = graph.edge(number)
                    #expect(edge.is_refuted == (!edge.is_typed && unaccounted[Int(edge.target)] == 0))
                }
            }
        }

        @Test func distances_areTheShortestWaysFromARoot() {
            forEachSample { sample, graph in
                let roots = (0..<sample.count).filter { $0 % 3 == 1 }.map {
                    rxtrace_root(address: 0, node: Int32($0), place: rxtrace_root_global)
                }
                let isRoot = Set(roots.map { Int($0.node) })
                let unaccounted = UnaccountedReferences(graph, variables: roots)
                for node in 0..<sample.count {
                    let told =
                        (0..<sample.count).reduce(0) { $0 + sample.counted($1, node, rxtrace_follow_typed).count }
                        + (isRoot.contains(node) ? 1 : 0)
                    #expect(unaccounted.isLeft(of: Int32(node)) == (sample.nodes[node].references != told))
                }
                sample.forgetWords { !unaccounted.isLeft(of: Int32($0)) }
                for followed in Self.modes {
                    let lengths = sample.lengths(followed)
                    roots.withUnsafeBufferPointer { roots in
                        let distances = Distances(graph, unaccounted, roots, from: Array(roots.indices), followed)
                        for node in 0..<sample.count {
                            let shortest = isRoot.contains(node) ? 0 : isRoot.compactMap { lengths[$0][node] }.min()
                            let way = distances.way(to: node)
                            #expect(way?.steps.count == shortest)
                            if let way, let first = way.steps.first { #expect(Int(roots[way.root].node) == first.node) }
                        }
                    }
                }
            }
        }
    }
#endif
