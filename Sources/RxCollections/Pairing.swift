/// The correspondence between the elements of two lists, and the elements whose order has changed.
///
/// Identities are paired through a table, as in P. Heckel, "A technique for isolating differences between files",
/// Communications of the ACM 21 (1978), 264–268. As many pairs as possible stay in place: they form a longest
/// increasing subsequence of the old offsets, after C. Schensted, "Longest increasing and decreasing subsequences",
/// Canadian Journal of Mathematics 13 (1961), 179–191. The other pairs have moved. If no identity occurs twice, this is
/// the minimum number of edits. E. W. Myers' shortest edit script ("An O(ND) difference algorithm and its variations",
/// Algorithmica 1 (1986), 251–266) has one removal and one insertion for each move here.
@usableFromInline
struct Pairing {
    /// For each new offset, the old offset of the same element. `nil` if the element is new.
    @usableFromInline private(set) var partners: [Int?]

    /// For each new offset, whether the order of the element among the paired elements has changed.
    @usableFromInline private(set) var isMoved: [Bool]

    /// The old offsets of the elements that have no partner, in ascending order.
    @usableFromInline private(set) var removals: [Int] = []

    /// The table entry for an identity whose elements all have a partner.
    @usableFromInline static var exhausted: Int { -1 }

    /// Pairs equal elements at both ends by comparison, and hashes only the elements between them.
    @inlinable
    init<ID: Hashable>(before: [ID], after: [ID]) {
        partners = Array(repeating: nil, count: after.count)
        isMoved = Array(repeating: false, count: after.count)
        let shorter = min(before.count, after.count)
        var head = 0
        while head < shorter, before[head] == after[head] {
            partners[head] = head
            head += 1
        }
        var tail = 0
        while tail < shorter - head, before[before.count - tail - 1] == after[after.count - tail - 1] {
            tail += 1
            partners[after.count - tail] = before.count - tail
        }
        let old = head..<before.count - tail
        let new = head..<after.count - tail
        guard !old.isEmpty, !new.isEmpty else {
            removals = Array(old)
            return
        }
        pair(before, old, after, new)
        markMoved(new)
    }

    /// Pairs elements through a table of identities. The offsets of one identity form a chain, from first to last.
    @inlinable
    mutating func pair<ID: Hashable>(_ before: [ID], _ old: Range<Int>, _ after: [ID], _ new: Range<Int>) {
        var first: [ID: Int] = Dictionary(minimumCapacity: old.count)
        var next: [Int: Int] = [:]
        for offset in old.reversed() {
            if let later = first.updateValue(offset, forKey: before[offset]) { next[offset] = later }
        }
        var isTaken = [Bool](repeating: false, count: old.count)
        for offset in new {
            guard let index = first.index(forKey: after[offset]) else { continue }
            let partner = first.values[index]
            guard partner != Self.exhausted else { continue }
            first.values[index] = next[partner] ?? Self.exhausted
            partners[offset] = partner
            isTaken[partner - old.lowerBound] = true
        }
        removals = old.filter { !isTaken[$0 - old.lowerBound] }
    }

    /// Marks the pairs outside a longest increasing subsequence of the old offsets as moved.
    @usableFromInline
    mutating func markMoved(_ new: Range<Int>) {
        // For each length, the new offset at the end of the subsequence of that length with the smallest last old
        // offset.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: new.count)
        for offset in new {
            guard let partner = partners[offset] else { continue }
            let length = lengthOfSubsequences(in: ends, endingBelow: partner)
            if length > 0 { previous[offset - new.lowerBound] = ends[length - 1] }
            if length < ends.count { ends[length] = offset } else { ends.append(offset) }
            isMoved[offset] = true
        }
        var stays = ends.last
        while let offset = stays {
            isMoved[offset] = false
            stays = previous[offset - new.lowerBound]
        }
    }

    /// Returns the number of subsequences in `ends` whose last old offset is below `partner`.
    ///
    /// Searches from the end in growing steps, then bisects. Elements in order need one comparison. Elements after a
    /// moved element need a few.
    private func lengthOfSubsequences(in ends: [Int], endingBelow partner: Int) -> Int {
        func isBelow(_ index: Int) -> Bool { partners[ends[index]]! < partner }
        var high = ends.count
        var step = 1
        while high > 0, !isBelow(max(high - step, 0)) {
            high = max(high - step, 0)
            step *= 2
        }
        var low = max(high - step, -1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle } else { high = middle }
        }
        return high
    }
}

/// A list of sections with the identities of the headers and items.
@usableFromInline
struct IdentifiedSections<Header, Item, SectionID: Hashable, ItemID: Hashable> {
    @usableFromInline let sections: [ListSection<Header, Item>]
    @usableFromInline let headers: [SectionID]
    @usableFromInline let items: [[ItemID]]

    @inlinable
    init(
        _ sections: [ListSection<Header, Item>], by section: (Header) -> SectionID, items item: (Item) -> ItemID
    ) {
        self.sections = sections
        headers = sections.map { section($0.header) }
        items = sections.map { $0.items.map(item) }
    }
}

/// The correspondence between the items of two lists of sections.
///
/// First, the items of each section that stays are paired as a separate list. The remaining items have moved from or to
/// another section. They are paired through one table for all sections.
@usableFromInline
struct SectionPairing {
    @usableFromInline
    struct Partner {
        @usableFromInline let position: ItemPosition
        @usableFromInline let isMoved: Bool

        @usableFromInline
        init(position: ItemPosition, isMoved: Bool) {
            self.position = position
            self.isMoved = isMoved
        }
    }

    @usableFromInline let sections: Pairing

    /// For each new section, the partners of its items. Empty for a section that is new.
    @usableFromInline private(set) var partners: [[Partner?]] = []

    /// The old positions of the items without a partner in sections that stay, in ascending order.
    @usableFromInline private(set) var removals: [ItemPosition]

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

    /// Pairs the items that have moved to another section. The positions of one identity form a queue: the first
    /// position is used first.
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
