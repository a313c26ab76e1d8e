#if os(Linux)
    import CRxTrace
    import Glibc

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
            if let range = map.range(at: own) {
                rxtrace_heap_find_roots(heap, own, range.end, rxtrace_root_stack, false)
            }
            for pointer in stackPointersOfOthers() {
                guard let range = map.range(at: pointer) else { continue }
                rxtrace_heap_find_roots_on_stack(heap, pointer, range.end)
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
