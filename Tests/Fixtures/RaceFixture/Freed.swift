import RxBenchRaces
import Synchronization

private struct Node {
    var value: Int
    var next: UnsafeMutablePointer<Node>?
}

/// A Treiber stack. Unchecked: its nodes are raw memory.
private final class TreiberStack: @unchecked Sendable {
    private let head = Atomic<UnsafeMutablePointer<Node>?>(nil)
    private let popping = Mutex(())

    func push(_ value: Int) {
        let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
        node.initialize(to: Node(value: value, next: nil))
        while true {
            let old = head.load(ordering: .relaxed)
            node.pointee.next = old
            if head.compareExchange(expected: old, desired: node, ordering: .releasing).exchanged { return }
        }
    }

    // Reads a node that another pop may have freed.
    func popHastily() -> Int? {
        while true {
            guard let node = head.load(ordering: .acquiring) else { return nil }
            let next = node.pointee.next
            if head.compareExchange(expected: node, desired: next, ordering: .acquiringAndReleasing).exchanged {
                let value = node.pointee.value
                node.deallocate()
                return value
            }
        }
    }

    // One pop at a time.
    func pop() -> Int? { popping.withLock { _ in popHastily() } }

    deinit { while popHastily() != nil {} }
}

/// A stack of objects with manual reference counting.
private final class ObjectStack: @unchecked Sendable {
    final class Link {
        let value: Int
        var next: UnsafeMutableRawPointer?
        init(_ value: Int) { self.value = value }
    }

    private let head = Atomic<UnsafeMutableRawPointer?>(nil)
    private let popping = Mutex(())

    func push(_ value: Int) {
        let link = Unmanaged.passRetained(Link(value))
        while true {
            let old = head.load(ordering: .relaxed)
            link._withUnsafeGuaranteedRef { $0.next = old }
            if head.compareExchange(expected: old, desired: link.toOpaque(), ordering: .releasing).exchanged { return }
        }
    }

    func popHastily() -> Int? {
        while true {
            guard let pointer = head.load(ordering: .acquiring) else { return nil }
            let link = Unmanaged<Link>.fromOpaque(pointer)
            // Doesn't retain the link.
            let next = link._withUnsafeGuaranteedRef { $0.next }
            if head.compareExchange(expected: pointer, desired: next, ordering: .acquiringAndReleasing).exchanged {
                return link.takeRetainedValue().value
            }
        }
    }

    func pop() -> Int? { popping.withLock { _ in popHastily() } }

    deinit { while popHastily() != nil {} }
}

/// A block whose address another actor has.
private final class Lent: @unchecked Sendable {
    let block = UnsafeMutablePointer<Int>.allocate(capacity: 4)
    let isRead = Atomic<Bool>(false)
    init() { block.initialize(repeating: 1, count: 4) }
}

private func stack() -> TreiberStack {
    let stack = TreiberStack()
    stack.push(1)
    stack.push(2)
    return stack
}

private func links() -> ObjectStack {
    let stack = ObjectStack()
    stack.push(1)
    stack.push(2)
    return stack
}

/// Memory that is freed while another actor may still use it.
let freedMemory: [Race] = [
    race("planted/freed/stack", stack, [{ _ = $0.popHastily() }, { _ = $0.popHastily() }]),
    race("clean/freed/stack", stack, [{ _ = $0.pop() }, { _ = $0.pop() }]),
    program("planted/freed/objects", links, { keep($0.popHastily()) }, { keep($0.popHastily()) }),
    program("clean/freed/objects", links, { keep($0.pop()) }, { keep($0.pop()) }),
    // A relaxed flag orders nothing, and freeing memory counts as a write.
    race(
        "planted/freed/relaxed", { Lent() },
        [
            { state in
                state.block[3] += 1
                state.isRead.store(true, ordering: .relaxed)
            },
            { state in
                while !state.isRead.load(ordering: .relaxed) {}
                state.block.deallocate()
            },
        ]),
    race(
        "clean/freed/relaxed", { Lent() },
        [
            { state in
                state.block[3] += 1
                state.isRead.store(true, ordering: .releasing)
            },
            { state in
                while !state.isRead.load(ordering: .acquiring) {}
                state.block.deallocate()
            },
        ]),
]
