#if os(Linux)
    import CRxTrace

    /// The live objects of the heap and what each of them holds.
    ///
    /// Every object is a node, in the order in which it was found; blocks that are no objects become nodes when
    /// something points to them.
    struct ObjectGraph {
        typealias Node = rxtrace_node
        typealias Edge = rxtrace_edge

        // Unsafe: as long as the heap is open.
        let storage: UnsafePointer<rxtrace_graph>

        var nodeCount: Int { Int(storage.pointee.node_count) }
        /// O(n).
        var objectCount: Int { Int(rxtrace_graph_objects(storage)) }
        var edgeCount: Int { Int(storage.pointee.edge_count) }

        var nodes: UnsafeBufferPointer<Node> { UnsafeBufferPointer(start: storage.pointee.nodes, count: nodeCount) }

        // There is memory for the nodes that there are; those who ask have their numbers from here.
        func node(_ number: Int) -> Node { storage.pointee.nodes.unsafelyUnwrapped[number] }
        func edge(_ number: Int) -> Edge { storage.pointee.edges.unsafelyUnwrapped[number] }

        /// The references of a node.
        func edgeRange(_ node: Int) -> Range<Int> {
            let start = storage.pointee.edge_start.unsafelyUnwrapped
            return Int(start[node])..<Int(start[node + 1])
        }

        func follows(_ edge: Int, of node: Int, _ followed: rxtrace_followed) -> Bool {
            rxtrace_follows(
                followed, storage.pointee.edges.unsafelyUnwrapped + edge, storage.pointee.nodes.unsafelyUnwrapped + node
            )
        }
    }

    typealias Root = rxtrace_root
#endif
