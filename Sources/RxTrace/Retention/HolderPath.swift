#if os(Linux)
/// A way through the graph to an object, as numbers of nodes and edges.
struct HolderPath {
    struct Step {
        var node: Int
        var edge: Int
    }

    /// Where it begins, if that is outside the heap.
    var root: Root?
    /// From holder to held; the last edge's target is the subject, or, in a cycle, the first step's node.
    var steps: [Step]
    var subject: Int
    var isCycle: Bool
    var grade: RetentionGrade
}
#endif
