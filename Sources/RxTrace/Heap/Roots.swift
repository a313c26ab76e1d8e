#if os(Linux)
    import CRxTrace
    import Glibc

    /// Finds the places outside the heap that may hold objects.
    enum Roots {
        /// Every word of the images' writable data that points to a block. Not of the allocator's, which knows blocks
        /// that are free, nor of the language's runtime, whose tables of types point to everything and hold nothing.
        static func findGlobals(_ heap: OpaquePointer) {
            var count = 0
            let segments = rxtrace_heap_segments(heap, &count)
            for segment in UnsafeBufferPointer(start: segments, count: count) {
                if !segment.is_writable || strstr(segment.path, "libjemalloc") != nil
                    || strstr(segment.path, "libswiftCore") != nil
                {
                    continue
                }
                rxtrace_heap_find_roots(heap, segment.start, segment.end, rxtrace_root_global)
            }
        }

        /// Every word on the stacks of all threads that points to a block. That of a thread that runs meanwhile is not
        /// read.
        static func findStacks(_ map: borrowing MemoryMap, _ heap: OpaquePointer) {
            var here = 0
            let own = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
            for pointer in [own] + stackPointersOfOthers() {
                guard let range = map.range(at: pointer) else { continue }
                rxtrace_heap_find_roots(heap, pointer, range.end, rxtrace_root_stack)
            }
        }

        /// Where the stacks of the other threads end (of this one, which runs, the file says so), as far as they wait
        /// in a system call: `/proc/self/task/…/syscall` tells it.
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
                // The number of the call, six arguments, the stack pointer, the program counter; of a thread that runs,
                // `running`.
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
