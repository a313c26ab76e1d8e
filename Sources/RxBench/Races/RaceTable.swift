import Foundation
import RxBench
import Synchronization

/// Where the actors of a race meet.
///
/// Unchecked: `state` and `range` are written by the first actor only while the others are asleep or wait for the next
/// round; the semaphores and the releasing store of `published` hand them over.
final class RaceTable<State: Sendable>: @unchecked Sendable {
    private let actors: [@Sendable (State) -> Void]
    private let seats: [RaceSeat]
    private let published = Atomic<Int>(0)
    private var state: State?
    private var range = 0..<0
    private let wakeUps: [DispatchSemaphore]
    private let asleep = DispatchSemaphore(value: 0)

    init(actors: [@Sendable (State) -> Void]) {
        self.actors = actors
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

    /// Plays one round as the first actor; returns when all actors have returned.
    func play(_ round: Int, with state: State) {
        self.state = state
        // Releasing: the state's initialisation must be visible to the actors.
        published.store(round, ordering: .releasing)
        act(0, round, state)
        for seat in seats.dropFirst() {
            // Acquiring: what the actors did must be visible to the final check.
            Spin.wait { seat.finished.load(ordering: .acquiring) >= round }
        }
        self.state = nil
    }

    /// The life of another actor's thread.
    func serve(_ index: Int) {
        while true {
            wakeUps[index].wait()
            let range = self.range
            for round in range { follow(round, as: index) }
            asleep.signal()
            if range.isEmpty { return }
        }
    }

    private func follow(_ round: Int, as index: Int) {
        // Acquiring: pairs with the publication in `play`.
        Spin.wait { published.load(ordering: .acquiring) >= round }
        if let state { act(index, round, state) }
        // Releasing: pairs with the wait in `play`. The local reference to the state is gone by now, so that it dies on
        // the first actor's thread.
        seats[index].finished.store(round, ordering: .releasing)
    }

    /// Meets the other actors, waits for a delay of its own, acts. The meeting uses relaxed order: it must not order
    /// the race.
    @inline(never)
    private func act(_ index: Int, _ round: Int, _ state: State) {
        seats[index].arrived.store(round, ordering: .relaxed)
        for seat in seats {
            Spin.wait { seat.arrived.load(ordering: .relaxed) >= round }
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
    /// Spins until `condition` holds; gives the core away now and then, for machines with fewer cores than actors.
    @inline(__always)
    static func wait(until condition: () -> Bool) {
        var attempts = 0
        while !condition() {
            attempts += 1
            if attempts > 2_000 {
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
