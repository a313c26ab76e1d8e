/// The changes from one list to the next: removals, insertions, moves and updates. Their number is minimal if no
/// identity occurs twice in a list.
///
/// The offsets are suitable for one batch update of a list's data source: `removals` and `before` are offsets in the
/// old list, and `insertions` and `after` are offsets in the new list.
///
///     let songs = [Song(1, "Intro"), Song(2, "Blue"), Song(3, "Outro")]
///     let later = [Song(3, "Outro"), Song(1, "Intro"), Song(4, "Encore")]
///     let difference = ListDifference(from: songs, to: later, by: \.id)
///     print(difference.removals, difference.insertions)         // [1] [2]
///     print(difference.moves.map { ($0.before, $0.after) })     // [(2, 0)]
public struct ListDifference<Element> {
    /// The new list.
    public let elements: [Element]

    /// The offsets in the old list of the removed elements, in ascending order.
    public let removals: [Int]

    /// The offsets in the new list of the inserted elements, in ascending order.
    public let insertions: [Int]

    /// The elements whose order relative to the other elements has changed, by ascending offset in the new list.
    ///
    /// Elements that are only shifted by a removal or an insertion are not included.
    public let moves: [PositionChange<Int>]

    /// The elements that are in both lists and whose content differs, by ascending offset in the new list.
    ///
    /// An element that has both moved and changed is also in `moves`.
    public let updates: [PositionChange<Int>]

    @usableFromInline
    init(
        elements: [Element], removals: [Int], insertions: [Int], moves: [PositionChange<Int>],
        updates: [PositionChange<Int>]
    ) {
        self.elements = elements
        self.removals = removals
        self.insertions = insertions
        self.moves = moves
        self.updates = updates
    }

    /// Whether the lists do not differ.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

    /// Transforms the old list into the new list, using only these changes.
    ///
    ///     var list = ["a", "b", "c"]
    ///     ListDifference(from: list, to: ["c", "a"], by: \.self).apply(to: &list)
    ///     print(list)  // ["c", "a"]
    ///
    /// - Precondition: `list` has the same number of elements as the old list.
    /// - Complexity: O(*n* + *m*) in the sizes of both lists, and one allocation for the list.
    public func apply(to list: inout [Element]) {
        list = rebuilt(
            list, count: elements.count, leaving: removals + moves.map(\.before),
            placing: insertions.map { ($0, elements[$0]) } + moves.map { ($0.after, list[$0.before]) })
        for update in updates { list[update.after] = elements[update.after] }
    }
}

extension ListDifference: Equatable where Element: Equatable {}
extension ListDifference: Sendable where Element: Sendable {}

extension ListDifference {
    /// Creates the difference between two lists. Elements with equal values of `identity` correspond to each other.
    ///
    /// - Parameters:
    ///   - before: the old list.
    ///   - after: the new list.
    ///   - identity: returns a value that stays the same when the content of an element changes. Elements of one list
    ///     that have the same identity are distinguished by their order: the first element of one list corresponds to
    ///     the first element of the other list.
    ///   - areAlike: returns whether an element has the same content in both lists.
    /// - Complexity: O(*n* + *m*) in the sizes of both lists if few elements have moved, and otherwise O((*n* + *m*)
    ///   log *n*). Equal elements at both ends are compared, not hashed.
    @inlinable
    public init<ID: Hashable>(
        from before: some Collection<Element>, to after: some Collection<Element>, by identity: (Element) -> ID,
        unchanged areAlike: (Element, Element) -> Bool
    ) {
        let before = Array(before)
        let after = Array(after)
        self.init(
            from: before, to: after, pairing: Pairing(before: before.map(identity), after: after.map(identity)),
            unchanged: areAlike)
    }

    /// Creates the difference between two lists. Elements with equal values of `identity` correspond to each other, and
    /// have changed if they are not equal.
    ///
    /// - Complexity: The same as ``init(from:to:by:unchanged:)``.
    @inlinable
    public init<ID: Hashable>(
        from before: some Collection<Element>, to after: some Collection<Element>, by identity: (Element) -> ID
    ) where Element: Equatable { self.init(from: before, to: after, by: identity, unchanged: ==) }

    @inlinable
    init(from before: [Element], to after: [Element], pairing: Pairing, unchanged areAlike: (Element, Element) -> Bool)
    {
        var insertions: [Int] = []
        var moves: [PositionChange<Int>] = []
        var updates: [PositionChange<Int>] = []
        for (offset, partner) in pairing.partners.enumerated() {
            guard let partner else {
                insertions.append(offset)
                continue
            }
            if pairing.isMoved[offset] { moves.append(PositionChange(before: partner, after: offset)) }
            if !areAlike(before[partner], after[offset]) {
                updates.append(PositionChange(before: partner, after: offset))
            }
        }
        self.init(elements: after, removals: pairing.removals, insertions: insertions, moves: moves, updates: updates)
    }
}

/// The old and the new position of an element.
public struct PositionChange<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The position in the old list.
    public let before: Position

    /// The position in the new list.
    public let after: Position

    @usableFromInline
    init(before: Position, after: Position) {
        self.before = before
        self.after = after
    }
}

/// Returns a list of `count` elements. It contains the elements of `placing` at their offsets. The elements of `list`,
/// except those at the offsets `leaving`, fill the other offsets in their order.
func rebuilt<Element>(
    _ list: [Element], count: Int, leaving: [Int], placing: [(offset: Int, element: Element)]
) -> [Element] {
    precondition(
        list.count - leaving.count + placing.count == count,
        "The list to change has \(list.count) elements, which is not the number that the difference was made of.")
    var stays = [Bool](repeating: true, count: list.count)
    for offset in leaving { stays[offset] = false }
    var placed = [Element?](repeating: nil, count: count)
    for (offset, element) in placing { placed[offset] = element }
    var kept = zip(list, stays).lazy.filter(\.1).map(\.0).makeIterator()
    return placed.map { $0 ?? kept.next()! }
}
