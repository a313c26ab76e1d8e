import CRx

/// Where an error came from, as far as it is known: where it was thrown, which subscription it ended, what the sequence
/// was made of.
///
///     Hooks.recordCallStackOnError = true
///     _ = Observable<Int>.error(RxError.noElements).checkpoint("search results").subscribe(onError: { error in
///         print(Hooks.origin(of: error)!.checkpoints[0].name)  // search results
///     })
///     Hooks.recordCallStackOnError = false
///
/// Its text has a paragraph for each. Calls are named with function, file and line in a program that uses
/// `RxTrace.recordErrorOrigins()`; otherwise they are places in the program's and its libraries' files, which
/// `llvm-symbolizer` understands.
public struct ErrorOrigin: Sendable {
    /// The return addresses of the calls that threw the error, innermost first; empty if nobody threw it, or it is too
    /// long ago.
    public internal(set) var thrown: [UInt] = []
    /// Whether `thrown` is surely of this error. An error of a typed throw is known by its thread and type alone.
    public internal(set) var isThrowCertain = true
    /// The calls that made the subscription, innermost first, as `Hooks.customCaptureSubscriptionCallstack` has told
    /// them.
    public internal(set) var subscribed: [String] = []
    /// The operators that the sequence was made of, from the subscriber's end to the sources. Empty in builds that do
    /// not trace resources.
    public internal(set) var assembled: [AssembledOperator] = []
    /// The checkpoints that the error has passed, the first one first.
    public internal(set) var checkpoints: [Checkpoint] = []

    /// A place in a chain of operators that `checkpoint` has named.
    public struct Checkpoint: Hashable, Sendable, CustomStringConvertible {
        /// The name given.
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
    /// Its name: `map(_:)`.
    public let name: String
    /// How many operators it feeds before the subscriber: 0 for the last operator, 1 for what feeds that.
    public let depth: Int
    /// The return addresses of the calls that made it, innermost first; empty unless `RxTrace` records stacks.
    public let addresses: [UInt]
}

extension ErrorOrigin: CustomStringConvertible {
    /// A paragraph for each thing known, and a line for what is not.
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

/// The origins of the latest errors that have reached an end, a checkpoint or a question.
///
/// Errors are told apart by the address of their box, and kept alive meanwhile so that no other one takes it.
enum ErrorOrigins {
    struct KnownError {
        let error: any Error
        var origin: ErrorOrigin
    }

    /// How many are remembered.
    private static let limit = 32
    private static let recent = Guarded<[KnownError]>([])

    /// Returns what is known of an error, with what `change` adds to it; `nil` while origins are not recorded.
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
        // Ends here, outside the lock: an error's end is the user's code.
        withExtendedLifetime(result.forgotten) {}
        return result.origin
    }

    /// Forgets all of them.
    static func forget() { recent.change { $0 = [] } }

    /// The address of an error's box, which is all that an error is. With `as`, or the cast would open it and take what
    /// is inside.
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
    /// Where an error came from; `nil` unless `recordCallStackOnError`.
    ///
    /// Asked for where the error has arrived: in `defaultErrorHandler`, in `onError`, in the `catch` around a failed
    /// `toBlocking()`. Stacks of the latest 64 throws and 32 arrivals are remembered, and those errors kept alive,
    /// until recording is turned off. From any thread.
    public static func origin(of error: any Error) -> ErrorOrigin? { ErrorOrigins.origin(of: error) }
}

/// Puts return addresses into words.
package enum CallNames {
    /// Names functions, files and lines.
    package struct Namer: Sendable {
        /// A line for each call, innermost first. It may leave out or add some: calls that nobody has written, calls
        /// that were inlined.
        let lines: @Sendable (_ addresses: [UInt]) -> [String]
        /// Where a chain was put together: the place of the first call outside this library.
        let place: @Sendable (_ addresses: [UInt]) -> String?

        package init(lines: @escaping @Sendable ([UInt]) -> [String], place: @escaping @Sendable ([UInt]) -> String?) {
            self.lines = lines
            self.place = place
        }
    }

    private static let namer = Guarded<Namer?>(nil)

    /// The namer of calls in this process; `nil` until `RxTrace` sets it. Then subscriptions keep addresses in place of
    /// text.
    package static var current: Namer? {
        get { namer.withLock { $0 } }
        set { namer.change { $0 = newValue } }
    }

    /// The return addresses of the calls that led here, innermost first.
    static func addresses() -> [UInt] {
        [UInt](unsafeUninitializedCapacity: Int(rx_stack_depth)) { buffer, count in
            if let start = buffer.baseAddress { count = Int(rx_stack_walk(start, UInt32(buffer.count))) }
        }
    }

    static func lines(of addresses: [UInt]) -> [String] {
        current?.lines(addresses) ?? addresses.map(position)
    }

    static func place(of addresses: [UInt]) -> String? { addresses.isEmpty ? nil : current?.place(addresses) }

    /// `libApp.so+0x1f40`: the file, and how far into it.
    private static func position(of address: UInt) -> String {
        // The call ends before the address that it returns to.
        let call = address - 1
        var offset: UInt = 0
        guard let path = rx_image_of(call, &offset) else { return "0x" + String(call, radix: 16) }
        let file = String(cString: path).split(separator: "/").last ?? ""
        return "\(file)+0x" + String(offset, radix: 16)
    }
}
