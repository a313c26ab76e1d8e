import DisposeRaceBenchmarks
import Rx
import Synchronization

/// A handwritten `SerialDisposable`.
final class PlaceByHand: DisposablePlace, @unchecked Sendable {
    // @unchecked: the mutable state is guarded by `lock`.
    private let lock = Bolt()
    private let looksFirst: Bool
    private let pause: Pause
    private var held: (any Disposable)?
    private var isDisposed = false

    /// - Parameter looksFirst: whether the setter checks for disposal and stores the value in two separate steps.
    init(looksFirst: Bool, _ pause: Pause) {
        self.looksFirst = looksFirst
        self.pause = pause
    }

    var disposable: any Disposable {
        get { lock.withLock { held } ?? Disposables.create() }
        set {
            let wasDisposed = lock.withLock { isDisposed }
            pause.step()
            let released: (any Disposable)? = lock.withLock {
                if looksFirst ? wasDisposed : isDisposed { return newValue }
                defer { held = newValue }
                return held
            }
            released?.dispose()
        }
    }

    func dispose() {
        let released = lock.withLock {
            isDisposed = true
            defer { held = nil }
            return held
        }
        released?.dispose()
    }
}

/// A continuation that is resumed by the first of an event and a cancellation.
final class WaiterByHand: Sendable {
    private let looksFirst: Bool
    private let pause: Pause
    private let isResumed = Atomic<Bool>(false)
    private let count = Atomic<Int>(0)

    /// - Parameter looksFirst: whether `resume()` checks the flag and sets it in two separate steps.
    init(looksFirst: Bool, _ pause: Pause) {
        self.looksFirst = looksFirst
        self.pause = pause
    }

    var resumptions: Int { count.load(ordering: .relaxed) }

    func resume() {
        var wasResumed = isResumed.load(ordering: .relaxed)
        pause.step()
        let before = isResumed.exchange(true, ordering: .relaxed)
        if !looksFirst { wasResumed = before }
        if !wasResumed { count.add(1, ordering: .relaxed) }
    }
}

/// A lock-free stack of free nodes.
final class NodePool: Sendable {
    /// The upper half counts the changes. The lower half is the index of the first node plus one.
    private let head: Atomic<UInt64>
    private let next: [Link]
    private let countsChanges: Bool
    private let pause: Pause

    private final class Link: Sendable {
        let node = Atomic<UInt64>(0)
    }

    /// - Parameter countsChanges: whether an exchange fails if the head has changed and changed back since it was read.
    init(nodes: Int, countsChanges: Bool, _ pause: Pause) {
        self.countsChanges = countsChanges
        self.pause = pause
        next = (0..<nodes).map { _ in Link() }
        head = Atomic(1)
        for node in 0..<nodes - 1 { next[node].node.store(UInt64(node) + 2, ordering: .relaxed) }
    }

    /// Takes the first free node, if there is one.
    func take() -> Int? {
        while true {
            // Acquiring: a thread that reads the head also sees the links of its node.
            let seen = head.load(ordering: .acquiring)
            guard let node = node(seen) else { return nil }
            let following = next[node].node.load(ordering: .relaxed)
            pause.step()
            if replace(seen, by: following) { return node }
        }
    }

    /// Puts a node back.
    func give(_ node: Int) {
        while true {
            let seen = head.load(ordering: .acquiring)
            next[node].node.store(seen & UInt64(UInt32.max), ordering: .relaxed)
            if replace(seen, by: UInt64(node) + 1) { return }
        }
    }

    private func node(_ head: UInt64) -> Int? {
        let number = Int(head & UInt64(UInt32.max))
        return number == 0 ? nil : number - 1
    }

    private func replace(_ seen: UInt64, by node: UInt64) -> Bool {
        let changes = countsChanges ? (seen >> 32 &+ 1) << 32 : 0
        // Releasing: a thread that reads the new head also sees the links of its node.
        return head.compareExchange(expected: seen, desired: changes | node, ordering: .acquiringAndReleasing).exchanged
    }
}
