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
#endif
