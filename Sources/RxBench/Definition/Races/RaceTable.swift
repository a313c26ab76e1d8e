import Foundation
import Synchronization

/// The meeting point of a race's actors. The actors meet in batches of rounds. All states of a batch are created before
/// its first round and graded after its last round, so that the other actors do not wait for this work in each round.
///
/// Unchecked: `states` and `range` are written only by the first actor, while the other actors are asleep or wait for
/// the next batch. The semaphores and the releasing store of `published` publish them to the other actors.
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
        // If there are fewer cores than actors, an awaited actor may not be running on any core.
        patience = ProcessInfo.processInfo.activeProcessorCount < actors.count ? 10 : Spin.patience
        seats = actors.map { _ in RaceSeat() }
        wakeUps = actors.map { _ in DispatchSemaphore(value: 0) }
    }

    /// Wakes the other actors for the rounds in `range`. An empty range ends their threads.
    func wake(for range: Range<Int>) {
        self.range = range
        for index in 1..<actors.count { wakeUps[index].signal() }
    }

    /// Waits until all other actors have finished the rounds for which they were woken.
    func waitUntilAsleep() {
        for _ in 1..<actors.count { asleep.wait() }
    }

    /// Returns the rounds of `range` in order, in batches. The batches are large enough that meeting before and after
    /// each batch costs little.
    static func batches(of range: Range<Int>) -> [Range<Int>] {
        stride(from: range.lowerBound, to: range.upperBound, by: 64).map { $0..<min($0 + 64, range.upperBound) }
    }

    /// Plays a batch as the first actor, one round for each of `states`. Returns when all actors have returned.
    func play(_ batch: Range<Int>, with states: [State]) {
        self.states = states
        // Releasing: the states' initialisation must be visible to the actors.
        published.store(batch.upperBound, ordering: .releasing)
        walk(batch, as: 0)
        for seat in seats.dropFirst() {
            // Acquiring: the actors' writes must be visible to the final checks.
            Spin.wait(patience) { seat.finished.load(ordering: .acquiring) >= batch.upperBound }
        }
        self.states = []
    }

    /// Runs the thread of one of the other actors until the thread is ended.
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
        // Acquiring: pairs with the releasing store in `play`.
        Spin.wait(patience) { published.load(ordering: .acquiring) >= batch.upperBound }
        walk(batch, as: index)
        // Releasing: pairs with the acquiring load in `play`. The local references to the states have been released, so
        // that the states are deinitialised on the first actor's thread.
        seats[index].finished.store(batch.upperBound, ordering: .releasing)
    }

    @inline(never)
    private func walk(_ batch: Range<Int>, as index: Int) {
        let states = states
        for round in batch { act(index, round, states[round - batch.lowerBound]) }
    }

    /// Meets the other actors, waits for this actor's delay, and then acts. The meeting uses relaxed order, because it
    /// must not order the accesses of the race.
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

/// The counters of one actor. They are in a separate heap block with padding, so that actors do not share a cache line.
final class RaceSeat: Sendable {
    let arrived = Atomic<Int>(0)
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
    let finished = Atomic<Int>(0)
    private let morePadding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
}

/// The delays of actors after the meeting, in steps of about a nanosecond.
enum RaceDelay {
    /// Returns a delay from ranges of growing width, so that close and distant starts both occur. The delay depends
    /// only on the arguments.
    static func steps(round: Int, actor: Int) -> Int {
        let widths = [1, 8, 32, 128, 512, 1024]
        var mixed =
            UInt64(bitPattern: Int64(round)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(actor + 1) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 29)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed >> 33) % UInt64(widths[round % widths.count]))
    }

    /// Returns whether an actor lets all other actors act first in a round. If there are fewer cores than actors, the
    /// last actor to arrive would otherwise act first in every round. This is done in few rounds, because such a round
    /// takes as much time as dozens of other rounds.
    static func givesWay(round: Int, actor: Int) -> Bool { round % 256 == actor }
}

enum Spin {
    /// The number of attempts when the awaited actor runs on another core.
    static let patience = 2_000

    /// Spins until `condition` is true. Gives up the core after every `patience` attempts, because the awaited actor
    /// may not be running on a core.
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

    /// Gives the core to other threads until these wait themselves. `sched_yield` is not used, because it may return at
    /// once although other threads are waiting.
    static func giveWay() { usleep(1) }

    /// Spins for `steps` empty loop iterations.
    @inline(__always)
    static func pass(_ steps: Int) {
        for step in 0..<steps { blackHole(step) }
    }
}
