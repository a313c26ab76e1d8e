import RxBenchRaces
import Synchronization

// Accesses that the compiler makes in functions it generates, outlined copies of values, and deinitialisers that the
// runtime calls.

private protocol Note: Sendable { var length: Int { get } }
private struct Text: Note { let length: Int }

/// A value that one actor writes and another copies.
private final class Letter: @unchecked Sendable {
    private var note: any Note = Text(length: 0)
    private let isWritten = Atomic<Bool>(false)
    let length = Atomic<Int>(0)

    // Relaxed: the store doesn't publish the note.
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

/// An object that two actors refer to, each through an existential. The runtime releases those references itself.
private final class Door: Handle, @unchecked Sendable {
    private final class Hinge: Sendable {}
    // Plain: accessed by the actor that closes the door, and by the deinitialiser.
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
