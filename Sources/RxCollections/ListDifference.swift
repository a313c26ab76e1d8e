/// The changes from one list to the next: removals, insertions, moves and updates, as few as there can be.
///
/// The offsets are those that data sources of lists take in one batch: removals and `before` count in the list before,
/// insertions and `after` in the list after.
///
///     let songs = [Song(1, "Intro"), Song(2, "Blue"), Song(3, "Outro")]
///     let later = [Song(3, "Outro"), Song(1, "Intro"), Song(4, "Encore")]
///     let difference = ListDifference(from: songs, to: later, by: \.id)
///     print(difference.removals, difference.insertions)         // [1] [2]
///     print(difference.moves.map { ($0.before, $0.after) })     // [(2, 0)]
public struct ListDifference<Element> {
    /// The list after.
    public let elements: [Element]

    /// The offsets in the list before of what has gone, ascending.
    public let removals: [Int]

    /// The offsets in the list after of what is new, ascending.
    public let insertions: [Int]

    /// The elements whose order among the others has changed, by ascending offset in the list after.
    ///
    /// Elements that a removal or an insertion merely shifts are none of them.
    public let moves: [PositionChange<Int>]

    /// The elements that are in both lists and whose content differs, by ascending offset in the list after.
    ///
    /// An element that has been moved and changed is in `moves` too.
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

    /// Whether the lists are alike, so that there is nothing to change.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

    /// Turns the list before into the list after, with these changes alone.
    ///
    ///     var list = ["a", "b", "c"]
    ///     ListDifference(from: list, to: ["c", "a"], by: \.self).apply(to: &list)
    ///     print(list)  // ["c", "a"]
    ///
    /// - Precondition: `list` has as many elements as the list before.
    /// - Complexity: O(*n* + *m*) in the sizes of both lists, and an allocation for the list.
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
    /// The difference of two lists, whose elements are the same where `identity` says so.
    ///
    /// - Parameters:
    ///   - before: the list as it was.
    ///   - after: the list as it is now.
    ///   - identity: what stays the same while an element's content changes. Two elements of one list that share an
    ///     identity are told apart by their order: the first of a list corresponds to the first of the other.
    ///   - areAlike: whether an element has the same content before and after.
    /// - Complexity: O(*n* + *m*) in the sizes of both lists where few elements have moved, else
    ///   O((*n* + *m*) log *n*). What is alike at both ends is compared and not hashed.
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

    /// The difference of two lists, whose elements are the same where `identity` says so, and changed where they are
    /// not equal.
    ///
    /// - Complexity: as that of ``init(from:to:by:unchanged:)``.
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

/// Where an element was, and where it is.
public struct PositionChange<Position: Hashable & Sendable>: Hashable, Sendable {
    /// Its position in the list before.
    public let before: Position

    /// Its position in the list after.
    public let after: Position

    @usableFromInline
    init(before: Position, after: Position) {
        self.before = before
        self.after = after
    }
}

/// A list of `count` elements: those of `list` in their order, without those at the offsets `leaving`, around those
/// that have a place.
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
