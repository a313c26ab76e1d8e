import DisposeRaceBenchmarks
import Foundation
import Rx
import RxBenchRaces
import Synchronization

/// A race that other libraries lost, rebuilt from public reports: a version with the bug, and a version without it.
package struct PlantedRace: Sendable, CustomStringConvertible {
    /// A short description of the shape.
    package let description: String
    /// The grade of a round in which the bug shows.
    package let broken: String
    /// The actor that is inside the faulty step when the other actor arrives.
    package let actor: Int
    private let make: @Sendable (_ isFaulty: Bool, Pause) -> RaceScenario<Round>

    init(
        _ description: String, broken: String, actor: Int = 0,
        make: @escaping @Sendable (_ isFaulty: Bool, Pause) -> RaceScenario<Round>
    ) {
        self.description = description
        self.broken = broken
        self.actor = actor
        self.make = make
    }

    /// The race with the bug. `pause` runs between the two steps.
    package func faulty(_ pause: Pause) -> RaceScenario<Round> { Bolt.grading(make(true, pause)) }

    /// The same code without the bug.
    package func clean(_ pause: Pause) -> RaceScenario<Round> { Bolt.grading(make(false, pause)) }
}

/// The moment between two steps that have to be atomic.
package final class Pause: @unchecked Sendable {
    // @unchecked: set before the race begins, or by the actor that is inside the step.
    /// The closure to run between the two steps.
    package var step: () -> Void

    package init(_ step: @escaping () -> Void = {}) { self.step = step }
}

/// A recursive lock that gives up after 2,000 attempts and records that it did, so that a test survives a deadlock.
final class Bolt: Sendable {
    private let owner = Atomic<UInt>(0)
    private let depth = Atomic<Int>(0)
    private static let givenUp = Atomic<Bool>(false)

    // Read as bytes: `pthread_t` is a number on one system and a pointer of the same size on another.
    private static var currentThread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

    func withLock<Result>(_ body: () -> Result) -> Result {
        let me = Self.currentThread
        // Acquiring and releasing, like any lock.
        if owner.load(ordering: .relaxed) != me {
            var attempts = 0
            while !owner.compareExchange(expected: 0, desired: me, ordering: .acquiringAndReleasing).exchanged {
                attempts += 1
                if attempts > 2_000 {
                    Self.givenUp.store(true, ordering: .relaxed)
                    return body()
                }
                sched_yield()
            }
        }
        depth.add(1, ordering: .relaxed)
        let result = body()
        if depth.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { owner.store(0, ordering: .releasing) }
        return result
    }

    /// Returns the same race, which forbids rounds in which a thread gave up waiting for a lock.
    static func grading(_ race: RaceScenario<Round>) -> RaceScenario<Round> {
        RaceScenario(
            race.id, decides: race.decides, rounds: race.rounds, makeState: race.makeState, actors: race.actors,
            finish: { round in
                let grade = race.finish(round)
                let isStuck = givenUp.exchange(false, ordering: .relaxed)
                return isStuck ? .forbidden("two threads wait for each other's lock") : grade
            })
    }
}
