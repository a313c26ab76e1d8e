import CRx

/// The calls that led to one point of the program, innermost first.
///
///     let stack = CallStack.capture()
///     print(stack.frames.isEmpty)  // false
///
/// Holds addresses; functions, files and lines are looked up when `frames` is asked for, and remembered.
public struct CallStack: Sendable {
    /// The return addresses, innermost first.
    public let addresses: [UInt]
    /// Frames that are known already.
    private let known: [StackFrame]?

    /// A stack of return addresses, innermost first.
    public init(addresses: [UInt]) {
        self.addresses = addresses
        known = nil
    }

    /// A stack of given frames: for reports that are read back, and for tests of what prints them.
    public init(frames: [StackFrame]) {
        addresses = frames.map(\.address)
        known = frames
    }

    /// The calls that led here, beginning with the function that calls this; at most 64 of them.
    ///
    /// Follows frame pointers: 3 ns a frame, and one allocation. Code that was compiled without them ends the stack
    /// early; it has no asynchronous callers in it.
    @inline(never)
    public static func capture() -> CallStack {
        // Without a closure around it, whose calls would be part of the stack in some builds and not in others.
        let addresses = UnsafeMutablePointer<UInt>.allocate(capacity: Int(rx_stack_depth))
        defer { addresses.deallocate() }
        let count = Int(rx_stack_walk(addresses, UInt32(rx_stack_depth)))
        return CallStack(addresses: Array(UnsafeBufferPointer(start: addresses, count: count)))
    }

    /// The calls in words, innermost first. Where the compiler has inlined a function there are more of them than
    /// addresses.
    ///
    /// The first time an address is asked for takes up to some milliseconds.
    public var frames: [StackFrame] { known ?? Symbols.frames(of: addresses) }

    /// The calls in words, without those of this package, the standard library and the system, and without addresses
    /// that have no name.
    public var framesOfYours: [StackFrame] { frames.filter(\.isYours) }
}

extension CallStack: Hashable {
    /// Whether the two lead through the same addresses.
    public static func == (one: CallStack, other: CallStack) -> Bool { one.addresses == other.addresses }

    public func hash(into hasher: inout Hasher) { hasher.combine(addresses) }
}

extension CallStack: CustomStringConvertible {
    /// One line a frame.
    public var description: String { frames.map(\.description).joined(separator: "\n") }
}
