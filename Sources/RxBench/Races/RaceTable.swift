import Foundation
import RxBench
import Synchronization

/// Where the actors of a race meet: for batches of rounds, whose states are made before and graded after all of them,
/// so that the first actor does neither while the others wait.
///
/// Unchecked: `states` and `range` are written by the first actor only while the others are asleep or wait for the next
/// batch; the semaphores and the releasing store of `published` hand them over.
final class RaceTable<State: Sendable>: @unchecked Sendable {
    private let actors: [@Sendable (State) -> Void]
    private let seats: [RaceSeat]
    private let published = Atomic<Int>(0)
    private var states: [State] = []
    private var range = 0..<0
    private let patience: Int
    private let wakeUps: [DispatchSemaphore]
    private let asleep = DispatchSemaphore(value: 0)

    init(actors: [@Sendable (State) -> Void]) {
        self.actors = actors
        // An actor that is waited for has no core of its own.
        patience = ProcessInfo.processInfo.activeProcessorCount < actors.count ? 10 : Spin.patience
        seats = actors.map { _ in RaceSeat() }
        wakeUps = actors.map { _ in DispatchSemaphore(value: 0) }
    }

    /// Lets the other actors take part in the rounds of `range`; an empty range ends their threads.
    func wake(for range: Range<Int>) {
        self.range = range
        for index in 1..<actors.count { wakeUps[index].signal() }
    }

    /// Waits until all other actors have left the rounds they were woken for.
    func waitUntilAsleep() {
        for _ in 1..<actors.count { asleep.wait() }
    }

    /// The rounds of `range` in their order, so many at a time that meeting before and after costs little.
    static func batches(of range: Range<Int>) -> [Range<Int>] {
        stride(from: range.lowerBound, to: range.upperBound, by: 64).map { $0..<min($0 + 64, range.upperBound) }
    }

    /// Plays a batch as the first actor, a round with each of `states`; returns when all actors have returned.
    func play(_ batch: Range<Int>, with states: [State]) {
        self.states = states
        // Releasing: the states' initialisation must be visible to the actors.
        published.store(batch.upperBound, ordering: .releasing)
        walk(batch, as: 0)
        for seat in seats.dropFirst() {
            // Acquiring: what the actors did must be visible to the final checks.
            Spin.wait(patience) { seat.finished.load(ordering: .acquiring) >= batch.upperBound }
        }
        self.states = []
    }

    /// The life of another actor's thread.
    func serve(_ index: Int) {
        while true {
            wakeUps[index].wait()
            let range = self.range
            for batch in Self.batches(of: range) { follow(batch, as: index) }
            asleep.signal()
            if range.isEmpty { return }
        }
    }

    private func follow(_ batch: Range<Int>, as index: Int) {
        // Acquiring: pairs with the publication in `play`.
        Spin.wait(patience) { published.load(ordering: .acquiring) >= batch.upperBound }
        walk(batch, as: index)
        // Releasing: pairs with the wait in `play`. The local references to the states are gone by now, so that they
        // die on the first actor's thread.
        seats[index].finished.store(batch.upperBound, ordering: .releasing)
    }

    @inline(never)
    private func walk(_ batch: Range<Int>, as index: Int) {
        let states = states
        for round in batch { act(index, round, states[round - batch.lowerBound]) }
    }

    /// Meets the other actors, waits for a delay of its own, acts. The meeting uses relaxed order: it must not order
    /// the race.
    @inline(never)
    private func act(_ index: Int, _ round: Int, _ state: State) {
        seats[index].arrived.store(round, ordering: .relaxed)
        for seat in seats {
            Spin.wait(patience) { seat.arrived.load(ordering: .relaxed) >= round }
        }
        Spin.pass(RaceDelay.steps(round: round, actor: index))
        if RaceDelay.givesWay(round: round, actor: index) { Spin.giveWay() }
        actors[index](state)
    }
}

/// One actor's counters, in a heap block of its own and padded, so that actors do not share a cache line.
final class RaceSeat: Sendable {
    let arrived = Atomic<Int>(0)
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
    let finished = Atomic<Int>(0)
    private let morePadding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
}

/// How long an actor waits after the meeting, in steps of about a nanosecond.
enum RaceDelay {
    /// Delays are drawn from ranges of growing width, so that close and distant starts both occur. Depends on the
    /// arguments alone.
    static func steps(round: Int, actor: Int) -> Int {
        let widths = [1, 8, 32, 128, 512, 1024]
        var mixed =
            UInt64(bitPattern: Int64(round)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(actor + 1) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 29)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed >> 33) % UInt64(widths[round % widths.count]))
    }

    /// Returns whether an actor lets all others go first in a round. Where cores are fewer than actors, the last to
    /// arrive would otherwise be the first to act in every round. Seldom, as it takes as long as dozens of rounds.
    static func givesWay(round: Int, actor: Int) -> Bool { round % 256 == actor }
}

enum Spin {
    /// For somebody who runs on another core.
    static let patience = 2_000

    /// Spins until `condition` holds; gives the core away after each `patience` attempts, as who is waited for may have
    /// none.
    @inline(__always)
    static func wait(_ patience: Int, until condition: () -> Bool) {
        var attempts = 0
        while !condition() {
            attempts += 1
            if attempts > patience {
                sched_yield()
                attempts = 0
            }
        }
    }

    /// Leaves the core to others, who run until they wait themselves: `sched_yield` may return at once although they
    /// wait.
    static func giveWay() { usleep(1) }

    /// Passes the time of `steps` empty loop rounds.
    @inline(__always)
    static func pass(_ steps: Int) {
        for step in 0..<steps { blackHole(step) }
    }
}
