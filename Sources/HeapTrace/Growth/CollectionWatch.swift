#if os(Linux)
    import CRxTrace

    /// The arrays, sets and dictionaries that have room for more elements.
    ///
    /// An element that is added to such a collection takes no memory. Unless it is an object, or refers to memory of
    /// the heap, neither the bytes of the heap nor the counts of objects show it.
    struct CollectionWatch {
        private var collections: [rxtrace_collection]
        /// The same collections with the counts that changes are compared with. After its elements have moved, a
        /// collection is still identified by the first address.
        private var first: [rxtrace_collection]
        /// The collections that had gained elements and then left their storage.
        private var moved: [Int] = []
        /// The collections whose storage was deallocated, and whose elements were not found in another storage.
        private var ended: Set<Int> = []
        private var searches = 0

        /// The number of collections to follow among those that the warm-up has not changed. The collections
        /// with the most room are followed.
        private static let limit = 1_024
        /// The maximum number of searches for storage to which elements have moved. A collection that doubles its
        /// storage moves less often than this.
        private static let searchLimit = 32

        /// Finds all collections with room in the heap, early in the warm-up; `nil` where they cannot be read.
        ///
        /// O(p + b) for *p* pages of anonymous memory and *b* blocks.
        init?() {
            let reader = HeapReader.take()
            defer { reader.giveBack() }
            guard let found = try? reader.collections(withRoomFor: 1) else { return nil }
            // The search creates new collections for each reading, often at the addresses of the previous ones.
            collections = found.filter { !Metadata($0.metadata).elements.contains(where: \.isTracersAlone) }
            first = collections
        }

        /// Keeps the collections that the warm-up changed, and those with the most room. Counts their changes after
        /// that.
        ///
        /// O(n) for *n* collections with room, and a search of the heap if the storage of some was deallocated.
        mutating func endWarmUp() {
            let gone = readCounts()
            // Most of these belonged to a single run. The search finds where a collection that the runs fill has moved.
            if !gone.isEmpty { follow(gone) }
            let kept = collections.indices.filter {
                $0 < Self.limit || collections[$0].count != first[$0].count
            }
            collections = kept.map { collections[$0] }
            first = collections
            ended = []
        }

        /// Reads the counts. O(n) for *n* collections.
        mutating func read() {
            let grown = readCounts().filter { collections[$0].count > first[$0].count }
            moved += grown.filter { !moved.contains($0) }
        }

        /// Reads the counts, and returns the indices of the collections whose storage was deallocated. They keep their
        /// last count.
        private mutating func readCounts() -> [Int] {
            let before = collections
            let count = collections.count
            guard rxtrace_collections_read(&collections, count) else {
                collections = before
                return []
            }
            let gone = before.indices.filter { collections[$0].count < 0 }
            for index in gone { collections[index] = before[index] }
            return gone.filter { !ended.contains($0) }
        }

        /// Whether to call `followMoved()`: collections that had gained elements have left their storage.
        var hasMoved: Bool { !moved.isEmpty && searches < Self.searchLimit }

        /// Finds the larger storage that full collections have moved to, and reads that storage afterwards.
        ///
        /// O(p + b) for *p* pages of anonymous memory and *b* blocks.
        mutating func followMoved() {
            searches += 1
            follow(moved)
            moved = []
        }

        /// Replaces each of these collections by its likely successor: a larger storage of the same type with no fewer
        /// elements, which is not followed yet. Of several such storages it takes the storage with the fewest elements.
        ///
        /// The successor may belong to another collection. If that collection doesn't grow, the count stops rising.
        private mutating func follow(_ indices: [Int]) {
            let reader = HeapReader.take()
            defer { reader.giveBack() }
            guard let found = try? reader.collections(withRoomFor: 0) else { return }
            let byType = Dictionary(grouping: found, by: \.metadata)
            var known = Set(collections.map(\.address))
            for index in indices {
                let former = collections[index]
                let larger = byType[former.metadata, default: []].filter {
                    $0.count >= former.count && $0.capacity > former.capacity && !known.contains($0.address)
                }
                guard let successor = larger.min(by: { $0.count < $1.count }) else {
                    ended.insert(index)
                    continue
                }
                collections[index] = successor
                known.insert(successor.address)
            }
        }

        /// Ignores the changes since the last reading, which the search itself has made: its tables grow when it reads
        /// the heap. O(n) for *n* collections.
        mutating func leaveOutChanges() {
            let before = collections
            _ = readCounts()
            for index in collections.indices { first[index].count += collections[index].count - before[index].count }
        }

        /// Returns the present address of a collection, given its first address.
        func address(of original: UInt) -> UInt {
            first.firstIndex { $0.address == original }.map { collections[$0].address } ?? original
        }

        /// The collections whose counts have changed since the warm-up, and the size of each change. O(n) for *n*
        /// collections.
        var changes: [(collection: GrowthTable.Column, change: Int)] {
            zip(collections, first).compactMap { collection, first in
                collection.count == first.count
                    ? nil
                    : (
                        .collection(address: first.address, type: first.metadata),
                        Int(collection.count - first.count)
                    )
            }
        }
    }

    extension Metadata {
        /// Whether only the tracer has collections of this type. The counts of a detection are among them.
        var isTracersAlone: Bool { Self.tracersAlone.contains(self) }

        private static let tracersAlone = Set(
            ([
                rxtrace_holder.self, rxtrace_collection.self, rxtrace_watched_block.self, GrowthTable.Column.self,
                GrowthMetric.self, CountedType.self,
            ] as [Any.Type]).map(Metadata.init))
    }

    extension GrowthMetric {
        /// The elements of a collection whose storage has this type.
        static func elements(ofStorage type: UInt) -> GrowthMetric {
            .elements(Metadata(type).collectionName ?? Metadata(type).name)
        }
    }
#else
    /// Follows no collections, because heaps are read on Linux only.
    struct CollectionWatch {
        init?() { nil }
        mutating func endWarmUp() {}
        mutating func leaveOutChanges() {}
        mutating func read() {}
        var hasMoved: Bool { false }
        mutating func followMoved() {}
        func address(of original: UInt) -> UInt { original }
        var changes: [(collection: GrowthTable.Column, change: Int)] { [] }
    }

    extension GrowthMetric {
        static func elements(ofStorage type: UInt) -> GrowthMetric { .elements("") }
    }
#endif
