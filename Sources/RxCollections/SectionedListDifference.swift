/// A section of a list: a header and items.
public struct ListSection<Header, Item> {
    /// The header above the items.
    public var header: Header

    /// The items, in their order.
    public var items: [Item]

    /// A section with `header` above `items`.
    public init(_ header: Header, items: [Item]) {
        self.header = header
        self.items = items
    }
}

extension ListSection: Equatable where Header: Equatable, Item: Equatable {}
extension ListSection: Sendable where Header: Sendable, Item: Sendable {}

/// Where an item is: the offset of its section, and its own in the section.
public struct ItemPosition: Hashable, Sendable {
    /// The offset of the section in the list.
    public let section: Int

    /// The offset of the item in its section.
    public let item: Int

    /// The position of the item at offset `item` of the section at offset `section`.
    public init(section: Int, item: Int) { (self.section, self.item) = (section, item) }
}

/// The changes from one list of sections to the next: removals, insertions, moves and updates, of sections and items.
///
/// No item is told twice, so that one batch of a data source can take it as it is:
/// - Sections that go take their items along, and sections that come bring theirs, outside the changes of items.
/// - `moves` are between sections that stay, or within one. An item that leaves for a section that is new is among the
///   removals; one that arrives from a section that has gone is among the insertions.
/// - An item that only its section's move carries along has not moved.
///
///     let before = [ListSection("A", items: ["Ada", "Alan"]), ListSection("B", items: ["Barbara"])]
///     let after = [ListSection("B", items: ["Barbara", "Ada"]), ListSection("A", items: ["Alan"])]
///     let difference = SectionedListDifference(from: before, to: after, by: \.self, items: \.self)
///     print(difference.sectionMoves.map { ($0.before, $0.after) })  // [(1, 0)]
///     print(difference.moves.map(\.after.item), difference.removals.count, difference.insertions.count)  // [1] 0 0
public struct SectionedListDifference<Header, Item> {
    /// The list after.
    public let sections: [ListSection<Header, Item>]

    /// The offsets in the list before of sections that have gone, ascending.
    public let sectionRemovals: [Int]

    /// The offsets in the list after of sections that are new, ascending.
    public let sectionInsertions: [Int]

    /// The sections whose order among the others has changed, by ascending offset in the list after.
    public let sectionMoves: [PositionChange<Int>]

    /// The sections whose header differs, by ascending offset in the list after.
    public let sectionUpdates: [PositionChange<Int>]

    /// The positions in the list before of items that have gone from a section that stays, ascending.
    public let removals: [ItemPosition]

    /// The positions in the list after of items that are new in a section that was there, ascending.
    public let insertions: [ItemPosition]

    /// The items that have another section, or another order in theirs, by ascending position in the list after.
    public let moves: [PositionChange<ItemPosition>]

    /// The items whose content differs, in sections that stay, by ascending position in the list after.
    ///
    /// An item that has been moved and changed is in `moves` too.
    public let updates: [PositionChange<ItemPosition>]

    /// Whether the lists are alike, so that there is nothing to change.
    public var isEmpty: Bool {
        sectionRemovals.isEmpty && sectionInsertions.isEmpty && sectionMoves.isEmpty && sectionUpdates.isEmpty
            && removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }

