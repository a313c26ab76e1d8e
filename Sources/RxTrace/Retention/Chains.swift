#if os(Linux)
    import CRxTrace

    /// The shortest chains from places outside the heap, of references of one trustworthiness.
    final class Chains {
        private let contents: HeapContents
        private let distances: Distances
        private let areTyped: Bool
        private let evidence: HolderPath.Evidence

        /// - Parameter areTyped: whether the roots are Swift variables.
        /// - Complexity: O(n + e).
        init(
            _ contents: HeapContents, _ untold: Untold, from roots: [Int], areTyped: Bool = false,
            _ followed: rxtrace_followed,
            _ evidence: HolderPath.Evidence = .untyped
        ) {
            self.contents = contents
            self.areTyped = areTyped
            self.evidence = evidence
            distances = Distances(contents.graph, untold, contents.roots, from: roots, followed)
        }

        func path(to node: Int) -> HolderPath? {
            distances.way(to: node).map {
                HolderPath(
                    root: contents.roots[$0.root], isRootTyped: areTyped, steps: $0.steps, subject: node,
                    evidence: evidence)
            }
        }
    }

    /// The places outside the heap that may hold objects, by how well they are known.
    struct RootKinds {
        /// Swift variables, which hold strongly what they refer to.
        private(set) var variables: [Int] = []
        /// Tasks, whose frames are not described.
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
                    // What the compiler keeps for itself, caches of types for example, holds nothing.
                    guard GlobalName.isSwiftVariable(symbol) else { continue }
                    let isStrong =
                        contents.graph.node(Int(root.node)).metadata != 0 && GlobalName(symbol)?.isStrong ?? false
                    if isStrong { variables.append(number) } else { others.append(number) }
                }
            }
        }
    }
#endif
