import Foundation
import Rx
import RxBenchRaces
import Synchronization

/// A count that any thread may raise.
final class Count: Sendable {
    private let value = Atomic<Int>(0)

    // Releasing, and acquiring below: the race's table orders the final check, which alone reads it, after what the
    // actors did, but not after what a task did.
    func raise() { value.wrappingAdd(1, ordering: .releasing) }

    var now: Int { value.load(ordering: .acquiring) }
}

/// Tells threads apart.
struct ThreadMark: Sendable {
    let number: UInt

    /// The thread that asks.
    // Read as bytes: `pthread_t` is a number on one system and a pointer on another, of the same size.
    static var current: ThreadMark {
        ThreadMark(number: withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) })
    }
}

/// Counts how often something was let go of, and remembers on which thread it was last.
final class Release: Sendable {
    let count = Count()
    private let thread = Atomic<UInt>(0)

    func note() {
        thread.store(ThreadMark.current.number, ordering: .relaxed)
        count.raise()
    }

    /// A disposable that notes its disposal each time: whoever promises to dispose it once is shown wrong by a second
    /// one.
    func makeDisposable() -> any Disposable { Tripwire(self) }

    /// Whether the last note was taken on `mark`'s thread.
    func wasNoted(on mark: ThreadMark) -> Bool { thread.load(ordering: .relaxed) == mark.number }

    private final class Tripwire: Disposable {
        private let release: Release
        init(_ release: Release) { self.release = release }
        func dispose() { release.note() }
    }
}

/// A source that is sent to from outside, and counts how often it was subscribed to and let go of.
///
/// Unchecked: `observer` is written before the race begins, or by an actor during whose subscription nobody sends.
final class OpenSource: @unchecked Sendable {
    let release = Release()
    private(set) var observer: AnyObserver<Int>?
    private let subscribed = Atomic<Int>(0)

    /// The sequence. The one that subscribed last is sent to.
    func makeSequence() -> Observable<Int> {
        .create { observer in
            self.subscribed.add(1, ordering: .relaxed)
            self.observer = observer
            return self.release.makeDisposable()
        }
    }

    var subscriptions: Int { subscribed.load(ordering: .relaxed) }

    // A copy first: the event may lead to a subscription, which replaces the observer.
    func next(_ element: Int) { send(.next(element)) }
    func complete() { send(.completed) }
    func fail() { send(.error(Failure())) }

    private func send(_ event: Event<Int>) {
        let observer = observer
        observer?.on(event)
    }

    struct Failure: Error {}

    /// Lets go of the observer, which refers to its subscription, which refers to this.
    func forget() { observer = nil }
}

/// The events that a subscriber received in one round.
final class Witness: Sendable {
    let elements = Count()
    let completions = Count()
    let errors = Count()
    let disposal = Release()
    /// Events that came after a stop event.
    let late = Count()

    /// Subscribes to `sequence` and notes everything.
    func watch(_ sequence: Observable<Int>) -> any Disposable {
        sequence.subscribe(
            onNext: { _ in
                if self.stops > 0 { self.late.raise() }
                self.elements.raise()
            },
            onError: { _ in self.errors.raise() },
            onCompleted: { self.completions.raise() },
            onDisposed: { self.disposal.note() })
    }

    var stops: Int { completions.now + errors.now }

    /// The first promise that was broken to a subscriber whose subscription is over, if any.
    var violation: RaceGrade? {
        if stops > 1 { return .forbidden("\(stops) stop events") }
        if late.now > 0 { return .forbidden("element after the stop event") }
        if disposal.count.now != 1 { return .forbidden("onDisposed called \(disposal.count.now) times") }
        return nil
    }
}

extension Release {
    /// The promise that was broken if this was not let go of exactly once.
    func violation(of name: String) -> RaceGrade? {
        count.now == 1 ? nil : .forbidden("\(name) disposed \(count.now) times")
    }
}