    /// Turns the list before into the list after, with these changes alone.
    ///
    /// - Precondition: `list` has as many sections as the list before, with as many items each.
    /// - Complexity: O(*n* + *m* + *s* × *c*) in the items of both lists, their sections and the changes of items.
    public func apply(to list: inout [ListSection<Header, Item>]) {
        let before = list
        let origins = rebuilt(
            before.indices.map(Optional.some), count: sections.count,
            leaving: sectionRemovals + sectionMoves.map(\.before),
            placing: sectionInsertions.map { ($0, nil) } + sectionMoves.map { ($0.after, $0.before) })
        list = zip(sections, origins).enumerated().map { offset, pair in
            guard let origin = pair.1 else { return pair.0 }
            let leaving = removals + moves.map(\.before)
            let arriving = moves.filter { $0.after.section == offset }
            let new = insertions.filter { $0.section == offset }
            let items = rebuilt(
                before[origin].items, count: pair.0.items.count,
                leaving: leaving.filter { $0.section == origin }.map(\.item),
                placing: new.map { ($0.item, pair.0.items[$0.item]) }
                    + arriving.map { ($0.after.item, before[$0.before.section].items[$0.before.item]) })
            return ListSection(before[origin].header, items: items)
        }
        for update in sectionUpdates { list[update.after].header = sections[update.after].header }
        for update in updates {
            let position = update.after
            list[position.section].items[position.item] = sections[position.section].items[position.item]
        }
    }
}

extension SectionedListDifference: Equatable where Header: Equatable, Item: Equatable {}
extension SectionedListDifference: Sendable where Header: Sendable, Item: Sendable {}

extension SectionedListDifference where Header: Equatable, Item: Equatable {
    /// The difference of two lists of sections.
    ///
    /// - Parameters:
    ///   - before: the list as it was.
    ///   - after: the list as it is now.
    ///   - section: what stays the same while a header's content changes.
    ///   - item: what stays the same while an item's content changes, in whichever section it is. Two sections of a
    ///     list, or two items, that share an identity are told apart by their order.
    /// - Complexity: O(*n* + *m*) in the sections and items of both lists where few have moved, else
    ///   O((*n* + *m*) log *n*).
    @inlinable
    public init<SectionID: Hashable, ItemID: Hashable>(
        from before: some Collection<ListSection<Header, Item>>, to after: some Collection<ListSection<Header, Item>>,
        by section: (Header) -> SectionID, items item: (Item) -> ItemID
    ) {
        self.init(
            from: IdentifiedSections(Array(before), by: section, items: item),
            to: IdentifiedSections(Array(after), by: section, items: item))
    }

    @inlinable
    init<SectionID, ItemID>(
        from before: IdentifiedSections<Header, Item, SectionID, ItemID>,
        to after: IdentifiedSections<Header, Item, SectionID, ItemID>
    ) {
        let pairing = SectionPairing(before, after)
        let old = before.sections
        let new = after.sections
        var insertions: [ItemPosition] = []
        var moves: [PositionChange<ItemPosition>] = []
        var updates: [PositionChange<ItemPosition>] = []
        for (section, partners) in pairing.partners.enumerated() {
            for (item, partner) in partners.enumerated() {
                let position = ItemPosition(section: section, item: item)
                guard let partner else {
                    insertions.append(position)
                    continue
                }
                let change = PositionChange(before: partner.position, after: position)
                if partner.isMoved { moves.append(change) }
                if old[partner.position.section].items[partner.position.item] != new[section].items[item] {
                    updates.append(change)
                }
            }
        }
        let sections = ListDifference(
            from: old.map(\.header), to: new.map(\.header), pairing: pairing.sections, unchanged: ==)
        self.init(
            sections: new, sectionRemovals: sections.removals, sectionInsertions: sections.insertions,
            sectionMoves: sections.moves, sectionUpdates: sections.updates, removals: pairing.removals,
            insertions: insertions, moves: moves, updates: updates)
    }

    @usableFromInline
    init(
        sections: [ListSection<Header, Item>], sectionRemovals: [Int], sectionInsertions: [Int],
        sectionMoves: [PositionChange<Int>], sectionUpdates: [PositionChange<Int>], removals: [ItemPosition],
        insertions: [ItemPosition], moves: [PositionChange<ItemPosition>], updates: [PositionChange<ItemPosition>]
    ) {
        self.sections = sections
        self.sectionRemovals = sectionRemovals
        self.sectionInsertions = sectionInsertions
        self.sectionMoves = sectionMoves
        self.sectionUpdates = sectionUpdates
        self.removals = removals
        self.insertions = insertions
        self.moves = moves
        self.updates = updates
    }
}
