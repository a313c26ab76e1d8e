#if os(Linux)
    /// A way through the graph to an object, as numbers of nodes and edges.
    struct HolderPath {
        struct Step {
            var node: Int
            var edge: Int
        }

        /// Where it begins, if that is outside the heap.
        var root: Root?
        /// Whether that is a Swift variable, which holds strongly what it refers to.
        var isRootTyped = false
        /// A cycle, whose last edge leads back to the first step's node; empty for a chain.
        var cycle: [Step] = []
        /// From the root, or from the cycle's first node, to the subject.
        var steps: [Step]
        var subject: Int
        var evidence: Evidence

        /// What speaks for the path.
        enum Evidence: Equatable {
            /// Every reference on it was read by its type, and what may hold the subject is all known.
            case complete
            /// Something on it was not read by its type.
            case untyped
            /// A node on it is held more often than references to it were found.
            case unaccounted(node: Int, found: Int, counted: Int)
        }
    }
#endif
