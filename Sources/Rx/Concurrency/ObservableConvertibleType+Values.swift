extension ObservableConvertibleType {
    /// The elements, for a task to go through.
    ///
    ///     for try await price in Observable.of(3, 4).values { print(price) }  // 3, 4
    ///
    /// Reading the property subscribes: elements that come before the task asks for them are kept, however many they
    /// are. The loop ends when the sequence completes, and throws its error. Cancelling the task, or letting go of the
    /// stream, disposes the subscription; in a cancelled task the loop throws `CancellationError` after the elements
    /// that were kept.
    public var values: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.setDisposable(
                asObservable().subscribe(
                    onNext: { element in
                        // Unsafe: as `Crossing`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    onError: { continuation.finish(throwing: $0) },
                    onCompleted: { continuation.finish() },
                    // After an event this changes nothing; otherwise the subscription was disposed before one.
                    onDisposed: { continuation.finish(throwing: CancellationError()) }))
        }
    }
}
