import Foundation
import RxBenchRaces
import Synchronization

// Memory whose lifetime ends, or that is reused, while another actor may still hold its address.

/// An address that one actor gives and another takes. Unchecked: the memory at that address is the point.
private final class Address: @unchecked Sendable {
    let address = Atomic<UInt>(0)
    let isDone = Atomic<Bool>(false)
    let result = Atomic<Int>(0)

    func give(_ pointer: UnsafeMutableRawPointer) {
        address.store(UInt(bitPattern: pointer), ordering: .releasing)
    }

    /// Reads the memory at the address, if an address was given.
    func take() {
        let bits = address.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
        result.store(pointer.load(as: Int.self), ordering: .relaxed)
        address.store(0, ordering: .relaxed)
        isDone.store(true, ordering: .releasing)
    }

    func awaitTaken() { while !isDone.load(ordering: .acquiring) {} }
}

extension Address {
    /// Memory from `malloc`, which `realloc` moves.
    func reallocate(waiting: Bool) {
        guard let block = malloc(16) else { return }
        block.storeBytes(of: 7, as: Int.self)
        give(block)
        if waiting { awaitTaken() }
        free(realloc(block, 64))
    }

    /// The elements of an array whose lifetime ends.
    func lendArray(waiting: Bool) {
        var array = [1, 2, 3, 4]
        array.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { give(base) }
        }
        if waiting { awaitTaken() }
    }

    /// The stored property of an object whose lifetime ends.
    func lendObject(waiting: Bool) {
        let object = PlainMemory()
        give(Unmanaged.passUnretained(object).toOpaque().advanced(by: 16))
        if waiting { awaitTaken() }
        withExtendedLifetime(object) {}
    }

    /// A temporary allocation.
    func lendTemporary(waiting: Bool) {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 4096) { buffer in
            buffer.initialize(repeating: 7)
            if let base = buffer.baseAddress { give(UnsafeMutableRawPointer(base)) }
            if waiting { awaitTaken() }
        }
    }
}

/// An object that is reused instead of being freed.
private final class Recycler: @unchecked Sendable {
    private let free = Atomic<UnsafeMutablePointer<Int>?>(nil)
    private let block = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init() { block.initialize(to: 0) }
    deinit { block.deallocate() }

    func giveBack(hastily: Bool) {
        if hastily { free.store(block, ordering: .relaxed) }
        block.pointee += 1
        if !hastily { free.store(block, ordering: .releasing) }
    }

    func use() { free.load(ordering: .acquiring)?.pointee += 1 }
}

/// A weak and an unowned reference. The object that holds them, or the object they refer to, may be released.
private final class Referring: @unchecked Sendable {
    final class Target: Sendable { let uses = Atomic<Int>(0) }
    final class Holder: @unchecked Sendable {
        weak var weakly: Target?
        unowned let unowned: Target
        init(_ target: Target) {
            weakly = target
            unowned = target
        }
    }

    let target: Mutex<Target?>
    let holder: Mutex<Holder?>

    init() {
        let made = Target()
        target = Mutex(made)
        holder = Mutex(Holder(made))
    }

    func useUnowned() {
        let held = holder.withLock { $0 }
        held?.unowned.uses.wrappingAdd(1, ordering: .relaxed)
    }

    func useUnownedWhileHeld() {
        let kept = target.withLock { $0 }
        if kept != nil { useUnowned() }
    }

    func useWeak() { holder.withLock { $0 }?.weakly?.uses.wrappingAdd(1, ordering: .relaxed) }
    func dropTarget() { target.withLock { $0 = nil } }
    func dropHolder() { holder.withLock { $0 = nil } }
}

/// A weak variable in raw memory.
private final class WeakSlot: @unchecked Sendable {
    struct Slot { weak var object: PlainMemory? }
    let object = PlainMemory()
    let slot = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
    let lock = NSLock()

    init() { slot.initialize(to: Slot(object: object)) }
    deinit { slot.deallocate() }

    func end() { slot.deinitialize(count: 1) }
    func look() { keep(slot.pointee.object?.value) }
}

/// A list that one actor iterates over while another appends to it. Unchecked: the access to the list without the lock
/// is the point.
private final class Listeners: @unchecked Sendable {
    private let guarded = Mutex<[Int]>([1, 2])
    private var plain = [1, 2]
    let sum = Atomic<Int>(0)

    func walkCopy() { for each in guarded.withLock({ $0 }) { sum.wrappingAdd(each, ordering: .relaxed) } }
    func walk() { for each in plain { sum.wrappingAdd(each, ordering: .relaxed) } }
    func append(isGuarded: Bool) { if isGuarded { guarded.withLock { $0.append(3) } } else { plain.append(3) } }
}

let memoryPrograms: [Race] = [
    // After the copy is released, the list that was copied under the lock is changed in place.
    program(
        "clean/memory/copied-list", { Listeners() }, { $0.walkCopy() },
        { state in
            state.append(isGuarded: true)
            state.append(isGuarded: true)
        }),
    program("planted/memory/copied-list", { Listeners() }, { $0.walk() }, { $0.append(isGuarded: false) }),
    program("planted/memory/realloc", { Address() }, { $0.reallocate(waiting: false) }, { $0.take() }),
    program(
        "clean/memory/realloc", { Address() }, { $0.reallocate(waiting: true) },
        { state in while !state.isDone.load(ordering: .relaxed) { state.take() } }),
    program("planted/memory/array", { Address() }, { $0.lendArray(waiting: false) }, { $0.take() }),
    program(
        "clean/memory/array", { Address() }, { $0.lendArray(waiting: true) },
        { state in while !state.isDone.load(ordering: .relaxed) { state.take() } }),
    program("planted/memory/object", { Address() }, { $0.lendObject(waiting: false) }, { $0.take() }),
    program(
        "clean/memory/object", { Address() }, { $0.lendObject(waiting: true) },
        { state in while !state.isDone.load(ordering: .relaxed) { state.take() } }),
    program("planted/memory/temporary", { Address() }, { $0.lendTemporary(waiting: false) }, { $0.take() }),
    program(
        "clean/memory/temporary", { Address() }, { $0.lendTemporary(waiting: true) },
        { state in while !state.isDone.load(ordering: .relaxed) { state.take() } }),
    program("planted/memory/recycled", { Recycler() }, { $0.giveBack(hastily: true) }, { $0.use() }),
    program("clean/memory/recycled", { Recycler() }, { $0.giveBack(hastily: false) }, { $0.use() }),
    program("planted/memory/unowned", { Referring() }, { $0.useUnowned() }, { $0.dropTarget() }),
    program("clean/memory/unowned", { Referring() }, { $0.useUnownedWhileHeld() }, { $0.dropTarget() }),
    program("clean/memory/weak", { Referring() }, { $0.useWeak() }, { $0.dropTarget() }, { $0.dropHolder() }),
    program("planted/memory/weak-ended", { WeakSlot() }, { $0.look() }, { $0.end() }),
    program(
        "clean/memory/weak-ended", { WeakSlot() }, { state in state.lock.withLock { state.look() } },
        { state in state.lock.withLock { keep(state.object.value) } },
        finish: { state in
            state.end()
            return .acceptable("ended")
        }),
]
