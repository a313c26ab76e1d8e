#if os(Linux)
    import CRxTrace
    import Glibc

    /// The memory that this process has mapped, from `/proc/self/maps`.
    struct MemoryMap: ~Copyable {
        struct Range: BitwiseCopyable {
            var start: UInt
            var end: UInt
            var isReadable: Bool
            var isWritable: Bool
            /// Whether the mapping has no file. This includes mappings such as `[heap]` and `[stack]`.
            var isAnonymous: Bool
        }

        private(set) var ranges = MappedArray<Range>()

        /// Reads the list without touching the heap. O(m) for *m* mappings.
        init() throws(HeapUnavailable) {
            let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw .noMaps }
            defer { close(file) }
            var text = MappedArray<UInt8>()
            var received = 1
            while received > 0 {
                text.append(room: 1 << 16) { target in
                    received = max(0, read(file, target, 1 << 16))
                    return received
                }
            }
            var position = 0
            let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
            while position < bytes.count { ranges.append(Self.line(of: bytes, at: &position)) }
        }

        /// The readable range that contains an address. O(m).
        func range(at address: UInt) -> Range? {
            for index in 0..<ranges.count where ranges[index].start <= address && address < ranges[index].end {
                return ranges[index].isReadable ? ranges[index] : nil
            }
            return nil
        }

        /// `7f12a000-7f12c000 rw-p 00000000 00:00 0   [stack]`
        private static func line(of text: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Range {
            let start = hexadecimal(text, &position)
            let end = hexadecimal(text, &position)
            let readable = text[position] == UInt8(ascii: "r")
            let writable = text[position + 1] == UInt8(ascii: "w")
            var slash = false
            while position < text.count, text[position] != UInt8(ascii: "\n") {
                if text[position] == UInt8(ascii: "/") { slash = true }
                position += 1
            }
            position += 1
            return Range(start: start, end: end, isReadable: readable, isWritable: writable, isAnonymous: !slash)
        }

        private static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> UInt {
            var value: UInt = 0
            while position < text.count {
                let character = text[position]
                position += 1
                switch character {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt(character - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"):
                    value = value << 4 | UInt(character - UInt8(ascii: "a") + 10)
                default: return value
                }
            }
            return value
        }
    }

    /// The memory that jemalloc divides into blocks. Blocks may be in use or free; jemalloc does not report which.
    ///
    /// Its functions are found by `dlsym`, so that no library is linked for this. jemalloc can only be queried for an
    /// address. Therefore every page of memory that may belong to it is queried, from one extent to the next.
    struct HeapAllocator {
        private let query: rxtrace_allocator_query
        private let mib: [Int]

        init() throws(HeapUnavailable) {
            // `nil` is `RTLD_DEFAULT`, a macro that Swift does not import.
            guard let toMIB = dlsym(nil, "mallctlnametomib"), let byMIB = dlsym(nil, "mallctlbymib") else {
                throw .notJemalloc
            }
            typealias NameToMIB =
                @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> CInt
            // These signatures are documented in jemalloc's manual.
            let nameToMIB = unsafeBitCast(toMIB, to: NameToMIB.self)
            var mib = [0, 0, 0]
            var length = 3
            guard nameToMIB("experimental.utilization.query", &mib, &length) == 0, length == 3 else {
                throw .noUtilization
            }
            query = unsafeBitCast(byMIB, to: rxtrace_allocator_query.self)
            self.mib = mib
        }

        /// O(p) for *p* pages of anonymous memory.
        func findExtents(_ map: borrowing MemoryMap, _ heap: OpaquePointer) {
            let gibibyte: UInt = 1 << 30
            var asked = gibibyte
            var isKnown = false
            var end: UInt = 0
            for index in 0..<map.ranges.count {
                let range = map.ranges[index]
                guard range.isAnonymous, range.isReadable, range.isWritable else { continue }
                // Begins after the last extent, which may cross the border between two ranges: a query in the middle of
                // an extent would return the size of the whole extent.
                var from = max(range.start, end)
                while from < range.end {
                    let next = min(range.end, (from / gibibyte + 1) * gibibyte)
                    if asked != from / gibibyte {
                        asked = from / gibibyte
                        isKnown = rxtrace_heap_is_known(query, mib, from)
                    }
                    end = isKnown ? rxtrace_heap_add_extents(heap, query, mib, from, next) : next
                    from = end
                }
            }
        }
    }

    /// Finds the places outside the heap that may hold objects.
    enum Roots {
        /// Finds every word in the writable data of the images that points to a block.
        ///
        /// Some images are left out: the allocator, which also has pointers to free blocks; the Swift runtime, whose
        /// tables of types refer to many blocks but do not hold them; and the libraries of C++ and of Unicode, which
        /// have no references to Swift objects, but memory with old words that look like such references.
        static func findGlobals(_ heap: OpaquePointer) {
            var count = 0
            let segments = rxtrace_heap_segments(heap, &count)
            for segment in UnsafeBufferPointer(start: segments, count: count) {
                guard segment.is_writable, !strangers.contains(where: { strstr(segment.path, $0) != nil }) else {
                    continue
                }
                // libdispatch refers to its table of timers, which is a large block if there are a thousand timers.
                let arePointers = strstr(segment.path, "libdispatch") != nil
                rxtrace_heap_find_roots(heap, segment.start, segment.end, rxtrace_root_global, arePointers)
            }
        }

        private static let strangers = ["libjemalloc", "libswiftCore", "lib_FoundationICU", "libstdc++"]

        /// Finds every word that points to a block, on the stack of this thread and on the stacks of all threads that
        /// wait in a system call.
        static func findStacks(_ map: borrowing MemoryMap, _ heap: OpaquePointer) {
            var here = 0
            let own = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
            for pointer in [own] + stackPointersOfOthers() {
                guard let range = map.range(at: pointer) else { continue }
                rxtrace_heap_find_roots(heap, pointer, range.end, rxtrace_root_stack, false)
            }
        }

        /// The stack pointers of the other threads that wait in a system call, from `/proc/self/task/…/syscall`. The
        /// file of a running thread, such as this one, has no stack pointer.
        private static func stackPointersOfOthers() -> [UInt] {
            guard let folder = opendir("/proc/self/task") else { return [] }
            defer { closedir(folder) }
            var pointers: [UInt] = []
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard Int32(name) != nil, let file = fopen("/proc/self/task/\(name)/syscall", "r") else { continue }
                defer { fclose(file) }
                var line = [CChar](repeating: 0, count: 512)
                guard fgets(&line, 512, file) != nil else { continue }
                // The file has the number of the call, six arguments, the stack pointer and the program counter; or
                // `running` for a running thread.
                let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                    .split(separator: " ")
                guard words.count >= 3, let pointer = UInt(words[words.count - 2].dropFirst(2), radix: 16) else {
                    continue
                }
                pointers.append(pointer)
            }
            return pointers
        }
    }
#endif
