import Foundation
import Rx
import RxBenchRaces
import Synchronization

/// Races of tasks that run on the concurrency runtime's own executors: asynchronous sequences that become observables
/// against their disposal, and tasks that wait for an observable against their cancellation.
///
/// A search treats each job of a task as a separate actor. On real threads, a round waits until all jobs have run.
let concurrencyRaces: [RaceScenario<Round>] = asObservableRaces + singleTaskRaces + waitingTaskRaces

// MARK: Asynchronous sequences as observables

private let asObservableRaces: [RaceScenario<Round>] = [
    walking(
        "race/async-sequence/next-dispose", "Whether asObservable may be disposed as elements come to its task.",
        hears: ["", "1", "12"]
    ) { $0.yield(with: .success(2)) },
    walking(
        "race/async-sequence/end-dispose", "Whether asObservable may be disposed as its sequence ends.",
        hears: ["", "1", "1|"]
    ) { $0.finish() },
    walking(
        "race/async-sequence/error-dispose", "Whether asObservable may be disposed as its sequence fails.",
        hears: ["", "1", "1!"]
    ) { $0.finish(throwing: OpenSource.Failure()) },
    race("race/async-sequence/dispose-inside", "Whether an observer of asObservable may dispose as more comes.") {
        round in
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let (walk, subscription) = (Release(), SingleAssignmentDisposable())
        let viewer = round.viewer()
        viewer.reaction = { _ in subscription.dispose() }
        continuation.yield(1)
        subscription.setDisposable(viewer.watching(WatchedSequence(stream, walk).asObservable()))
        round.afterwards { round.settle(viewer) { walk.count.now == 1 } }
        round.expect("the task was not let go of") { walk.count.now == 1 }
        round.expect(viewer, hears: ["1"], "an event came after the disposal inside one")
        return [{ continuation.yield(2) }, { continuation.finish() }]
    },
]

/// Disposes the subscription of a sequence that has sent one element while `send` sends an event.
private func walking(
    _ id: String, _ decides: String, hears stories: Set<String>,
    _ send: @escaping @Sendable (AsyncThrowingStream<Int, any Error>.Continuation) -> Void
) -> RaceScenario<Round> {
    race(id, decides) { round in
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let walk = Release()
        continuation.yield(1)
        let viewer = round.viewer(of: WatchedSequence(stream, walk).asObservable())
        round.afterwards { round.settle(viewer) { walk.count.now == 1 } }
        round.expect("the task was not let go of") { walk.count.now == 1 }
        round.expect(viewer, hears: stories, "the elements and the end are not those that were sent")
        return [{ send(continuation) }, { viewer.dispose() }]
    }
}

/// A sequence that notes when no iterator of it is left.
private struct WatchedSequence: AsyncSequence, Sendable {
    private let base: AsyncThrowingStream<Int, any Error>
    private let tripwire: Tripwire

    init(_ base: AsyncThrowingStream<Int, any Error>, _ release: Release) {
        self.base = base
        tripwire = Tripwire(release)
    }

    func makeAsyncIterator() -> AsyncThrowingStream<Int, any Error>.Iterator { base.makeAsyncIterator() }
}

/// Notes when its last reference is released.
private final class Tripwire: Sendable {
    private let release: Release
    init(_ release: Release) { self.release = release }
    deinit { release.note() }
}

// MARK: A task's result as a single

private let singleTaskRaces: [RaceScenario<Round>] = [
    race("race/single/task-dispose", "Whether a single that a task answers may be disposed as it does.") { round in
        let work = Release()
        let viewer = round.viewer(of: answeringTask(work).asObservable())
        round.afterwards { round.settle(viewer) { work.count.now == 1 } }
        round.expect("the task was not let go of") { work.count.now == 1 }
        round.expect(viewer, hears: ["", "1", "1|"], "the answer is not the task's")
        return [{ viewer.dispose() }, {}]
    }
]

private func answeringTask(_ work: Release) -> Single<Int> {
    let tripwire = Tripwire(work)
    return Single.create { withExtendedLifetime(tripwire) { 1 } }
}

// MARK: Tasks that wait for a sequence

private let waitingTaskRaces: [RaceScenario<Round>] = [
    waiting(
        "race/values/task-next-cancel", "Whether a task may be cancelled as it goes on with an element.",
        ends: ["cancelled"], walk
    ) { $0.onNext(1) },
    waiting(
        "race/values/task-end-cancel", "Whether a task may be cancelled as it learns that its sequence has completed.",
        ends: ["cancelled", "returned"], walk
    ) { $0.onCompleted() },
    waiting(
        "race/values/task-error-cancel", "Whether a task may be cancelled as it learns that its sequence has failed.",
        ends: ["cancelled", "failed"], walk
    ) { $0.onError(OpenSource.Failure()) },
    waiting(
        "race/value/task-next-cancel", "Whether a task may be cancelled as it subscribes and is answered.",
        ends: ["cancelled", "returned"], answer
    ) { $0.onNext(1) },
    waiting(
        "race/value/task-error-cancel", "Whether a task may be cancelled as it subscribes to what fails.",
        ends: ["cancelled", "failed"], answer
    ) { $0.onError(OpenSource.Failure()) },
    waiting(
        "race/value/task-end-cancel", "Whether a task may be cancelled as it subscribes to what ends empty.",
        ends: ["cancelled", "returned"], maybe
    ) { $0.onCompleted() },
]

private func walk(_ subject: ReplaySubject<Int>) -> @Sendable () async throws -> Void {
    let values = subject.values
    return { for try await _ in values {} }
}

private func answer(_ subject: ReplaySubject<Int>) -> @Sendable () async throws -> Void {
    { _ = try await subject.take(1).asSingle().value }
}

private func maybe(_ subject: ReplaySubject<Int>) -> @Sendable () async throws -> Void {
    { _ = try await subject.take(1).asMaybe().value }
}

/// Cancels a task that waits for a subject while `send` sends an event to the subject.
private func waiting(
    _ id: String, _ decides: String, ends: Set<String>,
    _ wait: @escaping @Sendable (ReplaySubject<Int>) -> @Sendable () async throws -> Void,
    _ send: @escaping @Sendable (ReplaySubject<Int>) -> Void
) -> RaceScenario<Round> {
    race(id, decides) { round in
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        let ending = Ending()
        let work = wait(subject)
        let task = Task {
            do {
                try await work()
                ending.note(nil)
            } catch {
                ending.note(error)
            }
        }
        round.afterwards { round.settle { ending.name != nil } }
        round.expect("the task ended in another way, or other than once") { ending.name.map(ends.contains) == true }
        round.expect("the subject was not let go of") { !subject.hasObservers }
        round.label { ending.name ?? "" }
        return [{ send(subject) }, { task.cancel() }]
    }
}

extension Round {
    /// Waits on real threads until a task or a turn of a queue has ended and has released the closures of `viewer`,
    /// which it does last. In a search, all of them have ended already: the wait returns at once.
    func settle(_ viewer: Viewer? = nil, _ holds: () -> Bool) {
        var attempts = 5_000
        while attempts > 0, !(holds() && viewer?.isLetGoOf ?? true) {
            usleep(1_000)
            attempts -= 1
        }
    }

    /// Waits on real threads until the turns of a queue have run. The end of the round then waits until these turns
    /// have released the closures of its viewers.
    func settleTurns(_ holds: () -> Bool) {
        hasTurns = true
        settle(nil, holds)
    }
}
