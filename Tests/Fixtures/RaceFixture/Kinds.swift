import Foundation
import RxBenchRaces
import Synchronization

// Data races whose accesses the runtime makes, or that only the instrumentation of exclusivity checks shows: by the
// kind of value, and by the way the value is reached.

protocol Animal { var legs: Int { get } }
final class Dog: Animal { let legs = 4 }
struct Big: Animal {
    var first = 1, second = 2, third = 3, fourth = 4
    var legs: Int { first }
}
enum Choice { case none, text(String), dog(Dog), big(Big) }

protocol Store<Value>: AnyObject, Sendable {
    associatedtype Value
    var value: Value { get set }
}

/// Unchecked, like all types below: the races are the point.
private final class Box<Value>: Store, @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}

private final class Fields: @unchecked Sendable {
    var number = 0
    var animal: any Animal = Dog()
    var optional: (any Animal)? = Dog()
    var any: Any = 1
    var choice = Choice.none
    var big = Big()
    var closure: () -> Int = { 1 }
    var text = ""
    var table: [Int: String] = [:]
    weak var weakly: Dog?
    let dog = Dog()
    var observed = 0 { didSet { last = oldValue } }
    var last = 0
    lazy var slow: [Int] = Array(0..<number)
    @Wrapped var wrapped = "first"
    var second: any Animal = Dog()

    init() { weakly = dog }
}

@propertyWrapper private struct Wrapped<Value> {
    private var stored: Value
    init(wrappedValue: Value) { stored = wrappedValue }
    var wrappedValue: Value {
        get { stored }
        set { stored = newValue }
    }
}

@inline(never) @_optimize(none) private func readGeneric<Value>(_ box: Box<Value>) -> Value { box.value }
@inline(never) @_optimize(none) private func writeGeneric<Value>(_ box: Box<Value>, _ value: Value) {
    box.value = value
}
@inline(never) @_optimize(none) private func readStore<Some: Store>(_ store: Some) -> Some.Value { store.value }
@inline(never) @_optimize(none) private func writeStore<Some: Store>(_ store: Some, _ value: Some.Value) {
    store.value = value
}
@inline(never) private func change<Value>(_ place: inout Value, _ value: Value) { place = value }
@inline(never) private func take(_ animal: consuming any Animal) { keep(animal.legs) }

private func generic<Value>(
    _ name: String, _ first: @escaping @Sendable () -> Value, _ second: @escaping @Sendable () -> Value
) -> [Race] {
    [
        program(
            "planted/kind/\(name)", { Box(first()) }, { writeGeneric($0, second()) }, { keep(readGeneric($0)) }),
        program(
            "clean/kind/\(name)", { Locked(Box(first()), NSLock()) },
            { state in state.lock.withLock { writeGeneric(state.memory, second()) } },
            { state in state.lock.withLock { keep(readGeneric(state.memory)) } }),
        program(
            "planted/kind/\(name)/protocol", { Box(first()) }, { writeStore($0, second()) }, { keep(readStore($0)) }),
        program(
            "clean/kind/\(name)/protocol", { Locked(Box(first()), NSLock()) },
            { state in state.lock.withLock { writeStore(state.memory, second()) } },
            { state in state.lock.withLock { keep(readStore(state.memory)) } }),
    ]
}

private final class Locked<Memory>: @unchecked Sendable {
    let memory: Memory
    let lock: NSLock
    init(_ memory: Memory, _ lock: NSLock) {
        self.memory = memory
        self.lock = lock
    }
}

private func field(
    _ name: String, _ write: @escaping @Sendable (Fields) -> Void, _ read: @escaping @Sendable (Fields) -> Void
) -> [Race] {
    [
        program("planted/field/\(name)", { Fields() }, write, read),
        program(
            "clean/field/\(name)", { Locked(Fields(), NSLock()) },
            { state in state.lock.withLock { write(state.memory) } },
            { state in state.lock.withLock { read(state.memory) } }),
    ]
}

private let kindsOfValues: [Race] =
    generic("int", { 1 }, { 2 }) + generic("string", { "a" }, { String(repeating: "b", count: 40) })
    + generic("object", { Dog() }, { Dog() })
    + generic("existential", { Dog() as any Animal }, { Big() as any Animal })
    + generic("optional", { Int?.none }, { 3 }) + generic("array", { [1] }, { [2, 3] })
    + generic("choice", { Choice.none }, { Choice.text("x") }) + generic("tuple", { (1, "a") }, { (2, "b") })

