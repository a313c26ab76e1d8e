import RxBenchRaces
import Synchronization

/// A door that one actor opens for a moment, and a count that both actors raise.
private final class Door: Sendable {
    let isOpen = Atomic<Bool>(false)
    let looks = Atomic<Int>(0)
    let count = Atomic<Int>(0)

    func open() {
        isOpen.store(true, ordering: .releasing)
        isOpen.store(false, ordering: .releasing)
        count.wrappingAdd(1, ordering: .relaxed)
    }

    /// Enters if it finds the door open many times in a row, which happens in hardly any random schedule. It then uses
    /// a type for the first time in the process, which takes steps that no later execution takes.
    func enter(isHasty: Bool) {
        for _ in 0..<14 {
            guard isOpen.load(ordering: .acquiring) else { return }
            looks.wrappingAdd(1, ordering: .relaxed)
        }
        looks.wrappingAdd(described(Pair(first: [UInt16(1)], second: [Int16?(2)])), ordering: .relaxed)
        if isHasty {
            count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
        } else {
            count.wrappingAdd(1, ordering: .relaxed)
        }
    }
}

private struct Pair<First, Second>: Sequence, IteratorProtocol {
    var first: First
    var second: Second
    mutating func next() -> First? { nil }
}

extension Pair: CustomStringConvertible where First: Collection, Second: Collection {
    var description: String { "\(first.count) \(second.count)" }
}

@inline(never) private func described(_ value: some Sequence) -> Int {
    (value as? any CustomStringConvertible)?.description.count ?? 0
}

/// The number of executions in this process: state that no schedule records.
private let executions = Atomic<Int>(0)

private final class Counted: Sendable {
    let number = executions.wrappingAdd(1, ordering: .relaxed).newValue
    let count = Atomic<Int>(0)
}

/// Whether the value is borrowed. It stays `true` for the next execution if an execution is abandoned while it borrows.
private let isTaken = Atomic<Bool>(false)

private final class Lender: Sendable {
    let state = Atomic<Int>(0)

    func borrow(looksTwice: Bool) {
        if isTaken.exchange(true, ordering: .relaxed) {
            // The same steps as for a value that was never used: more steps, and no fault.
            for _ in 0..<3 { state.wrappingAdd(2, ordering: .relaxed) }
        } else {
            let seen = state.load(ordering: .relaxed)
            precondition(!looksTwice || seen == state.load(ordering: .relaxed), "another came in between")
        }
        isTaken.store(false, ordering: .relaxed)
    }
}

/// Faults that a schedule repeats only in a process that has done something else first.
let repeatedRaces: [Race] = [
    race(
        "planted/first-time", { Door() }, [{ $0.open() }, { $0.enter(isHasty: true) }],
        finish: {
            $0.count.load(ordering: .relaxed) == 1 && $0.looks.load(ordering: .relaxed) > 14
                ? .forbidden("lost update") : .acceptable("done")
        }),
    race(
        "clean/first-time", { Door() }, [{ $0.open() }, { $0.enter(isHasty: false) }],
        finish: {
            $0.count.load(ordering: .relaxed) == 1 && $0.looks.load(ordering: .relaxed) > 14
                ? .forbidden("lost update") : .acceptable("done")
        }),
    race(
        "planted/given-up", { Lender() },
        [{ $0.borrow(looksTwice: true) }, { $0.state.wrappingAdd(1, ordering: .relaxed) }]),
    race(
        "clean/given-up", { Lender() },
        [{ $0.borrow(looksTwice: false) }, { $0.state.wrappingAdd(1, ordering: .relaxed) }]),
    // After this number of executions, every execution is wrong, in any order.
    race(
        "unrepeatable/executions", { Counted() },
        Array(repeating: { for _ in 0..<6 { $0.count.wrappingAdd(1, ordering: .relaxed) } }, count: 2),
        finish: { $0.number < 150 ? .acceptable("early") : .forbidden("late") }),
]
