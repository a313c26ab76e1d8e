import CRaceFixture
import RxBenchRaces

private func counter() -> Allocated<race_counter> { Allocated { $0.initialize(to: race_counter()) } }

let programsInC: [Race] = [
    program("planted/c/plain", counter, { race_counter_raise($0.pointer) }, { race_counter_raise($0.pointer) }),
    program(
        "clean/c/locked", counter, { race_counter_raise_locked($0.pointer) },
        { race_counter_raise_locked($0.pointer) }, finish: { sum(Int($0.pointer.pointee.value), 2) }),
    program(
        "planted/c/relaxed", counter, { race_counter_raise_hastily($0.pointer) },
        { race_counter_raise_hastily($0.pointer) }),
]
