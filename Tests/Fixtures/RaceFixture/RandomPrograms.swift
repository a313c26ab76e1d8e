import CRaces
import Foundation
import Synchronization

/// Checks searches of small random programs. The reduced search must meet each class of schedules exactly once. The
/// bounded search leaves out choices; it must meet each class if its bound is never reached.
enum RandomPrograms {
    enum Operation: CaseIterable {
        case load, store, add, exchange, compare, lock
    }

    final class Program {
        let actors: [[(Operation, Int)]]
        let words = Words()

        init(_ random: inout some RandomNumberGenerator) {
            let count = Int.random(in: 2...3, using: &random)
            actors = (0..<count).map { _ in
                (0..<Int.random(in: 1...(5 - count), using: &random)).map { _ in
                    (Operation.allCases.randomElement(using: &random)!, Int.random(in: 0...1, using: &random))
                }
            }
        }

        func act(_ index: Int) {
            for (operation, word) in actors[index] {
                if word == 0 {
                    perform(operation, words.x, words.first)
                } else {
                    perform(operation, words.y, words.second)
                }
            }
        }

        @inline(never)
        private func perform(_ operation: Operation, _ word: borrowing Atomic<Int>, _ lock: borrowing Mutex<Int>) {
            switch operation {
            case .load: _ = word.load(ordering: .relaxed)
            case .store: word.store(1, ordering: .relaxed)
            case .add: word.wrappingAdd(1, ordering: .relaxed)
            case .exchange: _ = word.exchange(2, ordering: .relaxed)
            case .compare: _ = word.compareExchange(expected: 0, desired: 3, ordering: .relaxed)
            case .lock: lock.withLock { $0 += 1 }
            }
        }
    }

    final class Words: Sendable {
        let x = Atomic<Int>(0), y = Atomic<Int>(0)
        let first = Mutex(0), second = Mutex(0)
    }

    struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// Returns the classes of all schedules that a search runs, in order.
    static func classes(_ program: Program, _ strategy: rxraces_strategy, bound: Int32 = -1) -> [UInt64] {
        var plan = rxraces_plan(
            strategy: strategy, bound: bound, seed: 1, counts_references: false, records_stacks: false,
            detects_races: false, delays_stores: false, classifies: true)
        rxraces_start(&plan)
        var found: [UInt64] = []
        var redundant: UInt64 = 0, restarts: UInt64 = 0
        let context = Unmanaged.passUnretained(program).toOpaque()
        repeat {
            _ = rxraces_set_up({ Unmanaged<Program>.fromOpaque($0).takeUnretainedValue().reset() }, context)
            _ = rxraces_run(
                Int32(program.actors.count),
                { Unmanaged<Program>.fromOpaque($0).takeUnretainedValue().act(Int($1)) }, context)
            if rxraces_counts().restarts != restarts {
                restarts = rxraces_counts().restarts
                found = []
            }
            if rxraces_counts().redundant == redundant { found.append(rxraces_class()) }
            redundant = rxraces_counts().redundant
        } while rxraces_next()
        return found
    }

    static func check(count: Int) -> Never {
        var full = 0, reduced = 0, bounded = 0, missed = 0, twice = 0
        for seed in 1...count {
            var random = Seeded(state: UInt64(seed))
            let program = Program(&random)
            // The first search learns the locks.
            _ = classes(program, rxraces_depth_first)
            let all = classes(program, rxraces_depth_first)
            let some = classes(program, rxraces_reduced)
            rxraces_forget_choices()
            let within = classes(program, rxraces_depth_first, bound: 16)
            full += all.count
            reduced += some.count
            bounded += within.count
            missed += Set(all).subtracting(some).count + Set(all).subtracting(within).count
            twice += some.count - Set(some).count
            if Set(all) != Set(some) || some.count != Set(some).count {
                print("seed \(seed): \(program.actors): \(Set(all).count) classes, met \(some.count)")
            }
            if Set(all) != Set(within) {
                print("seed \(seed): \(program.actors): \(Set(all).count) classes, \(Set(within).count) with a bound")
            }
        }
        print(
            """
            \(count) programs: \(full) schedules, \(reduced) reduced, \(bounded) with a bound, \(missed) classes \
            missed, \(twice) met twice
            """)
        exit(missed == 0 && twice == 0 ? 0 : 1)
    }
}

extension RandomPrograms.Program {
    func reset() {
        words.x.store(0, ordering: .relaxed)
        words.y.store(0, ordering: .relaxed)
    }
}
