import CRx
import CRxTrace

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The author of a function or a class. The cause of a leak is searched for only in the user's code.
enum CodeOrigin: Sendable {
    /// The package being tested, or a package that it depends on by path.
    case user
    /// A package that the package manager has fetched.
    case dependency
    /// The standard library, Foundation, Dispatch, a test framework or another library of the system.
    case system
    /// This package.
    case tracer
}

extension CodeOrigin {
    /// The origin of a source file, by the folder in which the package manager keeps fetched packages.
    ///
    /// - Returns: `nil` if the path does not show it: for generated code.
    static func of(path: String) -> CodeOrigin? {
        guard path.hasPrefix("/") else { return nil }
        if path.contains("/swift-generated-sources/") || path.hasSuffix("<compiler-generated>") { return nil }
        if path.hasPrefix(sourcesOfC) { return .tracer }
        for folder in ["/checkouts/", "/registry/downloads/"] {
            guard let range = path.firstRange(of: folder) else { continue }
            if isBuildFolder(String(path[..<range.lowerBound])) { return .dependency }
        }
        return .user
    }

    /// The beginning of the paths of this package's C files. C names have no module: some of these functions are
    /// `malloc` and similar, or were inlined there.
    private static let sourcesOfC: String = {
        let file = #filePath
        let folder = file.firstRange(of: "HeapTrace/Stacks/").map { String(file[..<$0.lowerBound]) } ?? file
        return folder + "C"
    }()

    /// Whether a folder is the package manager's build folder, in which it records the packages that it fetches.
    private static func isBuildFolder(_ path: String) -> Bool {
        if let known = folders.withLock({ $0[path] }) { return known }
        // A program may have been built elsewhere. In that case, rely on the usual name.
        let isOne = path.hasSuffix("/.build") || access(path + "/workspace-state.json", F_OK) == 0
        folders.withLock { $0[path] = isOne }
        return isOne
    }

    private static let folders = Locked<[String: Bool]>([:])

    private static let systemModules: Set<String> = [
        "Swift", "_Concurrency", "_StringProcessing", "_Builtin_float", "Distributed", "Observation", "Dispatch",
        "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Synchronization", "RegexBuilder", "Runtime", "Testing", "XCTest", "Glibc",
    ]

    /// The origin of a module.
    ///
    /// - Parameters:
    ///   - module: its name.
    ///   - code: the address of a function of the module, or near one. Its debug information names the source file;
    ///     without that, the module counts as the user's.
    static func of(module: String, near code: UInt) -> CodeOrigin {
        if systemModules.contains(module) || module.hasPrefix("_Testing") { return .system }
        if MangledName.internalModules.contains(module) { return .tracer }
        if let known = modules.withLock({ $0[module] }) { return known }
        #if os(Linux)
            let origin = read(module: module, near: code)
        #else
            let origin: CodeOrigin? = nil
        #endif
        if let origin { modules.withLock { $0[module] = origin } }
        return origin ?? .user
    }

    private static let modules = Locked<[String: CodeOrigin]>([:])

    /// The origin of a function.
    static func of(symbol: String, at address: UInt) -> CodeOrigin {
        if MangledName.isInternal(symbol) { return MangledName.isOurs(symbol) ? .tracer : .system }
        guard let module = MangledName.module(symbol) else { return .user }
        return of(module: module, near: address)
    }

    #if os(Linux)
        /// The number of functions around an address to look at, because some functions of a module have no source.
        private static let reach = 200

        private static func read(module: String, near code: UInt) -> CodeOrigin? {
            guard let symbols = rxtrace_symbols_at(code) else { return nil }
            if let image = image(of: code), StackFrame.isOfSystem(image: image) { return .system }
            var address = code
            for _ in 0..<reach {
                let symbol = rxtrace_symbol_before(symbols, address)
                guard let name = symbol.name, symbol.address > 1 else { break }
                address = symbol.address - 1
                if let origin = origin(ofFunctionAt: symbol.address, String(cString: name), in: module) {
                    return origin
                }
            }
            address = code
            for _ in 0..<reach {
                let symbol = rxtrace_symbol_at(symbols, address)
                guard let name = symbol.name else { break }
                if let origin = origin(ofFunctionAt: symbol.address, String(cString: name), in: module) {
                    return origin
                }
                // Functions are aligned to 16 bytes.
                address = (symbol.address + max(UInt(symbol.size), 1) + 15) & ~15
            }
            return nil
        }

        private static func origin(ofFunctionAt address: UInt, _ symbol: String, in module: String) -> CodeOrigin? {
            guard MangledName.module(symbol) == module, let place = SourceLines.at(address).place, place.line > 0,
                place.path.hasSuffix(".swift")
            else { return nil }
            return of(path: place.path)
        }

        private static func image(of address: UInt) -> String? {
            var image: UnsafePointer<CChar>?
            guard rx_function_at(address, &image) != nil else { return nil }
            return image.map { String(cString: $0) }
        }
    #endif
}
