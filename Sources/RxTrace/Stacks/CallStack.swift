/// The calls that led to one point of the program, innermost first.
///
/// Holds addresses; functions, files and lines are looked up when `frames` is asked for.
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

    /// The calls in words, innermost first.
    public var frames: [StackFrame] { known ?? addresses.map { StackFrame(address: $0, function: "0x" + String($0, radix: 16), image: "") } }
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
