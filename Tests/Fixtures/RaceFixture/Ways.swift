import Foundation
import RxBenchRaces

// Data races on values of each kind, for each way in which a program reads and writes a variable.

/// A variable, with a way to read it and a way to write it.
private protocol Place<Value>: AnyObject {
    associatedtype Value
    func write(_ value: Value)
    func read() -> Value
}

/// Unchecked, like all types below: the races are the point.
private final class Observed<Value>: Place, @unchecked Sendable {
    private var value: Value { didSet { keep(oldValue) } }
    init(_ value: Value) { self.value = value }
    func write(_ value: Value) { self.value = value }
    func read() -> Value { value }
}

private final class Announced<Value>: Place, @unchecked Sendable {
    private var value: Value { willSet { keep(newValue) } }
    init(_ value: Value) { self.value = value }
    func write(_ value: Value) { self.value = value }
    func read() -> Value { value }
}

private final class Lazy<Value>: Place, @unchecked Sendable {
    private let first: Value
    private lazy var value: Value = first
    init(_ value: Value) { first = value }
    func write(_ value: Value) { self.value = value }
    func read() -> Value { value }
}

@propertyWrapper private struct Wrapper<Value> {
    var wrappedValue: Value
}

/// A wrapper that keeps its value in an object.
@propertyWrapper private struct Boxed<Value> {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let storage: Storage
    init(wrappedValue: Value) { storage = Storage(wrappedValue) }
    var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }
}

private final class Wrapped<Value>: Place, @unchecked Sendable {
    @Wrapper private var value: Value
    init(_ value: Value) { _value = Wrapper(wrappedValue: value) }
    func write(_ value: Value) { self.value = value }
    func read() -> Value { value }
}

private final class WrappedInBox<Value>: Place, @unchecked Sendable {
    @Boxed private var value: Value
    init(_ value: Value) { _value = Boxed(wrappedValue: value) }
    func write(_ value: Value) { self.value = value }
    func read() -> Value { value }
}

/// A local variable that two closures share.
private final class Captured<Value>: Place, @unchecked Sendable {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(_ value: Value) {
        var value = value
        get = { value }
        set = { value = $0 }
    }

    func write(_ value: Value) { set(value) }
    func read() -> Value { get() }
}

private struct Pair<Value> {
    var first, second: Value
}

/// A field of a struct in a field, through key paths.
private final class ByKeyPath<Value>: Place, @unchecked Sendable {
    private var pair: Pair<Value>
    private let path: WritableKeyPath<Pair<Value>, Value>

    init(_ value: Value) {
        pair = Pair(first: value, second: value)
        path = \.second
    }

    func write(_ value: Value) { pair[keyPath: path] = value }
    func read() -> Value { pair[keyPath: path] }
}

private final class ByReference<Value>: Place, @unchecked Sendable {
    private var value: Value
    private var second: Value
    init(_ value: Value) { (self.value, second) = (value, value) }

    func write(_ value: Value) {
        second = value
        replace(&self.value, by: value)
    }

    func read() -> Value { value }
    @inline(never) private func replace(_ place: inout Value, by value: Value) { place = value }
}

private final class Swapped<Value>: Place, @unchecked Sendable {
    private var value: Value
    init(_ value: Value) { self.value = value }

    func write(_ value: Value) {
        var other = value
        swap(&self.value, &other)
        keep(other)
    }

    func read() -> Value { value }
}

private final class Consumed<Value>: Place, @unchecked Sendable {
    private var value: Value
    init(_ value: Value) { self.value = value }
    func write(_ value: consuming Value) { self.value = value }
    func read() -> Value { pass(value) }
    @inline(never) private func pass(_ value: consuming Value) -> Value { value }
}

/// An optional variable, which a write sets to `nil`.
private final class Emptied<Value>: Place, @unchecked Sendable {
    private let first: Value
    private var value: Value?
    init(_ value: Value) { (first, self.value) = (value, value) }
    func write(_ value: Value) { self.value = nil }
    func read() -> Value { value ?? first }
}

/// An element of an array in a field.
private final class Element<Value>: Place, @unchecked Sendable {
    private var values: [Value]
    init(_ value: Value) { values = [value, value] }
    func write(_ value: Value) { values[1] = value }
    func read() -> Value { values[1] }
}

private final class Modified<Value>: Place, @unchecked Sendable {
    private var stored: Value
    private var value: Value {
        get { stored }
        _modify { yield &stored }
    }
    init(_ value: Value) { stored = value }
    func write(_ value: Value) { self.value = value }
    func read() -> Value { value }
}

/// A field of a superclass, through a method that is overridden.
private class Base<Value>: Place, @unchecked Sendable {
    fileprivate var value: Value
    init(_ value: Value) { self.value = value }
    func write(_ value: Value) { fatalError("A subclass writes.") }
    func read() -> Value { value }
}

private final class Inherited<Value>: Base<Value>, @unchecked Sendable {
    override func write(_ value: Value) { self.value = value }
}

private final class LockedPlace<Value>: @unchecked Sendable {
    let place: any Place<Value>
    let lock = NSLock()
    init(_ place: any Place<Value>) { self.place = place }
}

/// Unchecked: it holds only the place.
private struct Shared<Value>: @unchecked Sendable { let place: any Place<Value> }

private func ways<Value>(
    _ kind: String, _ first: @escaping @Sendable () -> Value, _ second: @escaping @Sendable () -> Value
) -> [Race] {
    let makers: [(String, @Sendable () -> any Place<Value>)] = [
        ("observed", { Observed(first()) }), ("announced", { Announced(first()) }), ("lazy", { Lazy(first()) }),
        ("wrapped", { Wrapped(first()) }), ("wrapped-in-box", { WrappedInBox(first()) }),
        ("captured", { Captured(first()) }), ("key-path", { ByKeyPath(first()) }),
        ("inout", { ByReference(first()) }), ("swapped", { Swapped(first()) }), ("consumed", { Consumed(first()) }),
        ("emptied", { Emptied(first()) }), ("element", { Element(first()) }), ("modified", { Modified(first()) }),
        ("inherited", { Inherited(first()) }),
    ]
    return makers.flatMap { way, make in
        [
            program(
                "planted/way/\(way)/\(kind)", { Shared(place: make()) }, { $0.place.write(second()) },
                { keep($0.place.read()) }),
            program(
                "clean/way/\(way)/\(kind)", { LockedPlace(make()) },
                { state in state.lock.withLock { state.place.write(second()) } },
                { state in state.lock.withLock { keep(state.place.read()) } }),
        ]
    }
}

let waysOfRaces: [Race] =
    ways("int", { 1 }, { 2 }) + ways("string", { "a" }, { String(repeating: "b", count: 40) })
    + ways("object", { Dog() }, { Dog() }) + ways("existential", { Dog() as any Animal }, { Big() as any Animal })
    + ways("optional", { Dog() as (any Animal)? }, { Big() as (any Animal)? })
    + ways("any", { 1 as Any }, { "x" as Any })
    + ways("choice", { Choice.none }, { Choice.text("x") }) + ways("closure", { { 1 } }, { { 2 } })
    + ways("array", { [1] }, { [2, 3] })
