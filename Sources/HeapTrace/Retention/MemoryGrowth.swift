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
    }
#endif
