import Foundation
import RxBench

#if Jemalloc
    import CJemalloc

    /// The statistics of the allocator that this process is linked with.
    ///
    /// Counts are sums over all threads. They are exact only in a process that was started with
    /// `MALLOC_CONF=tcache:false`, because a thread's cache is filled in batches and reported late.
    final class Jemalloc {
        private let epoch: MIB
        /// The size classes, first the small classes and then the large ones. Each has a pair of counters and a size in
        /// bytes.
        private let classes: UnsafeBufferPointer<SizeClass>

        private struct SizeClass {
            let bytes: Int
            let allocated: MIB
            let freed: MIB
        }

        /// The allocations since the process was started.
        struct Totals {
            var allocations = 0
            var deallocations = 0
            var allocatedBytes = 0
        }

        /// The version text, such as `5.3.0-0-g54eaed1d8b56b1aa528be3bdd1877e59c56fa90c`, cut at the first hyphen.
        static var version: String? {
            var text: UnsafePointer<CChar>?
            var size = MemoryLayout<UnsafePointer<CChar>?>.size
            guard control("version", &text, &size) == 0, let text else { return nil }
            return String(String(cString: text).prefix { $0 != "-" })
        }

        /// Reads the allocator's size classes. Returns `nil` if the allocator was built without statistics.
        init?() {
            guard let epoch = MIB("epoch"), let small = Self.number("arenas.nbins", as: UInt32.self),
                let large = Self.number("arenas.nlextents", as: UInt32.self)
            else { return nil }
            let smallClasses = (0..<small).compactMap { Self.sizeClass("bin", "bins", Int($0)) }
            let largeClasses = (0..<large).compactMap { Self.sizeClass("lextent", "lextents", Int($0)) }
            guard smallClasses.count == Int(small), largeClasses.count == Int(large) else { return nil }
            self.epoch = epoch
            let storage = UnsafeMutableBufferPointer<SizeClass>.allocate(
                capacity: smallClasses.count + largeClasses.count)
            _ = storage.initialize(from: smallClasses + largeClasses)
            classes = UnsafeBufferPointer(storage)
        }

        /// Whether threads allocate without a cache, so that counts are exact.
        static var isUncached: Bool { number("opt.tcache", as: Bool.self) == false }

        /// Whether a block that Swift allocates is counted in the totals. Under a sanitizer or another allocator it is
        /// not counted.
        var servesThisProcess: Bool {
            // The first reading instantiates metadata, which allocates memory.
            _ = blocksSeen()
            return blocksSeen() == 1
        }

        /// Returns the number of allocations that are counted while one block is allocated.
        private func blocksSeen() -> Int {
            let before = totals().allocations
            let block = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16)
            blackHole(block)
            let after = totals().allocations
            block.deallocate()
            return after - before
        }

        /// Reads all counters without allocating memory.
        func totals() -> Totals {
            var tick: UInt64 = 1
            epoch.write(&tick)
            var totals = Totals()
            for sizeClass in classes {
                let allocated: Int = sizeClass.allocated.read()
                totals.allocations += allocated
                totals.allocatedBytes += allocated * sizeClass.bytes
                totals.deallocations += sizeClass.freed.read() as Int
            }
            return totals
        }

        private static func sizeClass(_ singular: String, _ plural: String, _ index: Int) -> SizeClass? {
            // Arena 4096 (MALLCTL_ARENAS_ALL) is the sum of all arenas.
            let statistics = "stats.arenas.4096.\(plural).\(index)"
            guard let bytes = number("arenas.\(singular).\(index).size", as: Int.self),
                let allocated = MIB("\(statistics).nmalloc"),
                let freed = MIB("\(statistics).ndalloc")
            else { return nil }
            return SizeClass(bytes: bytes, allocated: allocated, freed: freed)
        }

        private static func number<Number>(_ name: String, as type: Number.Type) -> Number? {
            MIB(name)?.read(as: type)
        }

        private static func control<Value: BitwiseCopyable>(
            _ name: String, _ value: inout Value, _ size: inout Int
        ) -> Int32 {
            #if canImport(Darwin)
                je_mallctl(name, &value, &size, nil, 0)
            #else
                mallctl(name, &value, &size, nil, 0)
            #endif
        }
    }

    /// The name of a statistic in a form that is fast to read. The few words of the name are not stored in an array,
    /// because using an array allocates memory in debug builds. They are never freed, because a process has only one
    /// probe.
    private struct MIB {
        private let path: UnsafeMutablePointer<Int>
        private let length: Int

        /// Translates a name. Returns `nil` if this allocator does not know the name.
        init?(_ name: String) {
            var path = [Int](repeating: 0, count: 8)
            var length = path.count
            #if canImport(Darwin)
                let status = je_mallctlnametomib(name, &path, &length)
            #else
                let status = mallctlnametomib(name, &path, &length)
            #endif
            guard status == 0 else { return nil }
            self.path = .allocate(capacity: length)
            self.path.initialize(from: path, count: length)
            self.length = length
        }

        /// Returns the statistic, or `nil` if it cannot be read as a `Number`.
        func read<Number>(as type: Number.Type) -> Number? {
            withUnsafeTemporaryAllocation(of: Number.self, capacity: 1) { buffer in
                var size = MemoryLayout<Number>.size
                return call(buffer.baseAddress, &size, nil, 0) == 0 ? buffer.first : nil
            }
        }

        /// Returns the statistic. It must have been read successfully before.
        func read() -> Int {
            var value = 0
            var size = MemoryLayout<Int>.size
            let status = call(&value, &size, nil, 0)
            precondition(status == 0, "jemalloc statistic vanished: \(status)")
            return value
        }

        func write(_ value: inout UInt64) {
            _ = call(nil, nil, &value, MemoryLayout<UInt64>.size)
        }

        private func call(
            _ old: UnsafeMutableRawPointer?, _ oldSize: UnsafeMutablePointer<Int>?, _ new: UnsafeMutableRawPointer?,
            _ newSize: Int
        ) -> Int32 {
            #if canImport(Darwin)
                je_mallctlbymib(path, length, old, oldSize, new, newSize)
            #else
                mallctlbymib(path, length, old, oldSize, new, newSize)
            #endif
        }
    }
