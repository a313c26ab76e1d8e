import CRx

/// The known facts about the origin of an error: where it was thrown, which subscription it ended, and which operators
/// the sequence consisted of.
///
///     Hooks.recordCallStackOnError = true
///     _ = Observable<Int>.error(RxError.noElements).checkpoint("search results").subscribe(onError: { error in
///         print(Hooks.origin(of: error)!.checkpoints[0].name)  // search results
///     })
///     Hooks.recordCallStackOnError = false
///
/// Its description has a paragraph for each fact. Calls are named with function, file and line in a program that uses
/// `RxTrace.recordErrorOrigins()`. Otherwise they are positions in the files of the program and its libraries, which
/// `llvm-symbolizer` can resolve.
public struct ErrorOrigin: Sendable {
    /// The return addresses of the calls that threw the error, innermost first. Empty if the error was not thrown, or
    /// if the throw is too long ago.
    public internal(set) var thrown: [UInt] = []
    /// Whether `thrown` certainly belongs to this error. An error of a typed throw is identified only by its thread and
    /// type.
    public internal(set) var isThrowCertain = true
    /// The calls that created the subscription, innermost first, as returned by
    /// `Hooks.customCaptureSubscriptionCallstack`.
    public internal(set) var subscribed: [String] = []
    /// The operators of the sequence, from the subscriber's end to the sources. Empty in builds that do not trace
    /// resources.
    public internal(set) var assembled: [AssembledOperator] = []
    /// The checkpoints that the error has passed, in order.
    public internal(set) var checkpoints: [Checkpoint] = []

    /// A position in a chain of operators that `checkpoint` has named.
    public struct Checkpoint: Hashable, Sendable, CustomStringConvertible {
        /// The name of the checkpoint.
        public let name: String
        /// The file, as `Module/File.swift`.
        public let fileID: String
        /// The line in the file, from 1.
        public let line: UInt

        /// `"search results" at App/Search.swift:42`.
        public var description: String { "\"\(name)\" at \(fileID):\(line)" }
    }
}

/// One operator or source of a sequence.
public struct AssembledOperator: Hashable, Sendable {
    /// The name of the operator, such as `map(_:)`.
    public let name: String
    /// The number of operators between this operator and the subscriber: 0 for the last operator, 1 for the operator
    /// that feeds it.
    public let depth: Int
    /// The return addresses of the calls that created the operator, innermost first. Empty unless `RxTrace` records
    /// stacks.
    public let addresses: [UInt]
}

extension ErrorOrigin: CustomStringConvertible {
    /// A paragraph for each known fact, and a line for each fact that is not known.
    public var description: String {
        let lines =
            thrownLines + paragraph("Subscribed at", subscribed) + paragraph("Assembled of", assembledLines)
            + paragraph("Checkpoints passed", checkpoints.map(\.description))
        return lines.joined(separator: "\n")
    }

    private var thrownLines: [String] {
        if thrown.isEmpty { return ["------ Not seen to be thrown."] }
        let heading = isThrowCertain ? "Thrown at" : "Thrown, as the last of its type on this thread, at"
        return paragraph(heading, CallNames.lines(of: thrown))
    }

    private var assembledLines: [String] {
        assembled.map { part in
            let place = CallNames.place(of: part.addresses)
            return String(repeating: "  ", count: min(part.depth, 40)) + part.name + (place.map { " at \($0)" } ?? "")
        }
    }

    private func paragraph(_ heading: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["------ \(heading):"] + lines
    }
}

/// The origins of the most recent errors that have reached an end or a checkpoint, or were looked up.
///
/// Errors are distinguished by the address of their box. They are kept alive in the meantime, so that no other error
/// takes the same address.
enum ErrorOrigins {
    struct KnownError {
        let error: any Error
        var origin: ErrorOrigin
    }

    /// The maximum number of errors that are remembered.
    private static let limit = 32
    private static let recent = Guarded<[KnownError]>([])

