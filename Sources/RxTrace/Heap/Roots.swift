#if os(Linux)
import Glibc

/// Places outside the heap that may hold objects.
struct Root: BitwiseCopyable {
    enum Place: BitwiseCopyable {
        case global, stack
        /// The node itself: a task keeps itself until it has ended.
        case task
    }
    /// Where the reference stands.
    var address: UInt
    var node: Int32
    var place: Place
}

extension HeapReader {
    /// Every word of the images' writable data that points to a block. Not of the allocator's, which knows blocks that are free, nor of the
    /// language's runtime, whose tables of types point to everything and hold nothing.
    mutating func findGlobals() -> MappedArray<Root> {
        var roots = MappedArray<Root>()
        for index in 0..<images.segments.count {
            let segment = images.segments[index]
            if !segment.is_writable || strstr(segment.path, "libjemalloc") != nil || strstr(segment.path, "libswiftCore") != nil { continue }
            findRoots(from: segment.start, to: segment.end, .global, &roots)
        }
        return roots
    }

    /// The tasks that are there.
    func findTasks(_ roots: inout MappedArray<Root>) {
        for index in 0..<graph.nodes.count where graph.nodes[index].metadata != 0 && Metadata(graph.nodes[index].metadata).kind == .task {
            roots.append(Root(address: graph.nodes[index].address, node: Int32(index), place: .task))
        }
    }

    /// Every word on the stacks of all threads that points to a block. That of a thread that runs meanwhile is not read.
    mutating func findStackRoots(_ map: borrowing MemoryMap, _ roots: inout MappedArray<Root>) {
        var here = 0
        let own = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
        for pointer in [own] + Self.stackPointersOfOthers() {
            guard let range = map.range(at: pointer) else { continue }
            findRoots(from: pointer, to: range.end, .stack, &roots)
        }
    }

    /// Where the stacks of the other threads end (of this one, which runs, the file says so), as far as they wait in a system call: `/proc/self/task/…/syscall` tells it.
    private static func stackPointersOfOthers() -> [UInt] {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var pointers: [UInt] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) } }
            guard Int32(name) != nil, let file = fopen("/proc/self/task/\(name)/syscall", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 512)
            guard fgets(&line, 512, file) != nil else { continue }
            // The number of the call, six arguments, the stack pointer, the program counter; of a thread that runs, `running`.
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
            guard words.count >= 3, let pointer = UInt(words[words.count - 2].dropFirst(2), radix: 16) else { continue }
            pointers.append(pointer)
        }
        return pointers
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
