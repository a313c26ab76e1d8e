/// A reading of the heap during a detection. Objects that were alive then cannot be left behind by later runs.
///
/// Taken when a count rises, so that a round trip that leaves nothing is not slowed down. Its graph is outside the
/// heap.
struct HeapMark {
    let heap: HeapSnapshot
    /// The number of runs up to this reading.
    let run: Int

    /// Reads the heap; `nil` if the heap cannot be read.
    init?(afterRun run: Int) {
        guard let heap = try? HeapSnapshot.capture() else { return nil }
        self.heap = heap
        self.run = run
    }
}

/// The change of a set of objects between two readings of the heap.
struct HeapGrowth {
    /// The number of objects by which the set has grown.
    var count: Int
    /// Objects of the holders that gained objects, evenly mixed. New objects are preferred if they can be
    /// distinguished.
    var gained: [UInt]
}

#if os(Linux)
    import CRxTrace

    extension RetentionSearch {
        /// The maximum number of objects of each reading whose holders are searched.
        private static var sampleLimit: Int { 16_384 }
        /// The maximum number of holders that are visited above an object.
        static var depthLimit: Int { 64 }

        /// The holder that connects new objects with older ones: an object that existed, or a variable, with its field.
        struct Attachment: Hashable {
            /// 0 for objects without an older holder: the objects of a cycle, for example.
            var address: UInt = 0
            var field = ""
        }

        /// Returns the change of a set of objects since an earlier reading.
        ///
        /// A new object may have the address of an object that was freed. Therefore objects are compared by their
        /// holders: each reading counts the objects of a holder that is in both readings. O(n + e) for the graphs once,
        /// and O(d) for each of the objects, *d* holders deep.
        ///
        /// - Parameters:
        ///   - addresses: the present set.
        ///   - former: the set at the earlier reading.
        func growth(of addresses: [UInt], since earlier: RetentionSearch, _ former: [UInt]) -> HeapGrowth {
            let count = addresses.count - former.count
            if former.isEmpty { return HeapGrowth(count: count, gained: addresses) }
            let now = attachments(of: addresses, sharedWith: earlier)
            let then = earlier.attachments(of: former, sharedWith: self)
            let scale = (now: Self.scale(addresses), then: Self.scale(former))
            let gains = now.map { attachment, objects in
                let gain = Double(objects.count) * scale.now - Double(then[attachment]?.count ?? 0) * scale.then
                return (objects: objects, gain: gain)
            }
            // A holder gains no more than the whole set does, unless one of the readings has missed a reference to the
            // holder.
            let limit = Double(2 * max(count, 1))
            let fair = gains.filter { $0.gain > 0 && $0.gain <= limit }
            let most = fair.map(\.gain).max() ?? 0
            // A full cache gains no objects, or only the few by which its readings differ.
            var holders = fair.filter { $0.gain * 4 >= most }.map(\.objects)
            // A variable's value may be in several places on a stack, and each reading may have found a different one.
            if holders.isEmpty, count > 0 { holders = [addresses] }
            // A holder whose objects all existed before has gained none: the other reading has found no path to it. The
            // exception is a holder whose objects have all been replaced by new ones at the same addresses.
            let new = holders.map { $0.filter { isNew($0, since: earlier) } }.filter { !$0.isEmpty }
            return HeapGrowth(count: count, gained: Self.mixed(new.isEmpty ? holders : new))
        }

        private static func scale(_ all: [UInt]) -> Double { max(1, Double(all.count) / Double(sampleLimit)) }

        /// Returns at most `limit` of the addresses, evenly distributed.
        static func sample(_ addresses: [UInt], _ limit: Int) -> [UInt] {
            let size = min(addresses.count, limit)
            return (0..<size).map { addresses[$0 * addresses.count / size] }
        }

        /// Elements of the lists in turn, the longest list first.
        private static func mixed(_ lists: [[UInt]]) -> [UInt] {
            let lists = lists.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
            return (0..<(lists.first?.count ?? 0)).flatMap { index in
                lists.compactMap { index < $0.count ? $0[index] : nil }
            }
        }

        // MARK: Holders

        /// Groups a sample of the objects by the nearest holder that is also in another reading.
        private func attachments(
            of addresses: [UInt], sharedWith other: RetentionSearch
        ) -> [Attachment: [UInt]] {
            var attachments: [Attachment: [UInt]] = [:]
            for address in Self.sample(addresses, Self.sampleLimit) {
                attachments[attachment(of: address, sharedWith: other) ?? Attachment(), default: []].append(address)
            }
            return attachments
        }

        /// Returns the nearest holder of an object that is also in another reading; `nil` if there is no such holder,
        /// or if the path to it leads through objects of the tracer. Memory that the program has not used yet may
        /// contain the address of such an object.
        func attachment(of address: UInt, sharedWith other: RetentionSearch) -> Attachment? {
            var found: Attachment?
            forEachHolder(of: address) { holder, field in
                let isShared = !holder.isStorage && (holder.isRoot || !isNew(holder.address, since: other))
                if isShared, !holder.isTracers { found = Attachment(address: holder.address, field: field) }
                return isShared || holder.isTracers
            }
            return found
        }

        struct Holder {
            var address: UInt
            var isRoot: Bool
            /// Whether it is the storage of a collection, which is replaced as the collection grows.
            var isStorage: Bool
            /// Whether it is an instance of one of the tracer's classes.
            var isTracers: Bool
        }

        /// Walks from an object up through its holders, until `isFound` returns true.
        func forEachHolder(of address: UInt, until isFound: (Holder, _ field: String) -> Bool) {
            guard var node = contents.object(at: address) else { return }
            let graph = contents.graph
            for _ in 0..<Self.depthLimit {
                if let number = typedChains.distances.root(at: node) {
                    let root = Holder(
                        address: contents.roots[number].address, isRoot: true, isStorage: false, isTracers: false)
                    _ = isFound(root, "")
                    return
                }
                guard let step = typedChains.distances.parent(of: node) ?? firstReference(to: node) else { return }
                let isStorage = naming.isStorage(step.node)
                // The field of a collection's owner, and not a position in the collection.
                let field = isStorage ? "" : contents.shapes.layouts.text(Int(graph.edge(step.edge).label))
                let holder = Holder(
                    address: graph.node(step.node).address, isRoot: false, isStorage: isStorage,
                    isTracers: naming.isTracersInstance(step.node))
                if isFound(holder, field) { return }
                node = step.node
            }
        }

        /// Returns a reference to a node from another node, preferably a typed reference.
        private func firstReference(to node: Int) -> HolderPath.Step? {
            let references = allHolders.references(to: node)
            let others = references.lazy.filter { Int($0.node) != node }
            let typed = others.first { self.contents.graph.edge(Int($0.edge)).is_typed }
            return (typed ?? others.first).map { HolderPath.Step(node: Int($0.node), edge: Int($0.edge)) }
        }

        // MARK: Objects without a class

        /// Returns the contexts of closures, boxes and tasks that were made since an earlier reading, by their layout,
        /// if their number has grown.
        func contextGrowth(since earlier: RetentionSearch) -> [HeapGrowth] {
            let now = contexts
            let then = earlier.contexts
            return now.compactMap { metadata, addresses in
                let growth = growth(of: addresses, since: earlier, then[metadata] ?? [])
                return growth.count > 0 && !growth.gained.isEmpty ? growth : nil
            }
            .sorted { ($1.count, $0.gained[0]) < ($0.count, $1.gained[0]) }
        }

        private var contexts: [UInt: [UInt]] {
            var contexts: [UInt: [UInt]] = [:]
            for node in contents.graph.nodes where node.metadata != 0 {
                switch Metadata(node.metadata).kind {
                case .context, .genericBox, .task: contexts[node.metadata, default: []].append(node.address)
                default: break
                }
            }
            return contexts
        }
    }
#endif
