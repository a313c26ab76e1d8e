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
    @usableFromInline let release: ColumnRelease

    @inlinable
    init(_ values: Values, count: Int, endsEarly: Bool, release: ColumnRelease = .first) {
        self.release = release
        self.values = values
        missing = count
        open = count
        self.endsEarly = endsEarly
    }
}

/// One source of a row, and what happens to its elements.
///
/// Written out where the operator is assembled, `next` around `combine`, so that what puts the element into its place
/// and what forms a result melt into `next`. Made by a function that is given the two, a column keeps them as closures
/// and calls them: 221 instructions an element and 19 ns in place of 86 and 10.
@usableFromInline
struct Column {
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next

    @inlinable @inline(__always)
    init(_ source: some ObservableType, next: @escaping Sink.Next) {
        self.source = source.asObservable()
        self.next = next
    }
}

extension Sink {
    /// Takes up an element of one source of a row, at whose input we are.
    ///
    /// - Parameters:
    ///   - store: puts the element into its place; `true` if the place was empty.
    ///   - select: forms a result from a row without empty places.
    @inlinable @inline(__always)
    final func combine<Values, Element, Result>(
        _ address: UnsafeMutableRawPointer, _ type: Element.Type,
        _ store: (inout Values, inout Element) -> Bool, _ select: (StatefulJoint<Row<Values>>) throws -> Result
    ) {
        receive(address) { (input: Input, element: inout Element) in
            input.withJoint { (row: StatefulJoint<Row<Values>>) in row.combine({ store(&$0, &element) }, select) }
        }
    }
}

extension ObservableType {
    /// The sequence of what the columns of a row form together.
    @inlinable @inline(__always)
    static func combining<Values>(
        named name: StaticString = #function, _ row: @escaping @autoclosure () -> Row<Values>, _ columns: [Column]
    ) -> Observable<Element> {
        Observable.joint(state: row(), named: name, feeds: columns.map(\.source)) { row in
            if columns.isEmpty { return row.complete() }
            for (index, column) in columns.enumerated() where !row.isStopped {
                row.subscribe(
                    column.source,
                    through: Input(next: column.next, joint: row, index: index) { input, error in
                        let row = input.joint(of: Row<Values>.self)
                        if row.state.release.comesFirst(error) { input.releaseUpstream() }
                        row.columnEnded(error)
                    })
            }
        }
    }
}

/// When a source that has ended is released: the order that users of the forms with a source each, and of those with a
/// collection, are used to.
@usableFromInline
enum ColumnRelease {
    /// Before anybody hears of its end.
    case first
    /// Before anybody hears of its completion, but after its error was told.
    case firstIfCompleted
    /// Once its end was told.
    case last

    @usableFromInline
    func comesFirst(_ error: (any Error)?) -> Bool { self == .first || self == .firstIfCompleted && error == nil }
}

extension StatefulJoint {
    /// Takes up an element of one source, and delivers a result if that leaves no place empty: one decision, under
    /// `serial`.
    @inlinable @inline(__always)
    func combine<Values, Result>(_ store: (inout Values) -> Bool, _ select: (StatefulJoint) throws -> Result)
    where State == Row<Values> {
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
    func take<Values, Value>(_ take: (inout Values) -> (value: Value, isLast: Bool)) -> Value
    where State == Row<Values> {
        let (value, isLast) = take(&state.values)
        if isLast { state.missing &+= 1 }
        return value
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
    /// Puts a value in; `true` if there was none. What was there takes the value's place: see `exchange`.
    @inlinable @inline(__always)
    mutating func fill(_ value: inout Wrapped) -> Bool {
        let wasEmpty = if case .none = self { true } else { false }
        exchange(&value)
        return wasEmpty
    }
}

/// The elements of one source that wait for their partners.
///
/// The first one has a place of its own: where sources keep pace with each other, the queue behind it is never used
/// (110 instructions an element; 160 where one source is ahead).
@usableFromInline
struct Waiting<Element> {
    @usableFromInline var first: Element?
    @usableFromInline var others = Fifo<Element>()

    @inlinable init() {}

    /// Appends an element; `true` if it is the only one.
    @inlinable @inline(__always)
    mutating func add(_ element: Element) -> Bool {
        if case .none = first {
            first = element
            return true
        }
        others.append(element)
        return false
    }

    /// Removes the first element, and tells whether it was the last.
    @inlinable @inline(__always)
    mutating func take() -> (value: Element, isLast: Bool) {
        var value: Element?
        swap(&value, &first)
        if _fastPath(others.isEmpty) { return (value.unsafelyUnwrapped, true) }
        first = others.popFirst()
        return (value.unsafelyUnwrapped, false)
    }
}
