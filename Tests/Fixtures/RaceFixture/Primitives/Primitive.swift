import RxBenchRaces
import Synchronization

/// Makes a program of one primitive. If its name begins with 'planted/', it has a fault that must be found.
func program<State: Sendable>(
    _ name: String, _ makeState: @escaping @Sendable () -> State, _ actors: (@Sendable (State) -> Void)...,
    finish: @escaping @Sendable (State) -> RaceGrade = { _ in .acceptable("done") }
) -> Race {
    Race(
        RaceScenario(name, decides: "Nothing: a test.", makeState: makeState, actors: actors, finish: finish))
}

/// Plain memory that a primitive must protect, and a flag. Unchecked: where it does not, a data race must be found.
final class PlainMemory: @unchecked Sendable {
    var value = 0
    var other = 0
    let flag = Atomic<Int>(0)
}

/// A primitive with the memory that it must protect. Unchecked, as above.
final class Guarded<Primitive>: @unchecked Sendable {
    let primitive: Primitive
    var value = 0

    init(_ primitive: Primitive) { self.primitive = primitive }
}

/// Checks that the expected number of additions has happened.
func sum(_ value: Int, _ expected: Int) -> RaceGrade {
    value == expected ? .acceptable("\(value)") : .forbidden("\(value) instead of \(expected)")
}

/// Checks that both additions have happened, or that only one has because a timed wait expired.
func sumUnlessLate(_ value: Int) -> RaceGrade {
    (1...2).contains(value) ? .acceptable("\(value)") : .forbidden("\(value) instead of 1 or 2")
}

/// Memory for a C type. It is deallocated with its owner.
final class Allocated<Value>: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ make: (UnsafeMutablePointer<Value>) -> Void) { make(pointer) }
    deinit { pointer.deallocate() }
}
