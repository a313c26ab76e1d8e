/// A section of a list. It has a header and items.
public struct ListSection<Header, Item> {
    /// The header above the items.
    public var header: Header

    /// The items, in order.
    public var items: [Item]

    /// Creates a section with the given header and items.
    public init(_ header: Header, items: [Item]) {
        self.header = header
        self.items = items
    }
}

extension ListSection: Equatable where Header: Equatable, Item: Equatable {}
extension ListSection: Sendable where Header: Sendable, Item: Sendable {}

/// The position of an item: the offset of its section, and the offset of the item in the section.
public struct ItemPosition: Hashable, Sendable {
    /// The offset of the section in the list.
    public let section: Int

    /// The offset of the item in its section.
    public let item: Int

    /// Creates the position of the item at offset `item` of the section at offset `section`.
    public init(section: Int, item: Int) { (self.section, self.item) = (section, item) }
}

/// The changes from one list of sections to the next: removals, insertions, moves and updates of sections and items.
///
/// No item occurs twice among the removals, insertions and moves, so a data source can apply the difference as one
/// batch:
/// - A removed section takes its items along, and an inserted section brings its items. These items are not among the
///   changes of items.
/// - `moves` are between sections that stay, or within one section. An item that moves to a new section is among the
///   removals. An item that comes from a removed section is among the insertions.
/// - An item has not moved if only its section has moved.
///
///     let before = [ListSection("A", items: ["Ada", "Alan"]), ListSection("B", items: ["Barbara"])]
///     let after = [ListSection("B", items: ["Barbara", "Ada"]), ListSection("A", items: ["Alan"])]
///     let difference = SectionedListDifference(from: before, to: after, by: \.self, items: \.self)
///     print(difference.sectionMoves.map { ($0.before, $0.after) })  // [(1, 0)]
///     print(difference.moves.map(\.after.item), difference.removals.count, difference.insertions.count)  // [1] 0 0
public struct SectionedListDifference<Header, Item> {
    /// The new list.
    public let sections: [ListSection<Header, Item>]

    /// The offsets in the old list of the removed sections, in ascending order.
    public let sectionRemovals: [Int]

    /// The offsets in the new list of the inserted sections, in ascending order.
    public let sectionInsertions: [Int]

    /// The sections whose order relative to the other sections has changed, by ascending offset in the new list.
    public let sectionMoves: [PositionChange<Int>]

    /// The sections whose header differs, by ascending offset in the new list.
    public let sectionUpdates: [PositionChange<Int>]

    /// The positions in the old list of items that are removed from a section that stays, in ascending order.
    public let removals: [ItemPosition]

    /// The positions in the new list of items that are inserted into a section that stays, in ascending order.
    public let insertions: [ItemPosition]

    /// The items that are in another section, or whose order in their section has changed, by ascending position in the
    /// new list.
    public let moves: [PositionChange<ItemPosition>]

    /// The items in sections that stay whose content differs, by ascending position in the new list.
    ///
    /// An item that has both moved and changed is also in `moves`.
    public let updates: [PositionChange<ItemPosition>]

    /// Whether the lists do not differ.
    public var isEmpty: Bool {
        sectionRemovals.isEmpty && sectionInsertions.isEmpty && sectionMoves.isEmpty && sectionUpdates.isEmpty
            && removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
    }

    /// Transforms the old list into the new list, using only these changes.
    ///
    /// - Precondition: `list` has the same number of sections as the old list, and each section has the same number of
    ///   items.
    /// - Complexity: O(*n* + *m* + *s* × *c*) in the numbers of items of both lists, sections, and changes of items.
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
    /// Creates the difference between two lists of sections.
    ///
    /// - Parameters:
    ///   - before: the old list.
    ///   - after: the new list.
    ///   - section: returns a value that stays the same when the content of a header changes.
    ///   - item: returns a value that stays the same when the content of an item changes, even if the item moves to
    ///     another section. Sections or items of one list that have the same identity are distinguished by their order.
    /// - Complexity: O(*n* + *m*) in the numbers of sections and items of both lists if few have moved, and otherwise
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