#endif

/// The allocator of the processes that measure time.
///
/// Counts are made under jemalloc, because they are read from its statistics. Times are measured under the system's
/// allocator by default, because most programs use it. The times of subscribing and disposing under these two
/// allocators differ by more than a comparison tolerates.
package enum TimeAllocator: String, Sendable, CaseIterable {
    /// The allocator of the system's C library.
    case system
    /// The jemalloc that the tool is linked with.
    case jemalloc

    /// The environment variables that a process needs in addition to the environment of this process.
    ///
    /// The C library serves allocations instead of jemalloc if it is loaded before jemalloc. An allocator that the user
    /// preloads takes precedence over both.
    package var environment: [String: String] {
        #if canImport(Glibc)
            let isChosen = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { !$0.isEmpty } ?? false
            return self == .system && !isChosen ? ["LD_PRELOAD": "libc.so.6"] : [:]
        #else
            // On other systems, the functions of the tool's jemalloc have prefixed names and never serve other code.
            return [:]
        #endif
    }

    /// The allocator of this process, with its version if it is known: `glibc 2.39`, `jemalloc 5.3.0`.
    package static var current: String {
        #if canImport(Glibc)
            if serves("libc.so.6") { return libraryVersion }
            guard serves("libjemalloc.so.2") else { return "unknown" }
            return HeapProbe.linkedVersion.map { "jemalloc \($0)" } ?? "jemalloc"
        #else
            return "system"
        #endif
    }

    #if canImport(Glibc)
        /// Returns whether this process's allocations are served by the loaded library `name`.
        private static func serves(_ name: String) -> Bool {
            guard let library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD) else { return false }
            defer { dlclose(library) }
            return dlsym(library, "malloc") == dlsym(nil, "malloc")
        }

        /// The C library's version, such as `glibc 2.39`.
        private static var libraryVersion: String {
            var text = [CChar](repeating: 0, count: 64)
            guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "glibc" }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    #endif
}
