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

/// The memory that one holder has gained between two readings of the heap, for example a collection that grew in place.
struct MemoryGrowth {
    /// The bytes of the holder's new memory minus the bytes of its former memory.
    var bytes: Int
    /// The largest new object or block.
    var address: UInt
}

#if os(Linux)
    import CRxTrace

    extension RetentionSearch {
        /// The maximum number of objects of each reading whose holders are searched.
        private static var sampleLimit: Int { 16_384 }
        /// The maximum number of holders that are visited above an object.
        private static var depthLimit: Int { 64 }

        /// The holder that connects new objects with older ones: an object that existed, or a variable, with its field.
        struct Attachment: Hashable {
            /// 0 for objects without an older holder: the objects of a cycle, for example.
            var address: UInt = 0
            var field = ""
        }

        /// Whether there is an object at an address, and `earlier` does not contain the same object.
        func isNew(_ address: UInt, since earlier: RetentionSearch) -> Bool {
            guard let node = contents.object(at: address) else { return false }
            return !isSame(node, in: earlier)
        }

        /// Whether another reading contains the same object as a node.
        ///
        /// An object may have the address of an object of the same type that was freed. Therefore one of its holders
        /// must hold it in the other reading, too, and must itself be the same. Only references that types describe
        /// count, because a stale word is in one reading alone. If neither has such a reference, they are the same.
        /// O(r) for the *r* references to the object and to `depthLimit` holders above it, once for each object.
        private func isSame(_ node: Int, in other: RetentionSearch) -> Bool {
            if readingOfKnownSame !== other { (readingOfKnownSame, knownSame) = (other, [:]) }
            if let known = knownSame[node] { return known }
            var comparison = Comparison()
            let answer = isSame(node, in: other, &comparison) ?? true
            knownSame[node] = answer
            return answer
        }

        /// A comparison of one object under way.
        private struct Comparison {
            /// The object, and the holders above it that are being compared.
            var path: [Int] = []
            /// How many more objects may be compared.
            var budget = 256
            /// Whether an answer was missing, so that answers that depend on it are not final.
            var isOpen = false
        }

        /// - Returns: `nil` if nothing speaks for or against it: the holders lead back to the object, or are many.
        private func isSame(_ node: Int, in other: RetentionSearch, _ comparison: inout Comparison) -> Bool? {
            if let known = knownSame[node] { return known }
            guard comparison.path.count < Self.depthLimit, comparison.budget > 0, !comparison.path.contains(node) else {
                comparison.isOpen = true
                return nil
            }
            comparison.path.append(node)
            comparison.budget -= 1
            let wasOpen = comparison.isOpen
            comparison.isOpen = false
            let answer = compare(node, with: other, &comparison)
            if let answer, answer || !comparison.isOpen { knownSame[node] = answer }
            comparison.isOpen = comparison.isOpen || wasOpen
            comparison.path.removeLast()
            return answer
        }

        private func compare(_ node: Int, with other: RetentionSearch, _ comparison: inout Comparison) -> Bool? {
            let found = contents.graph.node(node)
            guard let twin = other.contents.object(at: found.address),
                other.contents.graph.node(twin).metadata == found.metadata
            else { return false }
            guard let holders = addressesOfHolders(of: node), let others = other.addressesOfHolders(of: twin),
                !holders.isEmpty || !others.isEmpty
            else { return true }
            let common = holders.intersection(others)
            // Each has a holder that the other has not. This matters where the common ones lead back to the object.
            var isOther = common.isEmpty || common.count < min(holders.count, others.count)
            for address in common {
                // A variable.
                guard let holder = contents.object(at: address) else { return true }
                switch isSame(holder, in: other, &comparison) {
                case true?: return true
                case false?: isOther = true
                case nil: continue
                }
            }
            return isOther ? false : nil
        }

        /// The holders of an object with more references are not compared: such an object lives long.
        private static var referenceLimit: Int { 64 }

        /// The addresses of the objects and variables that hold a node; `nil` if there are many. For the storage of a
        /// collection, the addresses of its holders.
        private func addressesOfHolders(of node: Int) -> Set<UInt>? {
            var addresses: Set<UInt> = []
            func add(holdersOf node: Int, throughStorage: Bool) -> Bool {
                if let root = typedChains.distances.root(at: node) { addresses.insert(contents.roots[root].address) }
                let references = allHolders.references(to: node)
                guard references.count <= Self.referenceLimit else { return false }
                for reference in references where contents.graph.edge(Int(reference.edge)).is_typed {
                    let holder = Int(reference.node)
                    if throughStorage, naming.isStorage(holder) {
                        guard add(holdersOf: holder, throughStorage: false) else { return false }
                    } else {
                        addresses.insert(contents.graph.node(holder).address)
                    }
                }
                return true
            }
            return add(holdersOf: node, throughStorage: true) ? addresses : nil
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

        /// Returns the nearest holder of an object that is also in another reading; `nil` if there is no such holder.
        private func attachment(of address: UInt, sharedWith other: RetentionSearch) -> Attachment? {
            var found: Attachment?
            forEachHolder(of: address) { holder, field in
                let isShared = !holder.isStorage && (holder.isRoot || !isNew(holder.address, since: other))
                if isShared { found = Attachment(address: holder.address, field: field) }
                return isShared
            }
            return found
        }

        private struct Holder {
            var address: UInt
            var isRoot: Bool
            /// Whether it is the storage of a collection, which is replaced as the collection grows.
            var isStorage: Bool
        }

        /// Walks from an object up through its holders, until `isFound` returns true.
        private func forEachHolder(of address: UInt, until isFound: (Holder, _ field: String) -> Bool) {
            guard var node = contents.object(at: address) else { return }
            let graph = contents.graph
            for _ in 0..<Self.depthLimit {
                if let number = typedChains.distances.root(at: node) {
                    let root = Holder(address: contents.roots[number].address, isRoot: true, isStorage: false)
                    _ = isFound(root, "")
                    return
                }
                guard let step = typedChains.distances.parent(of: node) ?? firstReference(to: node) else { return }
                let isStorage = naming.isStorage(step.node)
                // The field of a collection's owner, and not a position in the collection.
                let field = isStorage ? "" : contents.shapes.layouts.text(Int(graph.edge(step.edge).label))
                let holder = Holder(address: graph.node(step.node).address, isRoot: false, isStorage: isStorage)
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

        // MARK: Memory

        /// The memory that holders have gained since an earlier reading, the largest gain first. Excludes memory that
        /// the tracer's own variables lead to.
        ///
        /// A collection that grows in place replaces its storage, so that no count of objects rises. Its owner, which
        /// is in both readings, leads to more bytes than before. O(n + e) for the graphs once, and O(d) for each
        /// object and block that one of the readings lacks, *d* holders deep.
        func memoryGrowth(since earlier: RetentionSearch) -> [MemoryGrowth] {
            memoryGains(since: earlier).values.filter { $0.bytes > 0 && !isOfTracer($0.address) }
                .sorted { ($1.bytes, $0.address) < ($0.bytes, $1.address) }
        }

        /// The blocks whose holders have gained memory since an earlier reading.
        ///
        /// A new block need not be a gain: it may have replaced another block. A block without a holder that is in both
        /// readings counts as gained.
        func gained(_ addresses: [UInt], since earlier: RetentionSearch) -> [UInt] {
            let gains = memoryGains(since: earlier)
            let holders = Dictionary(grouping: addresses) { attachment(of: $0, sharedWith: earlier) }
            return holders.flatMap { holder, addresses in
                guard let holder else { return addresses }
                let sizes = addresses.compactMap { contents.object(at: $0).map { contents.graph.node($0).size } }
                // A table that doubles gains half of its new block, or less, as allocators round sizes up.
                let isGain = (gains[holder]?.bytes ?? 0) * 4 >= sizes.reduce(0, +)
                return isGain ? addresses : []
            }
        }

        /// Whether an object belongs to the tracer: it is the storage of a collection that only the tracer has, or a
        /// variable of the tracer or of Swift Testing leads to it.
        func isOfTracer(_ address: UInt) -> Bool {
            if contents.object(at: address).map(naming.isTracersAlone) ?? false { return true }
            var isOfTracer = false
            forEachHolder(of: address) { holder, _ in
                if holder.isRoot { isOfTracer = naming.isOfTracer(variableAt: holder.address) }
                return holder.isRoot
            }
            return isOfTracer
        }

        private func memoryGains(since earlier: RetentionSearch) -> [Attachment: MemoryGrowth] {
            if let (reading, gains) = latestGains, reading === earlier { return gains }
            let then = earlier.memory(missingIn: self)
            var gains = memory(missingIn: earlier)
            for (attachment, former) in then { gains[attachment]?.bytes -= former.bytes }
            for (attachment, gain) in gains where gain.bytes > 0 {
                gains[attachment]?.bytes -= replacedBytes(of: attachment, since: earlier)
            }
            latestGains = (earlier, gains)
            return gains
        }

        /// The maximum number of objects and blocks of a holder's memory that are compared.
        private static var memoryLimit: Int { 64 }

        /// Returns the bytes of memory that a holder led to in an earlier reading and no longer leads to, if the same
        /// kind of memory is still at its address. Another holder has that memory now.
        private func replacedBytes(of attachment: Attachment, since earlier: RetentionSearch) -> Int {
            let now = Set(memory(of: attachment).map { contents.graph.node($0).address })
            return earlier.memory(of: attachment).reduce(0) { bytes, node in
                let node = earlier.contents.graph.node(node)
                return now.contains(node.address) || !hasSameMemory(node) ? bytes : bytes + node.size
            }
        }

        /// The first objects and blocks that a holder's field leads to, through the storage of collections.
        private func memory(of attachment: Attachment) -> [Int] {
            let graph = contents.graph
            var found: [Int] = []
            if let holder = contents.object(at: attachment.address) {
                for number in graph.edgeRange(holder) {
                    let edge = graph.edge(number)
                    if contents.shapes.layouts.text(Int(edge.label)) == attachment.field {
                        found.append(Int(edge.target))
                    }
                }
            } else {
                found = nodesOfVariables[attachment.address] ?? []
            }
            var position = 0
            while position < found.count, found.count < Self.memoryLimit {
                if naming.isStorage(found[position]) {
                    let targets = graph.edgeRange(found[position]).map { Int(graph.edge($0).target) }
                    found += targets.prefix(Self.memoryLimit - found.count)
                }
                position += 1
            }
            return found
        }

        /// Returns the bytes that another reading lacks, by the nearest holder that is in both.
        private func memory(missingIn other: RetentionSearch) -> [Attachment: MemoryGrowth] {
            var memory: [Attachment: MemoryGrowth] = [:]
            var largest: [Attachment: Int] = [:]
            for node in contents.graph.nodes where !other.hasSameMemory(node) {
                guard let attachment = attachment(of: node.address, sharedWith: other) else { continue }
                memory[attachment, default: MemoryGrowth(bytes: 0, address: node.address)].bytes += node.size
                if node.size > largest[attachment] ?? 0 {
                    largest[attachment] = node.size
                    memory[attachment]?.address = node.address
                }
            }
            return memory
        }

        /// Whether this reading has an object of the same type, or a block, at the same address and of the same size.
        private func hasSameMemory(_ node: rxtrace_node) -> Bool {
            contents.object(at: node.address).map {
                let former = contents.graph.node($0)
                return former.metadata == node.metadata && former.size == node.size
            } ?? false
        }

        // MARK: Kept objects

        /// The number of objects of each of the user's classes that an object leads to, itself included. If an earlier
        /// reading is given, counts only new objects.
        func usersObjects(heldBy address: UInt, since earlier: RetentionSearch?) -> [String: Int] {
            let names = objects(heldBy: address, since: earlier).filter(naming.isUsers).map(naming.name)
            return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        }

        /// Whether an object stores the elements of a collection of unmanaged pointers.
        func keepsPointers(_ address: UInt) -> Bool {
            guard let object = contents.object(at: address) else { return false }
            let metadata = contents.graph.node(object).metadata
            return metadata != 0 && Metadata(metadata).elements.contains(where: \.isPointer)
        }

        /// Whether an object leads to one of the other objects, over objects that are new since an earlier reading.
        func leads(from address: UInt, toAnyOf others: Set<UInt>, since earlier: RetentionSearch?) -> Bool {
            let targets = Set(others.compactMap { contents.object(at: $0) })
            return !targets.isDisjoint(with: objects(heldBy: address, since: earlier))
        }

        /// Returns the objects that an object leads to, itself included. If an earlier reading is given, these are only
        /// new objects. Visits about `limit` objects at most.
        private func objects(heldBy address: UInt, since earlier: RetentionSearch?, limit: Int = 2_000) -> [Int] {
            guard let start = contents.object(at: address) else { return [] }
            let graph = contents.graph
            var seen: Set<Int> = [start]
            var found = [start]
            var position = 0
            while position < found.count, found.count < limit {
                for number in graph.edgeRange(found[position]) {
                    let edge = graph.edge(number)
                    let target = Int(edge.target)
                    guard !edge.is_lent, !seen.contains(target) else { continue }
                    // An object that existed before the runs also has another holder.
                    if let earlier, graph.node(target).metadata != 0, isSame(target, in: earlier) { continue }
                    seen.insert(target)
                    found.append(target)
                }
                position += 1
            }
            return found
        }

        /// The retention of an object without a known holder; `nil` if it is not alive.
        func unheld(_ address: UInt) -> Retention? { contents.object(at: address).map(naming.unheld) }

        /// The origin of an object's class; `nil` for memory without a class.
        func origin(of address: UInt) -> CodeOrigin? {
            contents.object(at: address).flatMap { naming.origin(of: $0) }
        }
    }
#endif
