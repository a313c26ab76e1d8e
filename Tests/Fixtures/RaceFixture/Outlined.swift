import RxBenchRaces
import Synchronization

// Accesses that the compiler makes in functions of its own, outlined copies of values, and deinitialisers that its
// runtime starts.

private protocol Note: Sendable { var length: Int { get } }
private struct Text: Note { let length: Int }

/// Written by one, and copied by another.
private final class Letter: @unchecked Sendable {
    private var note: any Note = Text(length: 0)
    private let isWritten = Atomic<Bool>(false)
    let length = Atomic<Int>(0)

    // Relaxed: the note is not shown with it.
    func writeHastily() {
        note = Text(length: 4)
        isWritten.store(true, ordering: .relaxed)
    }

    func write() {
        note = Text(length: 4)
        isWritten.store(true, ordering: .releasing)
    }

    @inline(never)
    private func copy() -> any Note { note }

    func read() {
        guard isWritten.load(ordering: .acquiring) else { return }
        length.store(copy().length, ordering: .relaxed)
    }
}

private protocol Handle: Sendable { func close() }

/// What two have a reference to, each in an existential, which the runtime lets go of itself.
private final class Door: Handle, @unchecked Sendable {
    private final class Hinge: Sendable {}
    // Plain: touched by the one that closes, and by the deinitialiser.
    private var hinge: Hinge? = Hinge()
    private let isClosed = Atomic<Bool>(false)

    func close() { if !isClosed.exchange(true, ordering: .relaxed) { hinge = nil } }
}

private final class Doors: @unchecked Sendable {
    private var first: (any Handle)?
    private var second: (any Handle)?

    init() {
        let door = Door()
        (first, second) = (door, door)
    }

    func leaveFirst() {
        first?.close()
        first = nil
    }

    func leaveSecond() {
        second?.close()
        second = nil
    }
}

let outlinedRaces: [Race] = [
    race("planted/outlined", { Letter() }, [{ $0.writeHastily() }, { $0.read() }]),
    race("clean/outlined", { Letter() }, [{ $0.write() }, { $0.read() }]),
    race("clean/last-reference", { Doors() }, [{ $0.leaveFirst() }, { $0.leaveSecond() }]),
]
