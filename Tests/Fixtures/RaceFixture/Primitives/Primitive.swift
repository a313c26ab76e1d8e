import RxBenchRaces
import Synchronization

/// A program of one primitive: it is wrong, and has to be found, if its name begins with 'planted/'.
func program<State: Sendable>(
    _ name: String, _ makeState: @escaping @Sendable () -> State, _ actors: (@Sendable (State) -> Void)...,
    finish: @escaping @Sendable (State) -> RaceGrade = { _ in .acceptable("done") }
) -> Race {
    Race(
        RaceScenario(name, decides: "Nothing: a test.", makeState: makeState, actors: actors, finish: finish))
}

/// Plain memory that a primitive is to protect, and a flag. Unchecked: where it does not, a data race is to be found.
final class PlainMemory: @unchecked Sendable {
    var value = 0
    var other = 0
    let flag = Atomic<Int>(0)
}

/// A primitive with the memory that it is to protect. Unchecked, as above.
final class Guarded<Primitive>: @unchecked Sendable {
    let primitive: Primitive
    var value = 0

    init(_ primitive: Primitive) { self.primitive = primitive }
}

/// Whether all of so many additions have come.
func sum(_ value: Int, _ expected: Int) -> RaceGrade {
    value == expected ? .acceptable("\(value)") : .forbidden("\(value) instead of \(expected)")
}

/// Whether all of two additions have come, or the one that a wait with a time gave up.
func sumUnlessLate(_ value: Int) -> RaceGrade {
    (1...2).contains(value) ? .acceptable("\(value)") : .forbidden("\(value) instead of 1 or 2")
}

/// Memory of C's that lives as long as its owner.
final class Allocated<Value>: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ make: (UnsafeMutablePointer<Value>) -> Void) { make(pointer) }
    deinit { pointer.deallocate() }
}
