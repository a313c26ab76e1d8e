extension AsyncSequence {
    /// The elements, as an observable.
    ///
    ///     let ticks = AsyncStream { continuation in
    ///         continuation.yield("tick")
    ///         continuation.finish()
    ///     }
    ///     _ = ticks.asObservable().subscribe { print($0) }  // next(tick), completed
    ///
    /// Each subscription goes through the sequence in a task of its own, where its elements are delivered. The
    /// observable fails with what the sequence throws; a `CancellationError` completes it. Disposing the subscription
    /// cancels the task.
    ///
    /// - Parameter priority: that of the task; with `nil`, that of the task which subscribes.
    /// - Complexity: Seven allocations per subscription, those of its task among them; per element those of the
    ///   sequence.
    public func asObservable(priority: TaskPriority? = nil) -> Observable<Element> {
        SourceObservable { sink in
            let walk: AsyncWalk = AsyncSequenceWalk(self, sink: sink)
            let task = Task(priority: priority) { await walk.run() }
            sink.connect(Disposables.create { task.cancel() })
        }
    }
}

/// One subscription's way through an asynchronous sequence, without the sequence's type, so that a task can be handed
/// it.
private class AsyncWalk: @unchecked Sendable {
    // @unchecked: made where the subscription is, and then used by one task alone. A program that subscribes twice
    // decides whether its sequence allows several.
    func run() async { fatalError("A walk overrides run().") }
}

private final class AsyncSequenceWalk<Elements: AsyncSequence>: AsyncWalk, @unchecked Sendable {
    private let sequence: Elements
    private let sink: Sink

    init(_ sequence: Elements, sink: Sink) {
        self.sequence = sequence
        self.sink = sink
    }

    override func run() async {
        do {
            for try await element in sequence {
                if sink.isStopped { return }
                var element = element
                sink.emit(&element)
            }
            end(nil)
        } catch {
            end(error is CancellationError ? nil : error)
        }
    }

    private func end(_ error: (any Error)?) {
        if !sink.isStopped { sink.end(error) }
    }
}

extension ObservableConvertibleType {
    /// The elements, for a task to go through.
    ///
    ///     for try await price in Observable.of(3, 4).values { print(price) }  // 3, 4
    ///
    /// Reading the property subscribes: elements that come before the task asks for them are kept, however many they
    /// are. The loop ends when the sequence completes, and throws its error. Cancelling the task, or letting go of the
    /// stream, disposes the subscription; in a cancelled task the loop throws `CancellationError` after the elements
    /// that were kept.
    ///
    /// - Complexity: Fourteen allocations, most of them the stream's; per element those of the stream's buffer.
    public var values: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { termination in
                subscription.dispose()
                // The subscription may be at its end already, of which the stream has not heard: it would end as if it
                // had completed.
                if case .cancelled = termination { continuation.finish(throwing: CancellationError()) }
            }
            subscription.setDisposable(
                asObservable().subscribe(
                    onNext: { element in
                        // Unsafe: as `UncheckedSendable`.
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
