extension InfallibleType {
    /// The elements as an asynchronous sequence, which ends when this one completes.
    ///
    ///     for await value in Infallible.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Subscribes at once, on the thread that asks. Elements that are not fetched yet are kept, however many. The end of the task or of
    /// the iteration disposes the subscription.
    public var values: AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = subscribe(
                onNext: { element in
                    // Nothing of ours keeps it: what the source does with it besides is its own affair, as with `subscribe`.
                    nonisolated(unsafe) let element = element
                    continuation.yield(element)
                },
                onDisposed: { continuation.finish() })
            let handle = SendableDisposable(subscription)
            continuation.onTermination = { _ in handle.dispose() }
        }
    }
}

/// A disposable for closures that may run anywhere.
private struct SendableDisposable: @unchecked Sendable {
    // @unchecked: `dispose()` may be called from any thread, by the contract of `Disposable`.
    private let disposable: any Disposable

    init(_ disposable: any Disposable) { self.disposable = disposable }

    func dispose() { disposable.dispose() }
}
