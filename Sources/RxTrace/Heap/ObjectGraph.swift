#if os(Linux)
/// The live objects of the heap and what each of them holds.
///
/// Every object is a node, in the order in which it was found; blocks that are no objects become nodes when something points to them.
/// The references of node *n* are `edges[edgeStart[n]..<edgeStart[n + 1]]`.
struct ObjectGraph: ~Copyable {
    struct Node: BitwiseCopyable {
        var address: UInt
        var size: Int
        /// 0 for a block that is no object.
        var metadata: UInt
        /// The counted references to it; -1 if it lives for ever, or is no object.
        var references: Int
    }

    struct Edge: BitwiseCopyable {
        var target: Int32
        /// The field; -1 for none.
        var label: Int32
        /// The position in a collection; -1 for none.
        var index: Int32
        var isTyped: Bool
        /// The code of a closure whose context this refers to; 0 for other references.
        var function: UInt
    }

    var nodes = MappedArray<Node>()
    var edgeStart = MappedArray<Int32>()
    var edges = MappedArray<Edge>()

    init() {}

    func edgeRange(_ node: Int) -> Range<Int> { Int(edgeStart[node])..<Int(edgeStart[node + 1]) }
}
#endif
