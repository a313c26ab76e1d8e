final class ArrayNode: FuzzNode, @unchecked Sendable {
    private var plain: [FuzzNode] = []
    private var optional: [FuzzNode?] = []
    private var tuples: [(UInt8, FuzzNode)] = []
    private var contiguous: ContiguousArray<[FuzzNode]> = []
    private var slice: ArraySlice<FuzzNode> = []
    private let numbers = [0x7fff_0000_1111, 2, 3]

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: plain.append(other)
        case 1: optional += [other, nil]
        case 2: tuples.append((1, other))
        case 3: contiguous.append([other])
        default: if slice.isEmpty { slice = [other][...] } else { plain.append(other) }
        }
    }

    override func clear() { (plain, optional, tuples, contiguous, slice) = ([], [], [], [], []) }
}

final class TableNode: FuzzNode, @unchecked Sendable {
    struct Key: Hashable {
        let held: FuzzNode
        let salt: Int
        static func == (one: Key, other: Key) -> Bool { one.salt == other.salt }
        func hash(into hasher: inout Hasher) { hasher.combine(salt) }
    }
    private var byNumber: [Int: FuzzNode] = [:]
    private var byName: [String: (Int, FuzzNode?)] = [:]
    private var byKey: [Key: String] = [:]
    private var keys: Set<Key> = []
    private var next = 0

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        next += 1
        switch Int.random(in: 0..<4, using: &random) {
        case 0: byNumber[next] = other
        case 1: byName["a name that is not kept inline \(next)"] = (next, other)
        case 2: byKey[Key(held: other, salt: next)] = "value"
        default: keys.insert(Key(held: other, salt: next))
        }
        // Leaves holes, as in a table that was used.
        byNumber[-next] = other
        byNumber[-next] = nil
    }

    override func clear() { (byNumber, byName, byKey, keys) = ([:], [:], [:], []) }
}

final class ClosureNode: FuzzNode, @unchecked Sendable {
    private var function: (() -> Int)?
    private var functions: [(Int) -> Int] = []
    private let none: @convention(c) (Int32) -> Int32 = { $0 }

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        let kind = Int.random(in: 0..<5, using: &random)
        if function == nil, kind == 0 {
            function = { other.number }
            return
        }
        switch kind {
        case 1:
            var changing: FuzzNode? = other
            functions.append {
                if $0 < 0 { changing = nil }
                return changing?.number ?? 0
            }
        case 2:
            let text = "a text that is kept on the heap, \(number)"
            let weight: UInt8 = 3
            functions.append { [weak self] in $0 + text.count + Int(weight) + other.number + (self?.number ?? 0) }
        case 3:
            functions.append { [unowned self] in $0 + other.number + self.number }
        default:
            let inner = { other.number }
            functions.append { $0 + inner() }
        }
    }

    override func clear() { (function, functions) = (nil, []) }
}

final class GenericClosureNode: FuzzNode, @unchecked Sendable {
    private var functions: [() -> Int] = []

    @inline(never) private func make<Value, Held: FuzzNode>(_ value: Value, _ held: Held) -> () -> Int {
        { MemoryLayout.size(ofValue: value) + held.number }
    }

    @inline(never) private func makeCollection<Held: Collection>(_ held: Held) -> () -> Int
    where Held.Element: FuzzNode {
        let first = held.first
        return { held.count + (first?.number ?? 0) }
    }

    @inline(never) private func wrap<Value>(_ function: @escaping (Value) -> Int, _ value: Value) -> () -> Int {
        { function(value) }
    }

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: functions.append(make(1, other))
        case 1: functions.append(make("a text of more than fifteen bytes", other))
        case 2: functions.append(make((other, 1 as UInt8), other))
        case 3: functions.append(makeCollection([other]))
        default: functions.append(wrap({ $0 + other.number }, 4))
        }
    }

    override func clear() { functions = [] }
}

final class GenericNode<Tag>: FuzzNode, @unchecked Sendable {
    struct Cell<Value> {
        var tag: Tag?
        var value: Value
    }
    private var cells: [Cell<FuzzNode>] = []
    private var cell: Cell<FuzzNode>?
    private var existential: Cell<any Sendable>?

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where cell == nil: cell = Cell(value: other)
        case 1 where existential == nil: existential = Cell(value: other)
        default: cells.append(Cell(value: other))
        }
    }

    override func clear() { (cells, cell, existential) = ([], nil, nil) }
}

final class ActorNode: FuzzNode, @unchecked Sendable {
    private actor Inner {
        // Unsafe: set once, before other code can refer to the actor.
        nonisolated(unsafe) var held: FuzzNode
        var count = 0
        init(_ held: FuzzNode) { self.held = held }
    }
    private var actors: [Inner] = []

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) { actors.append(Inner(other)) }

    override func clear() { actors = [] }
}
