import RxCollections
import XCTest

final class SectionedListDifferenceTests: XCTestCase {
    private typealias Section = ListSection<Song, Song>

    private func section(_ id: Int, _ items: [Int], title: String = "") -> Section {
        ListSection(Song(id: id, title: title), items: items.map { Song(id: $0) })
    }

    private func difference(_ before: [Section], _ after: [Section]) -> SectionedListDifference<Song, Song> {
        SectionedListDifference(from: before, to: after, by: \.id, items: \.id)
    }

    private func position(_ section: Int, _ item: Int) -> ItemPosition { ItemPosition(section: section, item: item) }

    private func positions(_ changes: [PositionChange<ItemPosition>]) -> [[ItemPosition]] {
        changes.map { [$0.before, $0.after] }
    }

    func testLikeLists_haveAnEmptyDifference() {
        XCTAssertTrue(difference([section(1, [1, 2])], [section(1, [1, 2])]).isEmpty)
    }

    func testSections_comeAndGoWithTheirItems() {
        let changes = difference([section(1, [1]), section(2, [2])], [section(2, [2]), section(3, [3])])
        XCTAssertEqual(changes.sectionRemovals, [0])
        XCTAssertEqual(changes.sectionInsertions, [1])
        XCTAssertEqual(changes.removals, [])
        XCTAssertEqual(changes.insertions, [])
    }

    func testItem_movesBetweenSectionsThatStay() {
        let changes = difference([section(1, [1, 2]), section(2, [3])], [section(1, [2]), section(2, [3, 1])])
        XCTAssertEqual(positions(changes.moves), [[position(0, 0), position(1, 1)]])
        XCTAssertEqual(changes.removals, [])
        XCTAssertEqual(changes.insertions, [])
    }

    func testItem_toANewSection_isRemoved_andFromOneThatGoes_isInserted() {
        let toNew = difference([section(1, [1, 2])], [section(1, [2]), section(9, [1])])
        XCTAssertEqual(toNew.removals, [position(0, 0)])
        XCTAssertEqual(toNew.moves, [])
        let fromGone = difference([section(9, [1]), section(1, [2])], [section(1, [2, 1])])
        XCTAssertEqual(fromGone.insertions, [position(0, 1)])
        XCTAssertEqual(fromGone.moves, [])
    }

    func testSectionMoved_carriesItsItems_andItsHeaderIsUpdated() {
        let changes = difference(
            [section(1, [1, 2]), section(2, [3]), section(3, [4])],
            [section(3, [4], title: "new"), section(1, [1, 2]), section(2, [3])])
        XCTAssertEqual(changes.sectionMoves.map { [$0.before, $0.after] }, [[2, 0]])
        XCTAssertEqual(changes.sectionUpdates.map { [$0.before, $0.after] }, [[2, 0]])
        XCTAssertEqual(changes.moves, [])
    }

    func testRandomSections_areTurnedIntoOneAnother() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var numbers = SeededNumbers(seed: seed)
        var movesBetweenSections = 0
        for round in 0..<1_000 {
            let before = sections(&numbers, unique: round.isMultiple(of: 2))
            let after = sections(&numbers, unique: round.isMultiple(of: 2))
            let changes = difference(before, after)
            var list = before
            changes.apply(to: &list)
            XCTAssertEqual(list, after, "seed \(seed), round \(round)")
            movesBetweenSections += changes.moves.count { $0.before.section != $0.after.section }
        }
        XCTAssertGreaterThan(movesBetweenSections, 100, "seed \(seed)")
    }

    /// If identities are unique, counts the necessary changes. An item whose section stays is removed if its new
    /// section is not one that stays, and moved if its new section is another one that stays. Myers' algorithm in the
    /// standard library gives the smallest number of sections, and of items within a section, that have to move.
    func testRandomSections_takeTheFewestChanges() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var numbers = SeededNumbers(seed: seed)
        for round in 0..<1_000 {
            let before = sections(&numbers, unique: true)
            let after = sections(&numbers, unique: true)
            let changes = difference(before, after)
            let shortest = after.map(\.header.id).difference(from: before.map(\.header.id))
            let old = homes(before, among: after)
            let new = homes(after, among: before)
            let stayed = Set(old.keys).intersection(new.keys)
            let reordered = Set(old.values).intersection(new.values).map { home in
                let kept = stayed.filter { old[$0] == home && new[$0] == home }
                let lists = [before, after].map { list in
                    list.first { $0.header.id == home }?.items.map(\.id).filter(kept.contains) ?? []
                }
                return lists[1].difference(from: lists[0]).removals.count
            }
            let counts = [
                changes.sectionRemovals.count + changes.sectionMoves.count,
                changes.sectionInsertions.count + changes.sectionMoves.count,
                changes.removals.count, changes.insertions.count, changes.moves.count,
            ]
            let fewest = [
                shortest.removals.count, shortest.insertions.count,
                old.count - stayed.count, new.count - stayed.count,
                reordered.reduce(stayed.count { old[$0] != new[$0] }, +),
            ]
            XCTAssertEqual(counts, fewest, "seed \(seed), round \(round)")
        }
    }

    private func sections(_ numbers: inout SeededNumbers, unique: Bool) -> [Section] {
        let headers = numbers.songs(of: 0..<5, unique: unique)
        let items = numbers.songs(of: 0..<20, unique: unique)
        return headers.enumerated().map { offset, header in
            ListSection(header, items: items.filter { $0.id % headers.count == offset || !unique })
        }.shuffled(using: &numbers)
    }

    /// The section of each item, for the sections that `others` also contains.
    private func homes(_ sections: [Section], among others: [Section]) -> [Int: Int] {
        let staying = Set(others.map(\.header.id))
        let items = sections.filter { staying.contains($0.header.id) }
            .flatMap { section in section.items.map { ($0.id, section.header.id) } }
        return Dictionary(uniqueKeysWithValues: items)
    }
}
