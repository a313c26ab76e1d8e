import Rx
import RxBenchRaces
import Synchronization

/// A subscriber that detects events it must not receive, and notes the thread of each disposal.
// @unchecked: `subscription` and `reaction` are set by one thread before others read them.
final class Viewer: @unchecked Sendable {
    /// Runs inside each element, after the element was counted.
    var reaction: (Int) -> Void = { _ in }
    private var subscription: (any Disposable)?
    private let disposal = Release()
    private let heard = Atomic<Int>(0)
    private let count = Atomic<Int>(0)
    private let completions = Atomic<Int>(0)
    private let errors = Atomic<Int>(0)

    // Broken promises. Relaxed, here and above: counting events must not add an order between them.
    private let eventsAfterEnd = Atomic<Int>(0)
    private let overlaps = Atomic<Int>(0)
    private let eventsAfterDispose = Atomic<Int>(0)
    /// The thread that is inside an event; 0 if there is no such thread.
    private let inside = Atomic<UInt>(0)
    /// The threads on which `dispose()` has returned.
    private let firstDisposer = Atomic<UInt>(0)
    private let secondDisposer = Atomic<UInt>(0)
    private let thirdDisposer = Atomic<UInt>(0)
    /// Subscriptions whose closures are still kept.
    private let kept = Atomic<Int>(0)

    /// Subscribes.
    func watch(_ sequence: Observable<Int>) { subscription = watching(sequence) }

    /// Releases the subscription without disposing it.
    func forget() { subscription = nil }

    /// Subscribes and returns the subscription without storing it.
    func watching(_ sequence: Observable<Int>) -> any Disposable {
        let closures = Kept(self)
        return sequence.subscribe(
            onNext: { closures.viewer.hear(.next($0)) }, onError: { closures.viewer.hear(.error($0)) },
            onCompleted: { closures.viewer.hear(.completed) }, onDisposed: { closures.viewer.disposal.note() })
    }

    /// Disposes the subscription. After the call returns, this thread must not receive events.
    func dispose() {
        subscription?.dispose()
        let me = ThreadMark.current.number
        func isNoted(_ place: borrowing Atomic<UInt>) -> Bool {
            let seen = place.compareExchange(expected: 0, desired: me, ordering: .relaxed)
            return seen.exchanged || seen.original == me
        }
        _ = isNoted(firstDisposer) || isNoted(secondDisposer) || isNoted(thirdDisposer)
    }

    private func hasDisposed(on thread: UInt) -> Bool {
        firstDisposer.load(ordering: .relaxed) == thread || secondDisposer.load(ordering: .relaxed) == thread
            || thirdDisposer.load(ordering: .relaxed) == thread
    }

    /// Receives an event.
    func hear(_ event: Event<Int>) {
        let me = ThreadMark.current.number
        if hasDisposed(on: me) { eventsAfterDispose.add(1, ordering: .relaxed) }
        let other = inside.exchange(me, ordering: .relaxed)
        if other != 0, other != me { overlaps.add(1, ordering: .relaxed) }
        if stops > 0 { eventsAfterEnd.add(1, ordering: .relaxed) }
        switch event {
        case .next(let element):
            note(element)
            reaction(element)
        case .error: errors.add(1, ordering: .relaxed)
        case .completed: completions.add(1, ordering: .relaxed)
        }
        inside.store(other == me ? me : 0, ordering: .relaxed)
    }

    private func note(_ element: Int) {
        count.add(1, ordering: .relaxed)
        heard.store(heard.load(ordering: .relaxed) * 10 + element, ordering: .relaxed)
    }

    // MARK: Received events

    var elements: Int { count.load(ordering: .relaxed) }
    private var stops: Int { completions.load(ordering: .relaxed) + errors.load(ordering: .relaxed) }

    /// The elements in order, with one digit each, and the stop event: `12|` completed, `12!` failed. A leading 0 is
    /// left out.
    var story: String {
        let elements = heard.load(ordering: .relaxed)
        let end = errors.load(ordering: .relaxed) > 0 ? "!" : completions.load(ordering: .relaxed) > 0 ? "|" : ""
        return (elements == 0 ? "" : "\(elements)") + end
    }

    /// The sum of the elements.
    var sum: Int { String(heard.load(ordering: .relaxed)).compactMap(\.wholeNumberValue).reduce(0, +) }

    /// Returns the first broken promise. Call it after the subscription is over.
    func violation(_ whose: String) -> RaceGrade? {
        if stops > 1 { return .forbidden("\(stops) stop events\(whose)") }
        if eventsAfterEnd.load(ordering: .relaxed) > 0 { return .forbidden("event after the stop event\(whose)") }
        if overlaps.load(ordering: .relaxed) > 0 { return .forbidden("events overlap\(whose)") }
        if eventsAfterDispose.load(ordering: .relaxed) > 0 {
            return .forbidden("event on the disposing thread after dispose\(whose)")
        }
        if disposal.count.now != 1 { return .forbidden("onDisposed\(whose) called \(disposal.count.now) times") }
        if !isLetGoOf { return .forbidden("closures\(whose) kept after the subscription") }
        return nil
    }

    /// Whether the closures of all subscriptions have been released.
    // Acquiring: makes visible the work of a task before it released the closures.
    var isLetGoOf: Bool { kept.load(ordering: .acquiring) == 0 }

    /// The closures of a subscription keep it alive.
    private final class Kept {
        let viewer: Viewer

        init(_ viewer: Viewer) {
            self.viewer = viewer
            viewer.kept.add(1, ordering: .relaxed)
        }

        // Releasing: pairs with the load in `isLetGoOf`.
        deinit { viewer.kept.subtract(1, ordering: .releasing) }
    }
}
