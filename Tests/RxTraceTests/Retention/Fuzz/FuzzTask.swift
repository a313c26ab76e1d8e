import Dispatch

/// A task that holds an object while it waits to be told to end.
// @unchecked: the continuation is written before `arrived` is signalled, and read after it was waited for.
final class FuzzTask: @unchecked Sendable {
    private let arrived = DispatchSemaphore(value: 0), over = DispatchSemaphore(value: 0)
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Returns once the task waits.
    init(holding node: FuzzNode) {
        Task.detached { [self] in
            await withUnsafeContinuation { continuation in
                self.continuation = continuation
                arrived.signal()
            }
            precondition(node.number != Int.min)
            over.signal()
        }
        arrived.wait()
    }

    func end() {
        continuation?.resume()
        over.wait()
    }
}
