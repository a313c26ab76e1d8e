/// Sections and the identities of their headers and items.
@usableFromInline
struct IdentifiedSections<Header, Item, SectionID: Hashable, ItemID: Hashable> {
    @usableFromInline
    let sections: [ListSection<Header, Item>]
    @usableFromInline
    let headers: [SectionID]
    @usableFromInline
    let items: [[ItemID]]

    @inlinable
    init(
        _ sections: [ListSection<Header, Item>], by section: (Header) -> SectionID, items item: (Item) -> ItemID
    ) {
        self.sections = sections
        headers = sections.map { section($0.header) }
        items = sections.map { $0.items.map(item) }
    }
}

/// Which items of two lists of sections are the same.
///
/// First each section that stays is paired with itself, as a list of its own. What is left over there has come from
/// another section, or gone to one, and is paired through one table for all.
@usableFromInline
struct SectionPairing {
    @usableFromInline
    struct Partner {
        @usableFromInline
        let position: ItemPosition
        @usableFromInline
        let isMoved: Bool

        @usableFromInline
        init(position: ItemPosition, isMoved: Bool) {
            self.position = position
            self.isMoved = isMoved
        }
    }

    @usableFromInline
    let sections: Pairing

    /// For each section after, its items' partners; none for a section that is new.
    @usableFromInline
    private(set) var partners: [[Partner?]] = []

    /// The positions before of items without a partner in sections that stay, ascending.
    @usableFromInline
    private(set) var removals: [ItemPosition]

    @inlinable
    init<Header, Item, SectionID, ItemID>(
        _ before: IdentifiedSections<Header, Item, SectionID, ItemID>,
        _ after: IdentifiedSections<Header, Item, SectionID, ItemID>
    ) {
        sections = Pairing(before: before.headers, after: after.headers)
        removals = []
        var left = [[Int]](repeating: [], count: before.sections.count)
        for (section, partner) in sections.partners.enumerated() {
            guard let partner else {
                partners.append([])
                continue
            }
            let pairing = Pairing(before: before.items[partner], after: after.items[section])
            left[partner] = pairing.removals
            partners.append(
                zip(pairing.partners, pairing.isMoved).map { item, isMoved in
                    item.map { Partner(position: ItemPosition(section: partner, item: $0), isMoved: isMoved) }
                })
        }
        removals = left.enumerated().flatMap { section, items in
            items.map { ItemPosition(section: section, item: $0) }
        }
        if !removals.isEmpty { pairAcross(before.items, after.items) }
    }

    /// Pairs what has changed its section. The positions of one identity are a queue, the first one first.
    @inlinable
    mutating func pairAcross<ItemID: Hashable>(_ before: [[ItemID]], _ after: [[ItemID]]) {
        var left: [ItemID: [ItemPosition]] = [:]
        for position in removals.reversed() {
            left[before[position.section][position.item], default: []].append(position)
        }
        var taken: Set<ItemPosition> = []
        for section in partners.indices {
            for item in partners[section].indices where partners[section][item] == nil {
                guard let position = left[after[section][item]]?.popLast() else { continue }
                partners[section][item] = Partner(position: position, isMoved: true)
                taken.insert(position)
            }
        }
        removals.removeAll(where: taken.contains)
    }
}
