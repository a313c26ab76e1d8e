import CRx

/// The calls that led to one point of the program, innermost first.
///
///     let stack = CallStack.capture()
///     print(stack.frames.isEmpty)  // false
///
/// A stack stores addresses. Functions, files and lines are looked up at the first use of `frames`, and the results are
/// stored.
public struct CallStack: Sendable {
    /// The return addresses, innermost first.
    public let addresses: [UInt]
    /// The frames, if they are already known.
    private let known: [StackFrame]?

    /// Creates a stack from return addresses, innermost first.
    public init(addresses: [UInt]) { self.init(addresses: addresses, known: nil) }

    /// Creates a stack from frames, for reports that are decoded, and for tests of renderers.
    public init(frames: [StackFrame]) { self.init(addresses: frames.map(\.address), known: frames) }

    private init(addresses: [UInt], known: [StackFrame]?) {
        self.addresses = addresses
        self.known = known
    }

    /// The same stack with its frames looked up.
    var named: CallStack { CallStack(addresses: addresses, known: frames) }

    /// The calls that led here, beginning with the function that calls this; at most 64 of them.
    ///
    /// Follows frame pointers. The stack ends early at code that was compiled without frame pointers. It does not
    /// contain asynchronous callers. O(*n*) for *n* frames, and one allocation.
    @inline(never)
    public static func capture() -> CallStack {
        // Not within a closure, because its calls would be part of the stack in some builds and not in others.
        let addresses = UnsafeMutablePointer<UInt>.allocate(capacity: Int(rx_stack_depth))
        defer { addresses.deallocate() }
        let count = Int(rx_stack_walk(addresses, UInt32(rx_stack_depth)))
        return CallStack(addresses: Array(UnsafeBufferPointer(start: addresses, count: count)))
    }

    /// The calls with their names, innermost first. If the compiler has inlined a function, there are more calls than
    /// addresses.
    ///
    /// The first request for an address can take some milliseconds.
    public var frames: [StackFrame] { known ?? Symbols.frames(of: addresses) }

    /// The calls with their names, without calls of this package, the standard library and the system, and without
    /// addresses that have no name.
    public var framesOfYours: [StackFrame] { frames.filter(\.isYours) }
}

extension CallStack: Hashable {
    /// Whether the two lead through the same addresses.
    public static func == (one: CallStack, other: CallStack) -> Bool { one.addresses == other.addresses }

    public func hash(into hasher: inout Hasher) { hasher.combine(addresses) }
}

extension CallStack: Codable {
    /// Reads the frames that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws { self.init(frames: try [StackFrame](from: decoder)) }

    /// Writes the frames, without addresses.
    public func encode(to encoder: any Encoder) throws { try frames.encode(to: encoder) }
}

extension CallStack: CustomStringConvertible {
    /// One line for each frame.
    public var description: String { frames.map(\.description).joined(separator: "\n") }
}

/// One call within a call stack, with its names.
public struct StackFrame: Hashable, Sendable {
    /// The return address of the call. For the first frame of an error's stack, the address at which the error
    /// occurred.
    public let address: UInt
    /// The demangled name of the function: `closure #1 in ViewModel.bind()`. The address in hexadecimal if no symbol is
    /// known.
    public let function: String
    /// The source file's path as the compiler saw it; `nil` if the binary does not contain it.
    public let file: String?
    /// The line in `file`, from 1; `nil` if the binary does not contain it.
    public let line: Int?
    /// The file name of the program or library; empty if the address is in neither.
    public let image: String
    /// Whether the function belongs to this package, the standard library or the system, and not to your code.
    public let isInternal: Bool

    /// Creates a frame from its parts, for reports that are decoded, and for tests of renderers.
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
            "libXCTest", "libTesting", "libjemalloc", "ld-linux", "libm.", "libstdc++", "libgcc_s", "libcurl",
            "libxml2", "libicu", "libssl", "libcrypto", "libssh", "libnghttp2", "libz.",
        ]
        return libraries.contains { image.hasPrefix($0) }
    }

    /// Whether the package manager generated a function to run tests, by its name and its file. Some of these functions
    /// have no file.
    static func isOfTestRunner(_ function: String, path: String) -> Bool {
        function.contains("__allTests__") || path.contains("PackageTests.derived/")
            || path.contains("PackageDiscoveredTests.derived/")
    }

    /// Whether the call is in the user's code. It is not if it is in this package, in a package that was fetched, in
    /// the toolchain or in the system, or if its address has no name.
    var isYours: Bool {
        // Code without a name, as in a stripped library, cannot be changed by the user.
        if isInternal || file == nil && (function == "<unknown>" || image.isEmpty && function.hasPrefix("0x")) {
            return false
        }
        return file.flatMap(CodeOrigin.of(path:)) ?? .user == .user
    }
}

extension StackFrame: CustomStringConvertible {
    /// `ViewModel.bind() at ViewModel.swift:42`, or `malloc in libc.so.6` if the line is not known.
    public var description: String {
        if let place { return "\(function) at \(place)" }
        return image.isEmpty ? function : "\(function) in \(image)"
    }

    /// `ViewModel.swift:42`; `nil` if the binary has no line.
    public var place: String? { Self.place(file, line) }

    /// The name of a file and the line; `nil` without a file.
    static func place(_ file: String?, _ line: Int?) -> String? {
        guard let file else { return nil }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return line.map { "\(name):\($0)" } ?? name
    }
}

extension StackFrame: Codable {
    private enum CodingKeys: String, CodingKey { case function, file, line, image, isInternal }

    /// Reads the form that `encode(to:)` writes; the address is 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            address: 0, function: try container.decode(String.self, forKey: .function),
            file: try container.decodeIfPresent(String.self, forKey: .file),
            line: try container.decodeIfPresent(Int.self, forKey: .line),
            image: try container.decode(String.self, forKey: .image),
            isInternal: try container.decode(Bool.self, forKey: .isInternal))
    }

    /// Writes the frame without its address, which differs from run to run. A frame that is not in the user's code is
    /// written as internal, because users cannot change it.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            CodingKeys.function: function, .file: file, .line: line, .image: image, .isInternal: !isYours,
        ])
    }
}
