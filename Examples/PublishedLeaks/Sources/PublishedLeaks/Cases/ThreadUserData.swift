import Foundation

extension PublishedLeak {
    /// A common report about wrappers of `pthread_create`: the closure of the thread is passed in a retained box, and
    /// the thread takes the box unretained. The published mend is `takeRetainedValue()`.
    static let threadUserData = PublishedLeak(
        name: "thread-user-data",
        expected: Expectation(
            "ThreadStart", heldBy: "a retain without a reference", "Unmanaged", change: "NativeThread.start",
            "Unmanaged.passRetained"),
        innocents: { count in (0..<count).map { _ in ThreadStart {} } },
        leaky: .asynchronous {
            await Task.detached { NativeThread.runUnbalanced { _ = (1...10).reduce(0, +) } }.value
        },
        fixed: .asynchronous {
            await Task.detached { NativeThread.run { _ = (1...10).reduce(0, +) } }.value
        })
}

private final class ThreadStart {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}

private enum NativeThread {
    static func runUnbalanced(_ body: @escaping () -> Void) {
        start(body) { pointer in
            Unmanaged<ThreadStart>.fromOpaque(pointer!).takeUnretainedValue().body()
            return nil
        }
    }

    static func run(_ body: @escaping () -> Void) {
        start(body) { pointer in
            Unmanaged<ThreadStart>.fromOpaque(pointer!).takeRetainedValue().body()
            return nil
        }
    }

    /// Starts a thread and waits for its end.
    private static func start(
        _ body: @escaping () -> Void,
        _ entry: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) {
        var thread = pthread_t()
        pthread_create(&thread, nil, entry, Unmanaged.passRetained(ThreadStart(body)).toOpaque())
        pthread_join(thread, nil)
    }
}
