import CRx

/// The origins of the latest errors that have reached an end, a checkpoint or a question.
///
/// Errors are told apart by the address of their box, and kept alive meanwhile so that no other one takes it.
enum ErrorOrigins {
    struct Entry {
        let error: any Error
        var origin: ErrorOrigin
    }

    /// How many are remembered.
    private static let limit = 32
    private static let entries = Guarded<[Entry]>([])

    /// What is known of an error, with what `change` adds to it; `nil` while origins are not recorded.
    @discardableResult
    static func origin(of error: any Error, adding change: (inout ErrorOrigin) -> Void = { _ in }) -> ErrorOrigin? {
        guard Hooks.recordCallStackOnError else { return nil }
        let result = entries.withLock { entries -> (origin: ErrorOrigin, forgotten: Entry?) in
            let known = entries.lastIndex { box(of: $0.error) == box(of: error) }
            var entry = known.map { entries.remove(at: $0) } ?? Entry(error: error, origin: thrown(error))
            change(&entry.origin)
            entries.append(entry)
            return (entry.origin, entries.count > limit ? entries.removeFirst() : nil)
        }
        // Ends here, outside the lock: an error's end is the user's code.
        withExtendedLifetime(result.forgotten) {}
        return result.origin
    }

    /// Forgets all of them.
    static func forget() { entries.change { $0 = [] } }

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
