import Dispatch

/// A random graph of objects, with its known properties.
struct FuzzGraph {
    /// The numbers of the nodes.
    let numbers: Range<Int>
    /// The nodes that each holder holds.
    private(set) var edges: [Int: [Int]] = [:]
    /// The nodes that are held from outside: by the global, and by local variables.
    private(set) var globals: Set<Int> = []
    private(set) var locals: Set<Int> = []
    /// The nodes that waiting tasks hold.
    private(set) var inTasks: Set<Int> = []
    private var tasks: [FuzzTask] = []
    /// The address of each node.
    private(set) var addresses: [Int: UInt] = [:]

    /// The objects that a global holds.
    nonisolated(unsafe) static var held: [FuzzNode] = []

    /// Makes the objects and releases them, except for the objects that are held from outside. Appends the objects for
    /// local variables to `kept`.
    @inline(never)
    init(from first: Int, _ random: inout SeededGenerator, locals kept: inout [FuzzNode]) {
        numbers = first..<first + Int.random(in: 1...24, using: &random)
        let nodes = numbers.map { FuzzNode.kinds.randomElement(using: &random)!.init($0) }
        for node in nodes { addresses[node.number] = UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque()) }
        for _ in 0..<Int.random(in: 0...nodes.count * 2, using: &random) {
            let holder = nodes.randomElement(using: &random)!
            let held = nodes.randomElement(using: &random)!
            if let pointing = holder as? ReferenceNode, Int.random(in: 0..<4, using: &random) == 0 {
                pointing.point(at: held)
            } else {
                holder.hold(held, &random)
                edges[holder.number, default: []].append(held.number)
            }
        }
        for node in nodes where Int.random(in: 0..<20, using: &random) == 0 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                Self.held.append(node)
                globals.insert(node.number)
            case 2, 3:
                kept.append(node)
                locals.insert(node.number)
            default:
                tasks.append(FuzzTask(holding: node))
                inTasks.insert(node.number)
            }
        }
    }

    /// Returns all nodes that the given nodes hold, including the given nodes.
    func reachable(from nodes: Set<Int>) -> Set<Int> {
        var seen = nodes
        var queue = Array(nodes)
        while let node = queue.popLast() {
            for held in edges[node] ?? [] where seen.insert(held).inserted { queue.append(held) }
        }
        return seen
    }

    /// The nodes that hold themselves, directly or through other nodes.
    var onCycles: Set<Int> { Set(numbers.filter { reachable(from: Set(edges[$0] ?? [])).contains($0) }) }

    /// All nodes that are held from outside.
    var held: Set<Int> { reachable(from: globals.union(locals).union(inTasks)) }

    /// The nodes that are still alive: held from outside or by a cycle.
    var alive: Set<Int> { held.union(reachable(from: onCycles)) }

    /// Releases all nodes.
    @inline(never)
    func clear() {
        let nodes = numbers.filter { FuzzNode.alive.contains($0) }.map { number in
            // Unsafe: the object is alive and doesn't move.
            Unmanaged<FuzzNode>.fromOpaque(UnsafeRawPointer(bitPattern: addresses[number]!)!).takeUnretainedValue()
        }
        // Not earlier: a task releases its object some time after it has ended, on its own thread.
        for task in tasks { task.end() }
        for node in nodes { node.clear() }
    }
}

/// A task that holds an object until it is asked to end.
// @unchecked: the continuation is written before `arrived` is signalled, and read after a wait for `arrived`.
final class FuzzTask: @unchecked Sendable {
    private let arrived = DispatchSemaphore(value: 0), over = DispatchSemaphore(value: 0)
    private var continuation: UnsafeContinuation<Void, Never>?

    /// Returns once the task waits.
    init(holding node: FuzzNode) {
        Task.detached { [self] in
            await withUnsafeContinuation { continuation in
                self.continuation = continuation
                arrived.signal()
            }
            precondition(node.number != Int.min)
            over.signal()
        }
        arrived.wait()
    }

    func end() {
        continuation?.resume()
        over.wait()
    }
}

/// SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators (2014), figure 16.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
