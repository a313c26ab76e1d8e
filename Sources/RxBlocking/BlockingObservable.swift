import Foundation
import Rx
import Synchronization

/// A sequence whose elements can be waited for.
///
/// Each method makes a new subscription and blocks the calling thread until its result is known. With
/// `Hooks.recordCallStackOnError`, `Hooks.origin(of:)` returns the origin of an error that a method throws.
public struct BlockingObservable<Element> {
    /// The maximum wait, in seconds. `nil` means no limit.
    let timeout: TimeInterval?
    let source: Observable<Element>
}

extension ObservableConvertibleType {
    /// Returns this sequence for code that blocks until its elements arrive, such as tests and scripts.
    ///
    ///     let all = try Observable.range(start: 1, count: 3).toBlocking().toArray()
    ///     print(all)  // [1, 2, 3]
    ///
    /// If the sequence delivers on this thread, elements are taken only until the result is known, so the sequence may
    /// be infinite.
    ///
    /// - Parameter timeout: the time in seconds after which waiting ends with `RxError.timeout`. A sequence that is
    ///   still delivering on this thread at that time is also stopped with that error. 0 takes only the elements that
    ///   are delivered immediately. `nil` waits without a limit.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(timeout: timeout, source: asObservable())
    }
}

/// The elements of a sequence and how it ended.
@frozen
public enum MaterializedSequenceResult<Element> {
    /// The sequence completed after these elements.
    case completed(elements: [Element])
    /// The sequence failed or timed out after these elements.
    case failed(elements: [Element], error: any Error)
}

extension MaterializedSequenceResult: Sendable where Element: Sendable {}

extension BlockingObservable {
    /// Returns all elements after the sequence has completed. Throws the error of the sequence, or `RxError.timeout`.
    public func toArray() throws -> [Element] { try elements(limit: nil) }

    /// Returns the first element as soon as it arrives, or `nil` if the sequence completes without an element. Throws
    /// the error of the sequence, or `RxError.timeout`.
    public func first() throws -> Element? { try elements(limit: 1).first }

    /// Returns the last element after the sequence has completed, or `nil` if there was no element. Throws the error of
    /// the sequence, or `RxError.timeout`.
    public func last() throws -> Element? { try elements(limit: nil).last }

    /// Returns the only element. Throws `RxError.noElements`, `RxError.moreThanOneElement`, the error of the sequence,
    /// or `RxError.timeout`.
    public func single() throws -> Element { try single { _ in true } }

    /// Returns the only element for which `predicate` returns `true`. Throws `RxError.noElements`,
    /// `RxError.moreThanOneElement`, the error of the sequence or of `predicate`, or `RxError.timeout`.
    public func single(_ predicate: @escaping (Element) throws -> Bool) throws -> Element {
        let elements = try elements(limit: 2, where: predicate)
        guard let first = elements.first else { throw RxError.noElements }
        guard elements.count == 1 else { throw RxError.moreThanOneElement }
        return first
    }

    /// Returns the elements and how the sequence ended. Does not throw. A timeout is a failure with `RxError.timeout`.
    public func materialize() -> MaterializedSequenceResult<Element> { collect(limit: nil) { _ in true } }

    private func elements(
        limit: Int?, where predicate: @escaping (Element) throws -> Bool = { _ in true }
    ) throws -> [Element] {
        switch collect(limit: limit, where: predicate) {
        case .completed(let elements): return elements
        case .failed(_, let error): throw error
        }
    }

