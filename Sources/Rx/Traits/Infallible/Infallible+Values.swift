extension InfallibleType {
    /// The elements, for a task to go through; the loop ends when the sequence completes.
    ///
    ///     for await value in Infallible.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Reading the property subscribes, on the thread that reads it: elements that come before the task asks for them
    /// are kept, however many they are. Cancelling the task, or letting go of the stream, disposes the subscription.
    public var values: AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.setDisposable(
                subscribe(
                    onNext: { element in
                        // Unsafe: nothing of ours keeps it; what else the source does with it is its author's decision,
                        // as with `subscribe`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    onDisposed: { continuation.finish() }))
        }
    }
}
