import Foundation

/// The allocator that serves the processes that measure time.
///
/// Counts are made under jemalloc, whose statistics they come from. Time is the system's by default, as it is what most
/// programs run on: between the two, subscribing and disposing differ by more than a comparison lets pass.
package enum TimeAllocator: String, Sendable, CaseIterable {
    /// The one of the system's C library.
    case system
    /// The one that the tool is linked with.
    case jemalloc

    /// The variables that a process needs beside this one's own.
    ///
    /// The C library is asked for an allocation before jemalloc when it is loaded before it. An allocator that a user
    /// preloads stays in front of both.
    package var environment: [String: String] {
        #if canImport(Glibc)
            let isChosen = ProcessInfo.processInfo.environment["LD_PRELOAD"].map { !$0.isEmpty } ?? false
            return self == .system && !isChosen ? ["LD_PRELOAD": "libc.so.6"] : [:]
        #else
            // Elsewhere the tool's jemalloc has names of its own and never serves others.
            return [:]
        #endif
    }

    /// The allocator of this process, with its version as far as it tells: `glibc 2.39`, `jemalloc 5.3.0`.
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
        /// Whether this process's allocations go to the loaded library called `name`.
        private static func serves(_ name: String) -> Bool {
            guard let library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD) else { return false }
            defer { dlclose(library) }
            return dlsym(library, "malloc") == dlsym(nil, "malloc")
        }

        /// As in `glibc 2.39`.
        private static var libraryVersion: String {
            var text = [CChar](repeating: 0, count: 64)
            guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "glibc" }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    #endif
}
