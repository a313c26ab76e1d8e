#if os(Linux)
extension ObjectGraph {
    /// The number of the strongly connected component of each node; -1 for nodes that are on no cycle.
    ///
    /// Tarjan, Depth-first search and linear graph algorithms (1972), with a stack of its own: nothing recurses. O(n + e).
    func cycles(_ followed: FollowedEdges) -> MappedArray<Int32> {
        let count = nodes.count
        var component = MappedArray<Int32>(repeating: -1, count: count)
        // 0 for nodes not seen, else their number plus 1.
        var order = MappedArray<Int32>(repeating: 0, count: count), low = MappedArray<Int32>(repeating: 0, count: count)
        var isOpen = MappedArray<Bool>(repeating: false, count: count)
        var open = MappedArray<Int32>(), path = MappedArray<(node: Int32, edge: Int32)>()
        var seen: Int32 = 0, components: Int32 = 0
        for start in 0..<count where order[start] == 0 {
            path.append((Int32(start), edgeStart[start]))
            while path.count > 0 {
                var (node, edge) = path.removeLast()
                let current = Int(node)
                if order[current] == 0 {
                    seen += 1
                    order[current] = seen
                    low[current] = seen
                    isOpen[current] = true
                    open.append(node)
                }
                var next: Int32?
                while edge < edgeStart[current + 1], next == nil {
                    let reference = edges[Int(edge)]
                    edge += 1
                    if !followed.follows(reference, of: nodes[current]) { continue }
                    if order[Int(reference.target)] == 0 {
                        next = reference.target
                    } else if isOpen[Int(reference.target)] {
                        low[current] = min(low[current], order[Int(reference.target)])
                    }
                }
                if let next {
                    path.append((node, edge))
                    path.append((next, edgeStart[Int(next)]))
                    continue
                }
                if low[current] == order[current] { close(current, &open, &isOpen, &component, &components, followed) }
                if path.count > 0 {
                    let parent = Int(path[path.count - 1].node)
                    low[parent] = min(low[parent], low[current])
                }
            }
        }
        return component
    }

    /// Takes a component off the stack of open nodes. One node alone is a cycle only if it holds itself.
    private func close(
        _ root: Int, _ open: inout MappedArray<Int32>, _ isOpen: inout MappedArray<Bool>, _ component: inout MappedArray<Int32>,
        _ components: inout Int32, _ followed: FollowedEdges
    ) {
        var size = 0, member: Int
        repeat {
            member = Int(open.removeLast())
            isOpen[member] = false
            component[member] = components
            size += 1
        } while member != root
        if size == 1, !edgeRange(root).contains(where: { edges[$0].target == root && followed.follows(edges[$0], of: nodes[root]) }) {
            component[root] = -1
        }
        components += 1
    }
}
#endif