    /// Waits for the first `limit` elements for which `predicate` returns `true`, or for the end of the sequence.
    private func collect(
        limit: Int?, where predicate: @escaping (Element) throws -> Bool
    ) -> MaterializedSequenceResult<Element> {
        // Uses a separate queue: if this thread is inside a callback of another sequence, the queue of that sequence
        // makes no progress while this method waits.
        CurrentThreadScheduler.withSeparateQueue {
            let collection = Collection<Element>(limit: limit)
            let trace = SubscriptionTrace.capture(of: source)
            let cutOff = scheduleCutOff(of: collection)
            // Subscribes inside a turn, so that sources that take turns on this thread begin only when there is a
            // subscription to dispose.
            _ = CurrentThreadScheduler.instance.schedule(()) { _ in
                collection.subscription.setDisposable(
                    source.subscribe { event in
                        // A source that delivers while it is being subscribed to does not notice the disposal.
                        if collection.isOver { return }
                        switch event {
                        case .next(let element):
                            do {
                                if try predicate(element) { collection.append(element) }
                            } catch {
                                collection.finish(error)
                            }
                        case .error(let error):
                            trace?.ended(with: error)
                            collection.finish(error)
                        case .completed: collection.finish(nil)
                        }
                    })
                return Disposables.create()
            }
            // Bounded by `cutOff`, which uses a clock that cannot be set.
            if timeout.map({ $0 > 0 }) ?? true { collection.gate.wait() }
            cutOff?.dispose()
            collection.subscription.dispose()
            return collection.result
        }
    }

    /// Schedules the end of the sequence at the timeout, even if the sequence keeps this thread busy.
    private func scheduleCutOff(of collection: Collection<Element>) -> (any Disposable)? {
        guard let timeout, timeout > 0 else { return nil }
        let span = RxTimeInterval.microseconds(Int(min(timeout * 1e6, 1e15)))
        return ConcurrentDispatchQueueScheduler(qos: .userInitiated).scheduleRelative((), dueTime: span) { _ in
            collection.finish(RxError.timeout)
            return Disposables.create()
        }
    }
}

/// The elements of a subscription, and the gate that opens when there are enough elements or the sequence ends. The
/// subscription is disposed then.
// @unchecked: all mutable state is guarded.
private final class Collection<Element>: @unchecked Sendable {
    private enum Outcome {
        case completed
        case failed(any Error)
    }

    private struct State {
        var elements: [Element] = []
        var outcome: Outcome?
    }

    let gate = Gate()
    let subscription = SingleAssignmentDisposable()
    private let limit: Int?
    private let state = Guarded(State())

    init(limit: Int?) { self.limit = limit }

    func append(_ element: Element) {
        let isFull = state.withLock { state in
            guard state.outcome == nil else { return false }
            state.elements.append(element)
            return state.elements.count == limit
        }
        if isFull { finish(nil) }
    }

    func finish(_ error: (any Error)?) {
        state.withLock { state in
            if state.outcome == nil { state.outcome = error.map(Outcome.failed) ?? .completed }
        }
        // Disposed first, so that the sequence is disposed when the waiting thread continues.
        subscription.dispose()
        gate.open()
    }

    /// Whether the sequence has ended, or no more elements are needed.
    var isOver: Bool { state.withLock { $0.outcome != nil } }

    /// The elements so far and the end of the sequence. If the sequence has not ended, the result is a timeout.
    var result: MaterializedSequenceResult<Element> {
        state.withLock { state in
            switch state.outcome {
            case .completed: .completed(elements: state.elements)
            case .failed(let error): .failed(elements: state.elements, error: error)
            case nil: .failed(elements: state.elements, error: RxError.timeout)
            }
        }
    }
}

/// Blocks a thread until the gate is opened.
///
/// On the main thread, it runs the main queue while it waits, because sequences that deliver there would otherwise
/// never end. On other threads, it waits on a semaphore. Neither polls.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Atomic<Bool>(false)
    private let isForMainThread = Thread.isMainThread && MainQueue.isCurrent

    /// Creates a closed gate. The thread that creates the gate must be the thread that waits.
    init() {}

    /// Lets the waiting thread continue. It may be called from any thread. Later calls have no effect.
    func open() {
        // Releasing: a thread that sees the open gate also sees the writes before it was opened.
        guard !isOpen.exchange(true, ordering: .releasing) else { return }
        semaphore.signal()
        // Makes the run loop return. The run loop does not return after handling a timer.
        if isForMainThread { DispatchQueue.main.async {} }
    }

    /// Waits until the gate is open.
    func wait() {
        while isForMainThread, !isOpen.load(ordering: .acquiring) {
            // A run loop that has nothing to wait for returns immediately. Running it again would spin.
            if !RunLoop.main.run(mode: .default, before: .distantFuture) { break }
        }
        if !isOpen.load(ordering: .acquiring) { semaphore.wait() }
    }
}
