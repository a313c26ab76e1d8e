import Foundation
import Rx
import RxBenchRaces
import Synchronization

/// A count that any thread may increment.
final class Count: Sendable {
    private let value = Atomic<Int>(0)

    // Releasing, and acquiring below: the final check is the only reader. The race's table orders it after the work of
    // the actors, but not after the work of a task.
    func raise() { value.wrappingAdd(1, ordering: .releasing) }

    var now: Int { value.load(ordering: .acquiring) }
}

/// Identifies a thread.
struct ThreadMark: Sendable {
    let number: UInt

    /// The current thread.
    // Read as bytes: `pthread_t` is an integer on one system and a pointer on another, with the same size.
    static var current: ThreadMark {
        ThreadMark(number: withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) })
    }
}

/// Counts the disposals of an object, and stores the thread of the last one.
final class Release: Sendable {
    let count = Count()
    private let thread = Atomic<UInt>(0)

    func note() {
        thread.store(ThreadMark.current.number, ordering: .relaxed)
        count.raise()
    }

    /// Returns a disposable that notes each disposal, so that a second disposal shows a broken promise to dispose it
    /// once.
    func makeDisposable() -> any Disposable { Tripwire(self) }

    /// Whether the last disposal happened on `mark`'s thread.
    func wasNoted(on mark: ThreadMark) -> Bool { thread.load(ordering: .relaxed) == mark.number }

    private final class Tripwire: Disposable {
        private let release: Release
        init(_ release: Release) { self.release = release }
        func dispose() { release.note() }
    }
}

/// A source whose events the actors send. It counts its subscriptions and their disposals.
///
/// Unchecked: `observer` is written before the race begins, or by an actor while no other thread sends.
final class OpenSource: @unchecked Sendable {
    let release = Release()
    private(set) var observer: AnyObserver<Int>?
    private let subscribed = Atomic<Int>(0)

    /// Returns the sequence. Events are sent to its latest subscriber.
    func makeSequence() -> Observable<Int> {
        .create { observer in
            self.subscribed.add(1, ordering: .relaxed)
            self.observer = observer
            return self.release.makeDisposable()
        }
    }

    var subscriptions: Int { subscribed.load(ordering: .relaxed) }

    // Copies the observer first: the event may lead to a subscription, which replaces the observer.
    func next(_ element: Int) { send(.next(element)) }
    func complete() { send(.completed) }
    func fail() { send(.error(Failure())) }

    private func send(_ event: Event<Int>) {
        let observer = observer
        observer?.on(event)
    }

    struct Failure: Error {}

    /// Releases the observer, which refers to its subscription, which refers to this source.
    func forget() { observer = nil }
}

/// The events that a subscriber received in one round.
final class Witness: Sendable {
    let elements = Count()
    let completions = Count()
    let errors = Count()
    let disposal = Release()
    /// Elements that came after a stop event.
    let late = Count()

    /// Subscribes to `sequence` and notes its events and its disposal.
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

    /// The first promise that was broken. Read it after the subscription has ended.
    var violation: RaceGrade? {
        if stops > 1 { return .forbidden("\(stops) stop events") }
        if late.now > 0 { return .forbidden("element after the stop event") }
        if disposal.count.now != 1 { return .forbidden("onDisposed called \(disposal.count.now) times") }
        return nil
    }
}

extension Release {
    /// Returns a violation unless the object was disposed exactly once.
    func violation(of name: String) -> RaceGrade? {
        count.now == 1 ? nil : .forbidden("\(name) disposed \(count.now) times")
    }
}