    /// Returns the known origin of an error, with the facts that `change` adds. Returns `nil` while origins are not
    /// recorded.
    @discardableResult
    static func origin(of error: any Error, adding change: (inout ErrorOrigin) -> Void = { _ in }) -> ErrorOrigin? {
        guard Hooks.recordCallStackOnError else { return nil }
        let result = recent.withLock { recent -> (origin: ErrorOrigin, forgotten: KnownError?) in
            let known = recent.lastIndex { box(of: $0.error) == box(of: error) }
            var found = known.map { recent.remove(at: $0) } ?? KnownError(error: error, origin: thrown(error))
            change(&found.origin)
            recent.append(found)
            return (found.origin, recent.count > limit ? recent.removeFirst() : nil)
        }
        // Released here, outside the lock: the deinitialiser of an error is user code.
        withExtendedLifetime(result.forgotten) {}
        return result.origin
    }

    /// Forgets all errors.
    static func forget() { recent.change { $0 = [] } }

    /// Returns the address of an error's box, which is the error's only word. Written with `as`, because the cast would
    /// otherwise open the box and use its contents.
    private static func box(of error: any Error) -> UnsafeRawPointer {
        unsafeBitCast(error as any Error, to: UnsafeRawPointer.self)
    }

    private static func thrown(_ error: any Error) -> ErrorOrigin {
        var origin = ErrorOrigin()
        origin.thrown = addresses { rx_throw_addresses(box(of: error), $0, $1) }
        if origin.thrown.isEmpty {
            let type: Any.Type = type(of: error)
            origin.thrown = addresses {
                rx_typed_throw_addresses(unsafeBitCast(type, to: UnsafeRawPointer.self), $0, $1)
            }
            origin.isThrowCertain = origin.thrown.isEmpty
        }
        return origin
    }

    private static func addresses(_ copy: (UnsafeMutablePointer<UInt>, Int) -> Int) -> [UInt] {
        [UInt](unsafeUninitializedCapacity: 64) { buffer, count in
            if let start = buffer.baseAddress { count = copy(start, buffer.count) }
        }
    }
}

extension Hooks {
    /// Returns the origin of an error, or `nil` unless `recordCallStackOnError` is set.
    ///
    /// Call it where the error has arrived: in `defaultErrorHandler`, in `onError`, or in the `catch` around a failed
    /// `toBlocking()`. The stacks of the latest 64 throws and 32 arrivals are remembered, and those errors are kept
    /// alive, until recording is turned off. You can call it from any thread.
    public static func origin(of error: any Error) -> ErrorOrigin? { ErrorOrigins.origin(of: error) }
}

/// Converts return addresses to text.
package enum CallNames {
    /// The functions that name functions, files and lines.
    package struct Namer: Sendable {
        /// Returns a line for each call, innermost first. It may omit calls that the compiler generated, and add calls
        /// that were inlined.
        let lines: @Sendable (_ addresses: [UInt]) -> [String]
        /// Returns the location where a chain was assembled: the location of the first call outside this library.
        let place: @Sendable (_ addresses: [UInt]) -> String?

        package init(lines: @escaping @Sendable ([UInt]) -> [String], place: @escaping @Sendable ([UInt]) -> String?) {
            self.lines = lines
            self.place = place
        }
    }

    private static let namer = Guarded<Namer?>(nil)

    /// The namer of calls in this process, or `nil` until `RxTrace` sets it. If it is set, subscriptions record
    /// addresses instead of text.
    package static var current: Namer? {
        get { namer.withLock { $0 } }
        set { namer.change { $0 = newValue } }
    }

    /// Returns the return addresses of the current call stack, innermost first.
    static func addresses() -> [UInt] {
        [UInt](unsafeUninitializedCapacity: Int(rx_stack_depth)) { buffer, count in
            if let start = buffer.baseAddress { count = Int(rx_stack_walk(start, UInt32(buffer.count))) }
        }
    }

    static func lines(of addresses: [UInt]) -> [String] {
        current?.lines(addresses) ?? addresses.map(position)
    }

    static func place(of addresses: [UInt]) -> String? { addresses.isEmpty ? nil : current?.place(addresses) }

    /// Returns a position such as `libApp.so+0x1f40`: the file and the offset in it.
    private static func position(of address: UInt) -> String {
        // The call instruction ends immediately before its return address.
        let call = address - 1
        var offset: UInt = 0
        guard let path = rx_image_of(call, &offset) else { return "0x" + String(call, radix: 16) }
        let file = String(cString: path).split(separator: "/").last ?? ""
        return "\(file)+0x" + String(offset, radix: 16)
    }
}
