#if os(Linux)
    import CRxTrace

    /// The arrays, sets and dictionaries that have room for more elements.
    ///
    /// An element that goes into such room takes no memory. Unless it is an object, or holds memory of its own, neither
    /// the bytes of the heap nor the counts of objects show it.
    struct CollectionWatch {
        private var collections: [rxtrace_collection]
        /// The counts when this was made.
        private let first: [Int64]

        /// The number of elements for which there has to be room: what has less allocates within the first runs.
        private static let leastRoom = 4
        /// How many collections are followed at most; of more, those with most room.
        private static let limit = 1_024

        /// Looks for them in the heap; `nil` where they cannot be read. O(p + b) for *p* pages of anonymous memory and
        /// *b* blocks.
        init?() {
            let reader = HeapReader.take()
            defer { reader.giveBack() }
            guard let found = try? reader.collections(withRoomFor: Self.leastRoom) else { return nil }
            collections = Array(found.prefix(Self.limit))
            first = collections.map(\.count)
        }

        /// Reads the counts. O(n) for *n* collections.
        mutating func read() {
            let before = collections
            let count = collections.count
            // What a collection had at its end is kept: the bytes of the heap show what has taken its place.
            if !rxtrace_collections_read(&collections, count) { collections = before }
            for index in before.indices where collections[index].count < 0 {
                collections[index].count = before[index].count
            }
        }

        /// Those whose counts have changed since this was made, and by how much. O(n) for *n* collections.
        var changes: [(collection: GrowthTable.Column, change: Int)] {
            zip(collections, first).compactMap { collection, first in
                collection.count == first
                    ? nil
                    : (
                        .collection(address: collection.address, type: collection.metadata),
                        Int(collection.count - first)
                    )
            }
        }
    }

    extension GrowthMetric {
        /// The elements of a collection whose storage has this type.
        static func elements(ofStorage type: UInt) -> GrowthMetric {
            .elements(Metadata(type).collectionName ?? Metadata(type).name)
        }
    }
#else
    /// Heaps are read on Linux only.
    struct CollectionWatch {
        init?() { nil }
        mutating func read() {}
        var changes: [(collection: GrowthTable.Column, change: Int)] { [] }
    }

    extension GrowthMetric {
        static func elements(ofStorage type: UInt) -> GrowthMetric { .elements("") }
    }
#endif
