#if os(Linux)
    import CRxTrace

    /// Finds the holders of an object in the graph that a reader has built.
    final class RetentionSearch {
        let contents: HeapContents
        let naming: PathNaming

        // Computed at the first use.
        private lazy var roots = RootKinds(contents)
        private lazy var unaccounted = UnaccountedReferences(
            contents.graph, variables: roots.variables.map { contents.roots[$0] })
        private(set) lazy var typedChains = Chains(
            contents, unaccounted, from: roots.variables, areTyped: true, rxtrace_follow_typed, .complete)
        private lazy var objectChains = Chains(
            contents, unaccounted, from: roots.variables, areTyped: true, rxtrace_follow_of_objects)
        private lazy var taskChains = Chains(contents, unaccounted, from: roots.tasks, rxtrace_follow_any)
        private lazy var foreignChains = Chains(contents, unaccounted, from: left(of: roots.others), rxtrace_follow_any)
        private lazy var stackChains = Chains(contents, unaccounted, from: left(of: roots.stacks), rxtrace_follow_any)
        private lazy var dispatchGroups = naming.dispatchGroups
        private var holders: Holders?
        private var typedCycles: Cycles?
        private var objectCycles: Cycles?
        private var anyCycles: Cycles?
        /// The nodes that roots refer to, by the address of the root.
        private(set) lazy var nodesOfVariables = Dictionary(grouping: contents.roots) { $0.address }
            .mapValues { $0.map { Int($0.node) } }
        /// The last result of `memoryGains(since:)`, with the reading that it was computed for.
        var latestGains: (since: RetentionSearch, gains: [Attachment: MemoryGrowth])?

        /// The results of `isSame(_:in:)` by node, and the reading that they were computed for.
        var knownSame: [Int: Bool] = [:]
        // Weak: both readings of a comparison refer to one another.
        weak var readingOfKnownSame: RetentionSearch?

        /// The maximum number of objects whose paths are compared to find the best one.
        private static let candidates = 16

        init(_ contents: HeapContents) {
            self.contents = contents
            naming = PathNaming(contents: contents)
        }

        var allHolders: Holders {
            _read {
                if holders == nil { holders = Holders(contents.graph) }
                yield holders!
            }
        }

        func addresses(of type: Metadata) -> [UInt] {
            let graph = contents.graph
            var addresses: [UInt] = []
            for node in graph.nodes where node.metadata == type.address { addresses.append(node.address) }
            return addresses
        }

        func retention(of addresses: [UInt], usesStacks: Bool = true) -> Retention? {
            let nodes = addresses.lazy.compactMap { self.contents.object(at: $0) }.prefix(Self.candidates)
            var best: HolderPath?
            for node in nodes {
                guard let path = path(to: node, usesStacks: usesStacks).map(fromEndedTask) else { continue }
                if best.map({ rank(path) < rank($0) }) ?? true { best = path }
            }
            return best.map(naming.retention)
        }

        /// The rank of a path; a smaller rank is better. Proven paths precede likely ones, and short paths precede long
        /// ones.
        private func rank(_ path: HolderPath) -> Int {
            (path.evidence == .complete ? 0 : 1 << 20) + path.cycle.count + path.steps.count
        }

        /// Returns the path to one object: a proven path if there is one, or else the likeliest path.
        private func path(to node: Int, usesStacks: Bool) -> HolderPath? {
            let graph = contents.graph
            if let path = typedChains.path(to: node) { return path }
            if holders == nil { holders = Holders(graph) }
            let typed = holders!.transitiveHolders(of: node, graph, rxtrace_follow_typed)
            if typedCycles == nil { typedCycles = Cycles(graph, rxtrace_follow_typed) }
            if typed.mismatch == nil, let path = cycle(near: typed, typedCycles!, rxtrace_follow_typed, .complete) {
                return path
            }
            let objects = holders!.transitiveHolders(of: node, graph, rxtrace_follow_of_objects)
            if objectCycles == nil { objectCycles = Cycles(graph, rxtrace_follow_of_objects) }
            if objects.mismatch == nil,
                let path = cycle(near: objects, objectCycles!, rxtrace_follow_of_objects, .untyped)
            {
                return path
            }
            if let path = objectChains.path(to: node) { return path }
            // A cycle through an object of the user's keeps it, regardless of other apparent holders.
            if naming.isUsers(node), typedCycles!.component(of: node) > 0,
                let path = cycle(near: typed, typedCycles!, rxtrace_follow_typed, typed.mismatch ?? .untyped)
            {
                return path
            }
            let ofTask = taskChains.path(to: node)
            if let ofTask, naming.isUsersTask(ofTask), !naming.leadsThroughDispatch(ofTask) {
                // The object that must resume it is reported with the task.
                if let whole = foreignChains.path(to: node), naming.leadsThroughContinuation(whole) { return whole }
                return ofTask
            }
            // A task of a library, or of a test runner, is a weaker answer than another holder.
            if let path = foreignChains.path(to: node) ?? ofTask { return path }
            if let path = cycle(near: typed, typedCycles!, rxtrace_follow_typed, typed.mismatch ?? .untyped) {
                return path
            }
            if let path = cycle(near: objects, objectCycles!, rxtrace_follow_of_objects, objects.mismatch ?? .untyped) {
                return path
            }
            if let path = foreignCycle(node) { return path }
            if usesStacks, let path = stackChains.path(to: node) { return path }
            // The object, or its holder, has a holder that was not found.
            guard case .unaccounted(let holder, _, _)? = typed.mismatch else { return nil }
            if let group = dispatchGroups[contents.graph.node(holder).address] {
                return HolderPath(
                    root: nil, group: group, steps: typed.way(from: holder), target: node, evidence: .untyped)
            }
            guard holder != node else { return nil }
            return HolderPath(
                root: nil, steps: typed.way(from: holder), target: node, evidence: typed.mismatch ?? .untyped)
        }

        /// Returns the part of a path that begins at a task of a group that has ended. Only the group keeps such a
        /// task. What seems to lead to it are the other tasks of the group.
        private func fromEndedTask(_ path: HolderPath) -> HolderPath {
            let nodes = path.steps.map(\.node) + [path.target]
            guard path.cycle.isEmpty, let index = nodes.lastIndex(where: naming.isEndedTaskOfGroup),
                let whole = taskChains.path(to: nodes[index]), whole.steps.isEmpty
            else { return path }
            return HolderPath(
                root: whole.root, steps: Array(path.steps[index...]), target: path.target, evidence: .untyped)
        }

        /// Returns a cycle over memory that is not an object: the frames of a task, for example.
        private func foreignCycle(_ node: Int) -> HolderPath? {
            if anyCycles == nil { anyCycles = Cycles(contents.graph, rxtrace_follow_any) }
            return cycle(
                near: holders!.transitiveHolders(of: node, contents.graph, rxtrace_follow_any), anyCycles!,
                rxtrace_follow_any,
                .untyped)
        }

        /// Returns the roots that may be references: not all references to their targets are accounted for by types.
        private func left(of roots: [Int]) -> [Int] { roots.filter { unaccounted.isLeft(of: contents.roots[$0].node) } }

        // MARK: Cycles

        /// Returns the cycle that holds an object. If several connected cycles do, it is a cycle through the object
        /// itself, or else a cycle through the user's class whose name is first. In this way all objects that one
        /// mistake holds have the same cycle.
        private func cycle(
            near closure: borrowing TransitiveHolders, _ cycles: borrowing Cycles, _ followed: rxtrace_followed,
            _ evidence: HolderPath.Evidence
        ) -> HolderPath? {
            let holders = closure.nodes.start
            guard let first = (0..<closure.count).first(where: { cycles.component(of: Int(holders[$0])) > 0 }) else {
                return nil
            }
            let node = Int(holders[0])
            let nearest = Int(holders[first])
            let component = cycles.component(of: nearest)
            let start =
                nearest == node && naming.isUsers(node) ? node : representative(closure, cycles, component) ?? nearest
            // A cycle through a bag, which the user fills, is preferred over a cycle through the observers of a
            // subject.
            let cycle =
                way(from: [start], to: start, followed) {
                    cycles.component(of: $0) == component && !naming.isListOfObservers($0)
                }
                ?? way(from: [start], to: start, followed) { cycles.component(of: $0) == component } ?? []
            guard !cycle.isEmpty else { return nil }
            let members = cycle.map(\.node)
            let rest = members.contains(node) ? [] : way(from: members, to: node, followed) { _ in true } ?? []
            return HolderPath(root: nil, cycle: cycle, steps: rest, target: node, evidence: evidence)
        }

        private func representative(
            _ closure: borrowing TransitiveHolders, _ cycles: borrowing Cycles, _ component: Int32
        ) -> Int? {
            var best: (node: Int, name: String)?
            for index in 0..<closure.count {
                let node = Int(closure.nodes.start[index])
                guard cycles.component(of: node) == component, naming.isUsers(node) else { continue }
                let name = naming.name(of: node)
                if best == nil || name < best!.name { best = (node, name) }
            }
            return best?.node
        }

        /// Returns the shortest path of at least one edge. Breadth first: O(n + e) of the reached nodes and edges.
        private func way(
            from starts: [Int], to end: Int, _ followed: rxtrace_followed, _ isWithin: (Int) -> Bool
        ) -> [HolderPath.Step]? {
            var parents: [Int: HolderPath.Step] = [:]
            var queue = starts
            var position = 0
            let origins = Set(starts)
            let graph = contents.graph
            while position < queue.count {
                let node = queue[position]
                position += 1
                for number in graph.edgeRange(node) {
                    let target = Int(graph.edge(number).target)
                    guard graph.follows(number, of: node, followed), isWithin(target), parents[target] == nil else {
                        continue
                    }
                    if target == end {
                        var steps = [HolderPath.Step(node: node, edge: number)]
                        while let last = steps.last, !origins.contains(last.node) { steps.append(parents[last.node]!) }
                        return steps.reversed()
                    }
                    if origins.contains(target) { continue }
                    parents[target] = HolderPath.Step(node: node, edge: number)
                    queue.append(target)
                }
            }
            return nil
        }
    }

    /// A path through the graph to an object, as numbers of nodes and edges.
    struct HolderPath {
        struct Step {
            var node: Int
            var edge: Int
        }

        /// The root at which the path begins; `nil` for a cycle, and for a path without a known root.
        var root: Root?
        /// Whether the root is a Swift variable, which holds its object strongly.
        var isRootTyped = false
        /// The dispatch group at which the path begins.
        var group: DispatchGroup?
        /// A cycle, whose last edge leads back to the first step's node; empty for a chain.
        var cycle: [Step] = []
        /// The steps from the root, or from a node of the cycle, to the target.
        var steps: [Step]
        var target: Int
        var evidence: Evidence

        /// A dispatch group that waits, and the code of its `notify` closure. The group keeps itself, so no reference
        /// leads to it.
        struct DispatchGroup {
            var address: UInt
            var closure: UInt
        }

        /// The evidence for the path.
        enum Evidence: Equatable {
            /// Every reference on the path was read by its type. For a cycle, all references to the target and to its
            /// holders were found, too.
            case complete
            /// A reference on the path was not read by its type.
            case untyped
            /// The reference count of the target, or of one of its holders, differs from the number of references to it
            /// that were found.
            case unaccounted(node: Int, found: Int, counted: Int)
        }
    }
#endif