private let kindsOfFields: [Race] =
    field("int", { $0.number = 1 }, { keep($0.number) })
    + field("existential", { $0.animal = Big() }, { keep($0.animal) })
    + field("existential-legs", { $0.animal = Big() }, { keep($0.animal.legs) })
    + field("optional", { $0.optional = nil }, { keep($0.optional) })
    + field("optional-legs", { $0.optional = nil }, { keep($0.optional?.legs) })
    + field("any", { $0.any = "x" }, { keep($0.any) })
    + field("choice", { $0.choice = .text("x") }, { keep($0.choice) })
    + field("struct", { $0.big = Big(first: 7) }, { keep($0.big) })
    + field("struct-part", { $0.big.third = 7 }, { keep($0.big.third) })
    + field("closure", { $0.closure = { 2 } }, { keep($0.closure()) })
    + field("string", { $0.text = "x" }, { keep($0.text) })
    + field("table", { $0.table[1] = "x" }, { keep($0.table[1]) })
    + field("weak", { $0.weakly = nil }, { keep($0.weakly) })
    + field("weak-both", { $0.weakly = $0.dog }, { $0.weakly = nil })
    + field("observed", { $0.observed = 1 }, { keep($0.last) })
    + field("lazy", { keep($0.slow.count) }, { keep($0.slow.count) })
    + field("wrapped", { $0.wrapped = "x" }, { keep($0.wrapped) })
    + field("inout", { change(&$0.animal, Big()) }, { keep($0.animal) })
    + field("consuming", { $0.animal = Big() }, { take($0.animal) })
    + field("key-path", { $0[keyPath: \.animal] = Big() }, { keep($0[keyPath: \.animal]) })
    + field("key-path-part", { $0[keyPath: \.big.second] = 3 }, { keep($0[keyPath: \.big]) })
    + field("swap", { swap(&$0.animal, &$0.second) }, { keep($0.second) })

/// Variables that closures share, and global variables.
private final class Closures: @unchecked Sendable {
    let write: () -> Void
    let read: () -> Void

    init(isGuarded: Bool) {
        var animal: any Animal = Dog()
        let lock = NSLock()
        func ordered(_ body: () -> Void) { isGuarded ? lock.withLock(body) : body() }
        write = { ordered { animal = Big() } }
        read = { ordered { keep(animal.legs) } }
    }
}

nonisolated(unsafe) private var shared: (any Animal)?

private let kindsOfPlaces: [Race] = [
    program("planted/place/captured", { Closures(isGuarded: false) }, { $0.write() }, { $0.read() }),
    program("clean/place/captured", { Closures(isGuarded: true) }, { $0.write() }, { $0.read() }),
    program("planted/place/global", { NSLock() }, { _ in shared = Dog() }, { _ in keep(shared?.legs) }),
    program(
        "clean/place/global", { NSLock() }, { lock in lock.withLock { shared = Dog() } },
        { lock in lock.withLock { keep(shared?.legs) } }),
    program("clean/place/two-fields", { Fields() }, { $0.animal = Big() }, { $0.second = Big() }),
    program("clean/place/two-generic-fields", { Two(1) }, { $0.setFirst(2) }, { $0.setSecond(3) }),
    program("clean/place/constant", { Fields() }, { keep($0.dog.legs) }, { keep($0.dog.legs) }),
    program("clean/place/two-reads", { Fields() }, { keep($0.animal.legs) }, { keep($0.animal.legs) }),
    program("planted/place/stack", { Escaped() }, { $0.escape(waiting: false) }, { $0.use() }),
    program("clean/place/stack", { Escaped() }, { $0.escape(waiting: true) }, { $0.use() }),
    program("planted/place/shared-stack", { Box(0) }, { $0.perform(locked: false) }, { _ in }),
    program("clean/place/shared-stack", { Box(0) }, { $0.perform(locked: true) }, { _ in }),
]

/// A pointer to a local variable, which may outlive it. Unchecked: pointers are not sendable.
private final class Escaped: @unchecked Sendable {
    private let pointer = Atomic<UnsafeMutablePointer<Int>?>(nil)
    private let isUsed = DispatchSemaphore(value: 0)

    func escape(waiting: Bool) {
        var local = 1
        withUnsafeMutablePointer(to: &local) {
            pointer.store($0, ordering: .releasing)
            if waiting { isUsed.wait() }
        }
        keep(local)
    }

    func use() {
        while pointer.load(ordering: .acquiring) == nil {}
        pointer.load(ordering: .acquiring)?.pointee = 2
        isUsed.signal()
    }
}

private final class Two<Value>: @unchecked Sendable {
    var first, second: Value
    init(_ value: Value) { (first, second) = (value, value) }
    @_optimize(none) func setFirst(_ value: Value) { first = value }
    @_optimize(none) func setSecond(_ value: Value) { second = value }
}

extension Box<Int> {
    fileprivate func perform(locked: Bool) {
        let lock = NSLock()
        nonisolated(unsafe) var local = 0
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            if locked { lock.lock() }
            local += 1
            if locked { lock.unlock() }
        }
        value = local
    }
}

/// Races on values, fields, and other places.
let kindsOfRaces: [Race] = kindsOfValues + kindsOfFields + kindsOfPlaces
