#if os(Linux)
import Glibc

/// Places outside the heap that may hold objects.
struct Root: BitwiseCopyable {
    enum Place: BitwiseCopyable { case global, stack }
    /// Where the reference stands.
    var address: UInt
    var node: Int32
    var place: Place
}

extension HeapReader {
    /// Every word of the images' writable data that points to a block. Not of the allocator's, which knows blocks that are free.
    mutating func findGlobals() -> MappedArray<Root> {
        var roots = MappedArray<Root>()
        for index in 0..<images.segments.count {
            let segment = images.segments[index]
            if !segment.is_writable || strstr(segment.path, "libjemalloc") != nil { continue }
            findRoots(from: segment.start, to: segment.end, .global, &roots)
        }
        return roots
    }

    mutating func findRoots(from start: UInt, to end: UInt, _ place: Root.Place, _ roots: inout MappedArray<Root>) {
        var address = (start + 7) & ~7
        while address + 8 <= end {
            if let node = node(at: word(address)) { roots.append(Root(address: address, node: node, place: place)) }
            address += 8
        }
    }
}
#endif
