/// One call within a call stack, in words.
public struct StackFrame: Hashable, Sendable {
    /// Where the call returns to; for the first frame of an error's stack, where it happened.
    public let address: UInt
    /// The function, demangled: `closure #1 in ViewModel.bind()`; the address in hexadecimal if no symbol is known.
    public let function: String
    /// The source file's path as the compiler saw it; `nil` where the binary does not tell.
    public let file: String?
    /// The line in `file`, from 1; `nil` where the binary does not tell.
    public let line: Int?
    /// The program's or library's file name; empty if the address is in none.
    public let image: String
    /// Whether the function is one of this package, of the standard library or of the system, and not of their user's.
    public let isInternal: Bool

    /// A frame of given parts: for reports that are read back, and for tests of what prints them.
    public init(
        address: UInt, function: String, file: String? = nil, line: Int? = nil, image: String, isInternal: Bool = false
    ) {
        self.address = address
        self.function = function
        self.file = file
        self.line = line
        self.image = image
        self.isInternal = isInternal
    }
}

extension StackFrame {
    /// Whether a library is one of the system or the toolchain.
    static func isOfSystem(image: String) -> Bool {
        let libraries = [
            "libswift", "libdispatch", "libFoundation", "lib_Foundation", "libBlocksRuntime", "libc.", "libpthread",
            "libXCTest",
            "libTesting", "libjemalloc", "ld-linux",
        ]
        return libraries.contains { image.hasPrefix($0) }
    }

    /// Whether a function is what the package manager writes to run tests, by its name and its file; not all of it has
    /// one.
    static func isOfTestRunner(_ function: String, path: String) -> Bool {
        function.contains(".__allTests__") || path.contains("PackageTests.derived/")
            || path.contains("PackageDiscoveredTests.derived/")
    }

    /// Whether it says something to the user: not this package's, the toolchain's or the system's, nor an address
    /// without a name.
    var isYours: Bool { !isInternal && !(image.isEmpty && file == nil && function.hasPrefix("0x")) }
}

extension StackFrame: CustomStringConvertible {
    /// `ViewModel.bind() at ViewModel.swift:42`, or `malloc in libc.so.6` where the line is not known.
    public var description: String {
        if let place { return "\(function) at \(place)" }
        return image.isEmpty ? function : "\(function) in \(image)"
    }

    /// `ViewModel.swift:42`; `nil` where the binary does not tell.
    public var place: String? {
        guard let file else { return nil }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return line.map { "\(name):\($0)" } ?? name
    }
}
