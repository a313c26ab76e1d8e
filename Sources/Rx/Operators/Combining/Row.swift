/// What `combineLatest` and `zip` know of their sources: for each what it has sent, and how many are still waited for.
@usableFromInline
struct Row<Values> {
    /// A place for each source: its latest element, or a queue of elements.
    @usableFromInline var values: Values
    /// How many places are empty. At none, a result is formed.
    @usableFromInline var missing: Int
    /// How many sources have not completed.
    @usableFromInline var open: Int
    /// Whether an element that can never meet the others completes the sequence.
    @usableFromInline let endsEarly: Bool

    @inlinable
    init(_ values: Values, count: Int, endsEarly: Bool) {
        self.values = values
        missing = count
        open = count
        self.endsEarly = endsEarly
    }
}

/// One source of a row, and what happens to its elements.
@usableFromInline
struct Column {
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next

    @inlinable
    init(source: ObservableBase, next: @escaping Sink.Next) {
        self.source = source
        self.next = next
    }
}

extension ObservableType {
    /// This sequence as one source of a row.
    ///
    /// - Parameters:
    ///   - store: puts an element into its place; `true` if the place was empty.
    ///   - select: forms a result from a row without empty places.
    @inlinable @inline(__always)
    func column<Values, Result>(
        _ store: @escaping (inout Values, Element) -> Bool, _ select: @escaping (StatefulJoint<Row<Values>>) throws -> Result
    ) -> Column {
        Column(source: asObservable()) { address, sink in
            sink.receive(address) { (input: Input, element: inout Element) in
                let row = input.joint(of: Row<Values>.self)
                row.combine({ store(&$0, element) }, select)
            }
        }
    }

    /// The sequence of what the columns of a row form together.
    @inlinable
    static func combining<Values>(_ row: @escaping @autoclosure () -> Row<Values>, _ columns: [Column]) -> Observable<Element> {
        Observable.joint(state: row()) { row in
            if columns.isEmpty { return row.complete() }
            for (index, column) in columns.enumerated() where !row.isStopped {
                row.subscribe(column.source, through: Input(next: column.next, joint: row, index: index) { input, error in
                    input.joint(of: Row<Values>.self).columnEnded(error)
                })
            }
        }
    }
}

extension StatefulJoint {
    /// Takes up an element of one source, and delivers a result if that leaves no place empty: one decision, under `serial`.
    @inlinable @inline(__always)
    func combine<Values, Result>(_ store: (inout Values) -> Bool, _ select: (StatefulJoint) throws -> Result) where State == Row<Values> {
        serial.lock()
        if store(&state.values) { state.missing &-= 1 }
        if isFinished || state.missing > 0 { return combineLater() }
        do {
            var result = try select(self)
            down.emit(&result)
            serial.unlock()
        } catch {
            serial.unlock()
            fail(error)
        }
    }

    /// Leaves `serial` without a result, for good if no other source can fill its place any more.
    @inlinable @inline(never)
    func combineLater<Values>() where State == Row<Values> {
        let isLast = state.endsEarly && state.open == 1
        serial.unlock()
        if isLast { complete() }
    }

    /// Moves an element out of a queue of the row.
    @inlinable @inline(__always)
    func take<Values, Value>(_ popFirst: (inout Values) -> (value: Value?, isEmpty: Bool)) -> Value where State == Row<Values> {
        let (value, isEmpty) = popFirst(&state.values)
        if isEmpty { state.missing &+= 1 }
        return value.unsafelyUnwrapped
    }

    @inlinable
    func columnEnded<Values>(_ error: (any Error)?) where State == Row<Values> {
        if let error { return fail(error) }
        let isLast = serial.withLock {
            state.open -= 1
            return state.open == 0
        }
        if isLast { complete() }
    }
}

extension Optional {
    /// Sets the value; `true` if there was none.
    @inlinable @inline(__always)
    mutating func fill(_ value: Wrapped) -> Bool {
        defer { self = value }
        if case .none = self { return true }
        return false
    }
}

extension Fifo {
    /// Appends an element; `true` if it is the only one.
    @inlinable @inline(__always)
    mutating func add(_ element: Element) -> Bool {
        append(element)
        return count == 1
    }

    /// Removes the first element, and tells whether it was the last.
    @inlinable @inline(__always)
    mutating func take() -> (value: Element?, isEmpty: Bool) {
        let element = popFirst()
        return (element, count == 0)
    }
}
