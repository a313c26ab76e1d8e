import Foundation
import Rx
import Synchronization

/// A sequence whose elements can be waited for.
///
/// Each method subscribes anew and blocks the calling thread until its answer is known. With
/// `Hooks.recordCallStackOnError`, `Hooks.origin(of:)` tells where an error that one of them throws came from.
public struct BlockingObservable<Element> {
    /// How long to wait, in seconds; `nil` for ever.
    let timeout: TimeInterval?
    let source: Observable<Element>
}

extension ObservableConvertibleType {
    /// The sequence, for code that waits for its elements: tests and scripts.
    ///
    ///     let all = try Observable.range(start: 1, count: 3).toBlocking().toArray()
    ///     print(all)  // [1, 2, 3]
    ///
    /// Of a sequence that delivers on this thread, elements are taken until the answer is known and no longer, so that
    /// it may be endless.
    ///
    /// - Parameter timeout: the seconds after which waiting ends with `RxError.timeout`, and after which a sequence
    ///   that has not stopped delivering on this thread is cut off with it. 0 takes what comes at once. `nil` waits as
    ///   long as it takes.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(timeout: timeout, source: asObservable())
    }
}

/// How a sequence went.
@frozen
public enum MaterializedSequenceResult<Element> {
    /// It completed, after these elements.
    case completed(elements: [Element])
    /// It failed or took too long, after these elements.
    case failed(elements: [Element], error: any Error)
}

extension MaterializedSequenceResult: Sendable where Element: Sendable {}

extension BlockingObservable {
    /// All elements, once the sequence has completed. Throws its error, or `RxError.timeout`.
    public func toArray() throws -> [Element] { try elements(limit: nil) }

    /// The first element, as soon as it is there, or `nil` if the sequence completes without one.
    /// Throws its error, or `RxError.timeout`.
    public func first() throws -> Element? { try elements(limit: 1).first }

    /// The last element, once the sequence has completed, or `nil` if there was none. Throws its error, or
    /// `RxError.timeout`.
    public func last() throws -> Element? { try elements(limit: nil).last }

    /// The only element. Throws `RxError.noElements`, `RxError.moreThanOneElement`, the sequence's error, or
    /// `RxError.timeout`.
    public func single() throws -> Element { try single { _ in true } }

    /// The only element for which `predicate` holds. Throws `RxError.noElements`, `RxError.moreThanOneElement`,
    /// the error of the sequence or of `predicate`, or `RxError.timeout`.
    public func single(_ predicate: @escaping (Element) throws -> Bool) throws -> Element {
        let elements = try elements(limit: 2, where: predicate)
        guard let first = elements.first else { throw RxError.noElements }
        guard elements.count == 1 else { throw RxError.moreThanOneElement }
        return first
    }

    /// The elements together with how the sequence ended. Does not throw; too long a wait is a failure with
    /// `RxError.timeout`.
    public func materialize() -> MaterializedSequenceResult<Element> { collect(limit: nil) { _ in true } }

    private func elements(
        limit: Int?, where predicate: @escaping (Element) throws -> Bool = { _ in true }
    ) throws -> [Element] {
        switch collect(limit: limit, where: predicate) {
        case .completed(let elements): return elements
        case .failed(_, let error): throw error
        }
    }

    /// Waits for the first `limit` elements for which `predicate` holds, or the end.
    private func collect(
        limit: Int?, where predicate: @escaping (Element) throws -> Bool
    ) -> MaterializedSequenceResult<Element> {
        // A queue of its own: if this thread is inside another sequence's callback, that one's queue stands still while
        // we wait.
        CurrentThreadScheduler.withSeparateQueue {
            let collection = Collection<Element>(limit: limit)
            let trace = SubscriptionTrace.capture(of: source)
            let cutOff = scheduleCutOff(of: collection)
            // Inside a turn, so that sources which take turns on this thread begin when there is a subscription to
            // dispose.
            _ = CurrentThreadScheduler.instance.schedule(()) { _ in
                collection.subscription.setDisposable(
                    source.subscribe { event in
                        // One that delivers while it is subscribed to does not notice that it was disposed.
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
            // Bounded by `cutOff`, on a clock that nobody can set.
            if timeout.map({ $0 > 0 }) ?? true { collection.gate.wait() }
            cutOff?.dispose()
            collection.subscription.dispose()
            return collection.result
        }
    }

    /// Ends the sequence at the timeout, also one that keeps this thread busy.
    private func scheduleCutOff(of collection: Collection<Element>) -> (any Disposable)? {
        guard let timeout, timeout > 0 else { return nil }
        let span = RxTimeInterval.microseconds(Int(min(timeout * 1e6, 1e15)))
        return ConcurrentDispatchQueueScheduler(qos: .userInitiated).scheduleRelative((), dueTime: span) { _ in
            collection.finish(RxError.timeout)
            return Disposables.create()
        }
    }
}

/// The elements of a subscription, which ends when there are enough of them, and the gate that opens then.
// @unchecked: all that changes is guarded.
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
        // First: the thread that waits returns to a sequence that is disposed.
        subscription.dispose()
        gate.open()
    }

    /// Whether it is known how the sequence went, or that no more of it is needed.
    var isOver: Bool { state.withLock { $0.outcome != nil } }

    /// The elements so far and the end. If that has not come, the time is up.
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

/// Blocks a thread until it is opened.
///
/// On the main thread it lets the main queue run meanwhile, as sequences that deliver there would never end
/// otherwise. Elsewhere it waits on a semaphore. Neither polls.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Atomic<Bool>(false)
    private let isForMainThread = Thread.isMainThread && MainQueue.isCurrent

    /// A closed gate, for the thread that makes it to wait at.
    init() {}

    /// Lets the waiting thread go on. From any thread; further calls do nothing.
    func open() {
        // Releasing: a thread that sees the gate open sees the writes before it.
        guard !isOpen.exchange(true, ordering: .releasing) else { return }
        semaphore.signal()
        // Makes the run loop return; what it has just handled need not have done so, if it was a timer.
        if isForMainThread { DispatchQueue.main.async {} }
    }

    /// Returns when the gate is open.
    func wait() {
        while isForMainThread, !isOpen.load(ordering: .acquiring) {
            // A run loop with nothing to wait for returns at once; asking it again would spin.
            if !RunLoop.main.run(mode: .default, before: .distantFuture) { break }
        }
        if !isOpen.load(ordering: .acquiring) { semaphore.wait() }
    }
}
