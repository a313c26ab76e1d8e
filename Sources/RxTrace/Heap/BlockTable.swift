#if os(Linux)
import CPlatform
import Glibc

/// The blocks that jemalloc deals out, used or free: it does not tell which.
///
/// Found by dlsym, so that nothing is linked for it. jemalloc answers for addresses only; so every page of memory that may be its own is asked
/// about, from one extent to the next: 50 ns each.
final class BlockTable {
    struct Extent: BitwiseCopyable {
        var start: UInt
        var end: UInt
        /// The size of each block in it.
        var blockSize: UInt
        /// The number of its first block among all.
        var firstBlock: Int
    }

    private(set) var extents = MappedArray<Extent>()
    /// How many blocks there are.
    private(set) var count = 0

    /// O(p) for *p* pages of anonymous memory.
    init(in map: borrowing MemoryMap) throws(HeapUnavailable) {
        let (query, mib) = try Self.query()
        let gibibyte: UInt = 1 << 30
        var asked = gibibyte, isKnown = false
        var found = MappedArray<rx_extent>()
        for index in 0..<map.ranges.count {
            let range = map.ranges[index]
            guard range.isAnonymous, range.isReadable, range.isWritable else { continue }
            var from = range.start
            // From behind the last extent on: one may cross the border, and in its middle its size would mislead.
            while from < range.end {
                let next = min(range.end, (from / gibibyte + 1) * gibibyte)
                if asked == gibibyte || asked != from / gibibyte {
                    asked = from / gibibyte
                    isKnown = mib.withUnsafeBufferPointer { rx_heap_is_known(query, $0.baseAddress.unsafelyUnwrapped, from) }
                }
                if isKnown {
                    mib.withUnsafeBufferPointer { mib in
                        found.append(room: Int((next - from) / 4096)) {
                            rx_heap_extents(query, mib.baseAddress.unsafelyUnwrapped, from, next, $0, Int((next - from) / 4096))
                        }
                    }
                }
                from = found.count == 0 ? next : max(next, found[found.count - 1].start + UInt(found[found.count - 1].size))
            }
        }
        for index in 0..<found.count { add(found[index]) }
    }

    private func add(_ extent: rx_extent) {
        let size = UInt(extent.size), regions = UInt(extent.regions)
        extents.append(Extent(start: extent.start, end: extent.start + size, blockSize: size / regions, firstBlock: count))
        count += Int(regions)
    }

    private static func query() throws(HeapUnavailable) -> (rx_allocator_query, [Int]) {
        // `RTLD_DEFAULT` is a macro that Swift does not see.
        guard let toMIB = dlsym(nil, "mallctlnametomib"), let byMIB = dlsym(nil, "mallctlbymib") else { throw .notJemalloc }
        typealias NameToMIB = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> CInt
        // The signatures are those of jemalloc's manual.
        let nameToMIB = unsafeBitCast(toMIB, to: NameToMIB.self)
        var mib = [0, 0, 0], length = 3
        guard nameToMIB("experimental.utilization.query", &mib, &length) == 0, length == 3 else { throw .noUtilization }
        return (unsafeBitCast(byMIB, to: rx_allocator_query.self), mib)
    }

    /// The extent that an address lies in. O(log e) for *e* extents.
    @inline(__always)
    func extent(at address: UInt) -> Extent? {
        var low = 0, high = extents.count
        if high == 0 || address < extents[0].start || address >= extents[high - 1].end { return nil }
        while high - low > 1 {
            let middle = (low + high) / 2
            if extents[middle].start <= address { low = middle } else { high = middle }
        }
        let extent = extents[low]
        return address < extent.end ? extent : nil
    }

    /// The number of the block that begins at an address, and its size.
    @inline(__always)
    func block(startingAt address: UInt) -> (number: Int, size: Int)? {
        guard let extent = extent(at: address) else { return nil }
        let (index, remainder) = (address - extent.start).quotientAndRemainder(dividingBy: extent.blockSize)
        return remainder == 0 ? (extent.firstBlock + Int(index), Int(extent.blockSize)) : nil
    }

    /// Whether memory from an address on can be read as the allocator's.
    @inline(__always)
    func contains(_ address: UInt, _ bytes: UInt) -> Bool {
        guard let extent = extent(at: address) else { return false }
        return extent.end - address >= bytes
    }
}
#endif
