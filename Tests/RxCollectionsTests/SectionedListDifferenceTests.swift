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
            let unique = round.isMultiple(of: 2)
            func sections() -> [Section] {
                let headers = numbers.songs(of: 0..<5, unique: unique)
                let items = numbers.songs(of: 0..<20, unique: unique)
                return headers.enumerated().map { offset, header in
                    ListSection(header, items: items.filter { $0.id % headers.count == offset || !unique })
                }.shuffled(using: &numbers)
            }
            let before = sections()
            let after = sections()
            let changes = difference(before, after)
            var list = before
            changes.apply(to: &list)
            XCTAssertEqual(list, after, "seed \(seed), round \(round)")
            movesBetweenSections += changes.moves.count { $0.before.section != $0.after.section }
        }
        XCTAssertGreaterThan(movesBetweenSections, 100, "seed \(seed)")
    }
}
