extension SharedSequence {
    /// The elements, for a task on the main actor to go through.
    ///
    ///     for await value in await Driver.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Reading the property subscribes: elements that come before the task asks for them are kept, however many they
    /// are. The loop ends when the sequence completes. Cancelling the task, or letting go of the stream, disposes the
    /// subscription.
    @MainActor
    public var values: AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.setDisposable(
                source.subscribe(
                    onNext: { element in
                        // Unsafe: nothing of ours keeps it; what else the source does with it is its author's decision,
                        // as with `subscribe`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    // After completion this changes nothing; otherwise the subscription was disposed before.
                    onCompleted: { continuation.finish() }, onDisposed: { continuation.finish() }))
        }
    }
}
