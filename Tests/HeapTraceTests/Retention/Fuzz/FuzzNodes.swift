import Synchronization

/// An object of a random graph. Each subclass holds other objects in its own way.
class FuzzNode: @unchecked Sendable {
    // @unchecked: one test makes, links and clears the nodes, one after the other.
    let number: Int
    private static let living = Mutex<Set<Int>>([])
    /// The numbers of the nodes that are alive.
    static var alive: Set<Int> { living.withLock { $0 } }

    required init(_ number: Int) {
        self.number = number
        _ = Self.living.withLock { $0.insert(number) }
    }

    deinit { _ = FuzzNode.living.withLock { $0.remove(number) } }

    /// Holds another node strongly. Repeated calls hold it several times.
    func hold(_ other: FuzzNode, _ random: inout SeededGenerator) { fatalError("A fuzz node overrides hold(_:_:).") }
    /// Releases everything that it holds.
    func clear() { fatalError("A fuzz node overrides clear().") }

    static let kinds: [FuzzNode.Type] = [
        FieldNode.self, StructNode.self, EnumerationNode.self, ExistentialNode.self, ReferenceNode.self, ArrayNode.self,
        TableNode.self,
        ClosureNode.self, GenericClosureNode.self, GenericNode<Int8>.self, GenericNode<String>.self,
        InheritingNode.self, ActorNode.self,
    ]
}

class FieldNode: FuzzNode, @unchecked Sendable {
    private var small: UInt8 = 7
    private var first: FuzzNode?
    private var second: AnyObject?
    private var others: FieldNode.Chain?

    final class Chain {
        let held: FuzzNode
        let next: Chain?
        init(_ held: FuzzNode, _ next: Chain?) { (self.held, self.next) = (held, next) }
    }

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        if first == nil {
            first = other
        } else if second == nil {
            second = other
        } else {
            others = Chain(other, others)
        }
    }

    override func clear() { (first, second, others) = (nil, nil, nil) }
}

final class InheritingNode: FieldNode, @unchecked Sendable {
    private var own: [FuzzNode?] = []
    private lazy var later: FuzzNode? = nil

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: super.hold(other, &random)
        case 1: own += [nil, other]
        default: if later == nil { later = other } else { own.append(other) }
        }
    }

    override func clear() {
        super.clear()
        own = []
        later = nil
    }
}

final class StructNode: FuzzNode, @unchecked Sendable {
    struct Pair {
        var weight = 1.5
        var held: FuzzNode?
        var name = "pair"
        var tuple: (Int16, FuzzNode?, also: FuzzNode?) = (3, nil, nil)
    }
    struct Nest {
        var flag = true
        var pair = Pair()
        var range = 1...3
        var pairs: [Pair] = []
    }
    private var nest = Nest()

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where nest.pair.held == nil: nest.pair.held = other
        case 1 where nest.pair.tuple.1 == nil: nest.pair.tuple.1 = other
        case 2 where nest.pair.tuple.also == nil: nest.pair.tuple.also = other
        default: nest.pairs.append(Pair(held: other))
        }
    }

    override func clear() { nest = Nest() }
}

final class EnumerationNode: FuzzNode, @unchecked Sendable {
    enum Payload {
        case nothing, also
        case one(FuzzNode)
        case counted(FuzzNode, Int)
        case text(String)
        case maybe(FuzzNode?)
        case many([FuzzNode])
        case number(UInt64)
        indirect case nested(Payload, FuzzNode)
        case function(() -> Int)
        case either(Result<FuzzNode, FuzzError>)
    }
    struct FuzzError: Error { let held: FuzzNode? }
    private var payload = Payload.nothing
    private var optional: Payload?
    private var payloads: [Payload] = [
        .also, .number(0x7fff_1234_5678), .text("a text that is longer than fifteen bytes"),
    ]

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        let made: Payload =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: .one(other)
            case 1: .counted(other, 7)
            case 2: .maybe(other)
            case 3: .many([other])
            case 4: .nested(.nested(.nothing, other), self.makeSpare(random.next()))
            case 5: .function { other.number }
            case 6: .either(.success(other))
            default: .either(.failure(FuzzError(held: other)))
            }
        if case .nothing = payload {
            payload = made
        } else if optional == nil {
            optional = made
        } else {
            payloads.append(made)
        }
    }

    private func makeSpare(_ bits: UInt64) -> FuzzNode { FieldNode(-1 - Int(bits >> 2)) }

    override func clear() { (payload, optional, payloads) = (.nothing, nil, []) }
}

protocol Marked { var mark: Int { get } }

final class ExistentialNode: FuzzNode, @unchecked Sendable {
    struct Small: Marked {
        var held: FuzzNode
        var mark: Int { held.number }
    }
    struct Large: Marked {
        var held: FuzzNode
        var words = (1, 2, 3, 4)
        var mark: Int { held.number }
    }
    struct Fault: Error {
        var held: FuzzNode
        var text = "fault"
    }
    private var marked: (any Marked)?
    private var anything: [Any] = []
    private var error: (any Error)?
    private var hashed: AnyHashable = 0

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where marked == nil: marked = Small(held: other)
        case 1 where marked == nil: marked = Large(held: other)
        case 2 where error == nil: error = Fault(held: other)
        case 3: anything.append(Large(held: other))
        default: anything.append(other)
        }
    }

    override func clear() { (marked, anything, error) = (nil, [], nil) }
}

/// Weak and unowned references next to a strong one.
final class ReferenceNode: FuzzNode, @unchecked Sendable {
    private weak var weakly: FuzzNode?
    private unowned(unsafe) var unsafely: FuzzNode?
    private var unowning: [Unowning] = []
    private var strongly: [FuzzNode] = []
    struct Unowning { unowned let held: FuzzNode }

    override func hold(_ other: FuzzNode, _ random: inout SeededGenerator) {
        strongly.append(other)
        if Bool.random(using: &random) { weakly = other } else { unowning.append(Unowning(held: other)) }
        unsafely = other
    }

    /// Refers to another node without retaining it.
    func point(at other: FuzzNode) {
        weakly = other
        unsafely = other
    }

    override func clear() { (strongly, weakly, unsafely, unowning) = ([], nil, nil, []) }
}
