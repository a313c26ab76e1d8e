import RxBenchRaces
import Synchronization

// A fault with a reference that doesn't keep its object alive, and its clean twin.

/// An object that one actor owns and another refers to weakly.
private final class Owned: @unchecked Sendable {
    final class Node: Sendable {
        let uses = Atomic<Int>(0)
        func use() { uses.wrappingAdd(1, ordering: .relaxed) }
    }

    private let owner: Mutex<Node?>
    private weak var weakly: Node?

    init() {
        let node = Node()
        owner = Mutex(node)
        weakly = node
    }

    func drop() { owner.withLock { $0 = nil } }

    // Reads the reference twice: the owner may release the object between the two reads.
    func useHastily() { if weakly != nil { weakly!.use() } }
    func use() { if let node = weakly { node.use() } }
}

private func race(_ name: String, _ use: @escaping @Sendable (Owned) -> Void) -> Race {
    Race(
        RaceScenario(
            name, decides: "Nothing: a test.", makeState: { Owned() }, actors: [use, { $0.drop() }],
            finish: { _ in .acceptable("done") }))
}

let referenceRaces: [Race] = [
    race("planted/weak") { $0.useHastily() },
    race("clean/weak") { $0.use() },
]
