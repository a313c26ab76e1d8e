import XCTest

@testable import RxCollections

final class ListDifferenceTests: XCTestCase {
    private func difference(_ before: [Int], _ after: [Int]) -> ListDifference<Int> {
        ListDifference(from: before, to: after, by: \.self)
    }

    private func moves(_ difference: ListDifference<Int>) -> [[Int]] { difference.moves.map { [$0.before, $0.after] } }

    func testLikeLists_haveAnEmptyDifference() {
        XCTAssertTrue(difference([1, 2], [1, 2]).isEmpty)
        XCTAssertTrue(difference([], []).isEmpty)
        XCTAssertFalse(difference([1], []).isEmpty)
    }

    func testInsertionsAndRemovals_shiftOthersWithoutMovingThem() {
        let changes = difference([1, 2, 3, 4], [0, 1, 3, 9, 4])
        XCTAssertEqual(changes.removals, [1])
        XCTAssertEqual(changes.insertions, [0, 3])
        XCTAssertEqual(moves(changes), [])
    }

    func testOneElementMoved_isOneMove() {
        XCTAssertEqual(moves(difference([1, 2, 3, 4, 5], [5, 1, 2, 3, 4])), [[4, 0]])
        XCTAssertEqual(moves(difference([1, 2, 3, 4, 5], [2, 3, 4, 5, 1])), [[0, 4]])
        XCTAssertEqual(moves(difference([1, 2, 3, 4, 5], [1, 4, 2, 3, 5])), [[3, 1]])
    }

    func testChangedContent_isAnUpdate_alsoOfWhatMoved() {
        let before = [Song(id: 1, title: "a"), Song(id: 2, title: "a"), Song(id: 3, title: "a")]
        let after = [Song(id: 3, title: "b"), Song(id: 1, title: "a"), Song(id: 2, title: "b")]
        let changes = ListDifference(from: before, to: after, by: \.id)
        XCTAssertEqual(changes.moves, [PositionChange(before: 2, after: 0)])
        XCTAssertEqual(changes.updates, [PositionChange(before: 2, after: 0), PositionChange(before: 1, after: 2)])
        let titles = ListDifference(from: before, to: after, by: \.id) { _, _ in true }
        XCTAssertEqual(titles.updates, [])
    }

    func testElementsOfOneIdentity_arePairedInOrder() {
        let before = [Song(id: 1, title: "first"), Song(id: 1, title: "second"), Song(id: 2)]
        let after = [Song(id: 2)] + ["first", "second", "third"].map { Song(id: 1, title: $0) }
        let changes = ListDifference(from: before, to: after, by: \.id)
        XCTAssertEqual(changes.insertions, [3])
        XCTAssertEqual(changes.moves, [PositionChange(before: 2, after: 0)])
        XCTAssertEqual(changes.updates, [])
    }

    /// Applies differences of random lists. If identities are unique, counts the elements that Myers' algorithm in the
    /// standard library removes and inserts.
    func testRandomLists_areTurnedIntoOneAnother_withTheFewestEdits() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var numbers = SeededNumbers(seed: seed)
        for round in 0..<2_000 {
            let unique = round.isMultiple(of: 2)
            let size = 1 + round % 24
            let before = numbers.songs(of: 0..<size, unique: unique)
            let after = numbers.songs(of: 0..<size, unique: unique)
            let changes = ListDifference(from: before, to: after, by: \.id)
            var list = before
            changes.apply(to: &list)
            XCTAssertEqual(list, after, "seed \(seed), round \(round)")
            guard unique else { continue }
            let shortest = after.map(\.id).difference(from: before.map(\.id))
            XCTAssertEqual(
                changes.removals.count + changes.moves.count, shortest.removals.count, "seed \(seed), round \(round)")
            XCTAssertEqual(
                changes.insertions.count + changes.moves.count, shortest.insertions.count,
                "seed \(seed), round \(round)")
        }
    }

    /// Counts operations instead of measuring time: a table is needed only for the elements between the edits, and
    /// elements in order are not searched.
    func testTypicalEdits_ofALongList_hashAndCompareLittle() {
        final class Counts {
            var hashes = 0, comparisons = 0
        }
        struct Counted: Hashable {
            let id: Int
            let counts: Counts
            static func == (one: Counted, other: Counted) -> Bool {
                one.counts.comparisons += 1
                return one.id == other.id
            }
            func hash(into hasher: inout Hasher) {
                counts.hashes += 1
                hasher.combine(id)
            }
        }
        let size = 10_000
        func cost(_ after: [Int]) -> (hashes: Int, comparisons: Int) {
            let counts = Counts()
            _ = Pairing(
                before: (0..<size).map { Counted(id: $0, counts: counts) },
                after: after.map { Counted(id: $0, counts: counts) })
            return (counts.hashes, counts.comparisons)
        }
        let list = Array(0..<size)
        let inserted = cost(list[..<5_000] + [-1] + list[5_000...])
        XCTAssertEqual(inserted.hashes, 0)
        XCTAssertLessThanOrEqual(inserted.comparisons, size + 2)
        let swapped = cost(list[..<5_000] + [5_001, 5_000] + list[5_002...])
        XCTAssertEqual(swapped.hashes, 4)
        let moved = cost(list[1...] + [0])
        XCTAssertLessThanOrEqual(moved.hashes, 3 * size)
        XCTAssertLessThanOrEqual(moved.comparisons, 3 * size)
    }
}
