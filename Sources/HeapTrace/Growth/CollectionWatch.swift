#if os(Linux)
    import CRxTrace

    /// The arrays, sets and dictionaries that may gain elements without taking memory.
    ///
    /// An element that is added to a collection with room takes no memory. Unless it is an object, or refers to memory
    /// of the heap, neither the bytes of the heap nor the counts of objects show it.
    struct CollectionWatch {
        private var collections: [rxtrace_collection]
        /// The same collections with the counts that changes are compared with. After its elements have moved, a
        /// collection is still identified by the first address.
        private var first: [rxtrace_collection]
        /// The collections whose elements may be in another storage now. Each has left its storage, and was full or had
        /// gained elements.
        private var moved: Set<Int> = []
        /// The other collections whose storage was deallocated, and those whose elements were not found in another
        /// storage. Their last count remains: a new storage may have the same address.
        private var ended: Set<Int> = []
        /// All storages that the last search has found, and the numbers of their elements.
        private var storages: [CollectionStorage: Int64] = [:]
        private var searches = 0

        /// The number of collections to follow among those that the warm-up has not changed. The collections
        /// with the most room are followed.
        private static let limit = 1_024
        /// The maximum number of searches for storage to which elements have moved. A collection that doubles its
        /// storage moves less often than this.
        private static let searchLimit = 32

        /// Finds all collections in the heap, early in the warm-up; `nil` where they cannot be read.
        ///
        /// O(p + b) for *p* pages of anonymous memory and *b* blocks.
        init?() {
            guard let found = Self.find() else { return nil }
            collections = found
            first = found
        }

        /// Returns the collections of the heap that are not the tracer's own, those with the most room first. The
        /// search creates new collections for each reading, often at the addresses of the previous ones.
        private static func find() -> [rxtrace_collection]? {
            let reader = HeapReader.take()
            defer { reader.giveBack() }
            guard let found = try? reader.collections() else { return nil }
            return found.filter { !Metadata($0.type).elements.contains(where: \.isTracersAlone) }
        }

        /// Chooses the collections to follow. Returns `false` if the heap cannot be read.
        ///
        /// All collections that are new or have changed since `init` are followed, and those with the most room among
        /// the others. A collection that the runs fill may be empty in the first run, and an empty collection has no
        /// storage.
        ///
        /// O(p + b) for *p* pages of anonymous memory and *b* blocks.
        mutating func endWarmUp() -> Bool {
            guard let found = Self.find() else { return false }
            let before = Dictionary(first.map { ($0.address, $0) }) { first, _ in first }
            collections = found.enumerated().filter { position, collection in
                guard let former = before[collection.address], former.type == collection.type else { return true }
                return former.count != collection.count || position < Self.limit && !collection.isFull
            }
            .map(\.element)
            first = collections
            note(found)
            return true
        }

        /// Reads the counts of the collections that are still there. The others keep their last count.
        ///
        /// O(n) for *n* collections.
        mutating func read() {
            let before = collections
            let count = collections.count
            guard rxtrace_collections_read(&collections, count) else {
                collections = before
                return
            }
            for index in ended { collections[index] = before[index] }
            for index in before.indices where collections[index].count < 0 {
                collections[index] = before[index]
                let mayContinue = before[index].count > first[index].count || before[index].isFull
                if mayContinue { moved.insert(index) } else { ended.insert(index) }
            }
        }

        /// Whether to call `followMoved()`: collections that may continue elsewhere have left their storage.
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
        /// elements, which is not followed yet. Of several such storages it takes a storage that did not exist at the
        /// last search or had another number of elements then, and of these the storage with the fewest elements. A
        /// new storage is often where another one was, of the same type and capacity.
        ///
        /// The successor may belong to another collection. If that collection doesn't grow, the count stops rising.
        private mutating func follow(_ indices: Set<Int>) {
            guard let found = Self.find() else { return }
            let byType = Dictionary(grouping: found, by: \.disguised_type)
            let left = ended.union(indices)
            let others = collections.indices.filter { !left.contains($0) }
            var known = Set(others.map { CollectionStorage(collections[$0]) })
            for index in indices.sorted() {
                let former = collections[index]
                let larger = byType[former.disguised_type, default: []].filter {
                    $0.count >= former.count && $0.capacity > former.capacity && !known.contains(CollectionStorage($0))
                }
                let new = larger.filter { storages[CollectionStorage($0)] != $0.count }
                guard let successor = (new.isEmpty ? larger : new).min(by: { $0.count < $1.count }) else {
                    ended.insert(index)
                    continue
                }
                collections[index] = successor
                known.insert(CollectionStorage(successor))
            }
            note(found)
        }

        private mutating func note(_ found: [rxtrace_collection]) {
            storages = Dictionary(found.map { (CollectionStorage($0), $0.count) }) { first, _ in first }
        }

        /// Ignores the changes since the last reading. Call this after the search has worked, to ignore the changes of
        /// its own tables, which grow when it reads the heap. O(n) for *n* collections.
        mutating func leaveOutChanges() {
            let before = collections
            read()
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
                    : (.collection(CollectionStorage(first)), Int(collection.count - first.count))
            }
        }
    }

    /// The storage of a collection, without its elements.
    struct CollectionStorage: Hashable {
        private let disguisedAddress, disguisedType: UInt
        private let capacity: Int64

        init(_ collection: rxtrace_collection) {
            (disguisedAddress, disguisedType) = (collection.disguised_address, collection.disguised_type)
            capacity = collection.capacity
        }

        var address: UInt { rxtrace_disguised(disguisedAddress) }
        var type: UInt { rxtrace_disguised(disguisedType) }
    }

    extension rxtrace_collection {
        fileprivate var isFull: Bool { count >= capacity }
    }

    extension Metadata {
        /// Whether only the tracer has collections of this type. The counts of a detection are among them.
        var isTracersAlone: Bool { Self.tracersAlone.contains(self) }

        private static let tracersAlone = Set(
            ([
                rxtrace_holder.self, rxtrace_collection.self, rxtrace_watched_block.self, GrowthTable.Column.self,
                GrowthMetric.self, CountedType.self, CollectionStorage.self,
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
        mutating func endWarmUp() -> Bool { false }
        mutating func leaveOutChanges() {}
        mutating func read() {}
        var hasMoved: Bool { false }
        mutating func followMoved() {}
        func address(of original: UInt) -> UInt { original }
        var changes: [(collection: GrowthTable.Column, change: Int)] { [] }
    }

    struct CollectionStorage: Hashable {
        let address, type: UInt
    }

    extension GrowthMetric {
        static func elements(ofStorage type: UInt) -> GrowthMetric { .elements("") }
    }
#endif
