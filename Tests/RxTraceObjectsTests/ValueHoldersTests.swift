import Foundation
import Rx
import RxTraceObjects
import XCTest

@testable import HeapTrace
@testable import RxTrace

private protocol Strategy { func next() -> Int }

/// Larger than an existential's buffer, so that the value is in a box.
private struct Bold: Strategy {
    var name = "bold"
    var depth = 4
    let player: Player
    func next() -> Int { player.score + depth }
}

/// Small enough for an existential's buffer.
private struct Brief: Strategy {
    let player: Player
    func next() -> Int { player.score }
}

private struct Careful: Strategy {
    unowned let player: Player
    func next() -> Int { player.score }
}

private struct Failure: Error {
    let line: Int
    let player: Player?
}

// @unchecked: one thread uses it.
private final class Player: @unchecked Sendable {
    var score = 0
    var strategy: (any Strategy)?
    var failure: (any Error)?
}

/// Keeps a closure for each observer.
private final class Session {
    var observers: [Int: (Int) -> Void] = [:]
    func observe(_ observer: @escaping (Int) -> Void) { observers[observers.count] = observer }
}

private final class Slider {
    var position = 0
    func observe(_ session: Session) { session.observe { self.position = $0 } }
    func observeWeakly(_ session: Session) { session.observe { [weak self] in self?.position = $0 } }
}

nonisolated(unsafe) private var session = Session()

/// Not inlined, so that it is the function that allocates.
@inline(never) private func makeBuffer() -> UnsafeMutableRawPointer { .allocate(byteCount: 2_048, alignment: 8) }

/// Holders that are no objects: values in existentials and errors, closures in a collection, the dictionary of a
/// thread, and no reference at all.
final class ValueHoldersTests: XCTestCase {
    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() {
        RxTrace.followsObjects = false
        session = Session()
    }

    private func headline(_ body: () -> Void) throws -> String {
        let report = RxTrace.detectGrowth(named: "planted", maximumRuns: 40, body)
        XCTAssertEqual(report.leaks.count, 1, "\(report)")
        return try XCTUnwrap(report.leaks.first).headline
    }

    private func assertClean(line: UInt = #line, _ body: () -> Void) {
        let report = RxTrace.detectGrowth(named: "clean", maximumRuns: 40, body)
        XCTAssertEqual(report.outcome, .clean, "\(report)", line: line)
    }

    func testValueInAnExistential_isNamedByItsProperty_andItsTwinIsClean() throws {
        func play(_ strategy: (Player) -> any Strategy) {
            let player = Player()
            player.strategy = strategy(player)
        }
        let cycle = "Player, held by a cycle over 'Player.strategy.player': let 'Player.strategy.player' be held weakly"
        XCTAssertEqual(try headline { play { Bold(player: $0) } }, cycle)
        XCTAssertEqual(try headline { play { Brief(player: $0) } }, cycle)
        assertClean { play { Careful(player: $0) } }
    }

    func testError_isNamedByItsProperty_andItsTwinIsClean() throws {
        func fail(_ keeps: Bool) {
            let player = Player()
            player.failure = Failure(line: 1, player: keeps ? player : nil)
        }
        XCTAssertEqual(
            try headline { fail(true) },
            "Player, held by a cycle over 'Player.failure.player': let 'Player.failure.player' be held weakly")
        assertClean { fail(false) }
    }

    func testClosureInACollection_isNamedByItsLine_andItsTwinKeepsClosuresAlone() throws {
        let found = try headline { Slider().observe(session) }
        // Optimised code may have no line.
        XCTAssertTrue(found.hasPrefix("Slider, held by global session: remove the closure "), found)
        XCTAssertTrue(found.contains("ValueHoldersTests.swift:50") || found.contains("in Slider.observe(_:)"), found)
        XCTAssertTrue(
            found.hasSuffix(
                """
                from 'Session.observers' when it is no longer needed, or capture weakly in it what it should not keep
                """), found)
        session = Session()
        let report = RxTrace.detectGrowth(named: "weak", maximumRuns: 40) {
            let slider = Slider()
            slider.observeWeakly(session)
        }
        // The closures themselves stay, and no slider does.
        XCTAssertFalse(report.leaks.contains { $0.headline.hasPrefix("Slider") }, "\(report)")
    }

    func testDictionaryOfTheThread_isNamed_andItsTwinIsClean() throws {
        func keep(_ key: String) { Thread.current.threadDictionary[key] = Player() }
        let advice = ": remove what is no longer needed from 'Thread.threadDictionary', or give it a bound"
        let found = try headline { keep(UUID().uuidString) }
        XCTAssertTrue(found.hasPrefix("Player, held by ") && found.hasSuffix(advice), found)
        Thread.current.threadDictionary.removeAllObjects()
        assertClean { keep("one") }
        Thread.current.threadDictionary.removeAllObjects()
    }

    func testBlockWithoutAReference_isNamedByTheLineThatAllocatesIt_andItsTwinIsClean() throws {
        let found = try headline { makeBuffer().storeBytes(of: 1, as: Int.self) }
        let advice = "free the memory that is allocated at ValueHoldersTests.swift:"
        XCTAssertTrue(found.hasPrefix("a block of 2048 bytes, held by no counted reference: " + advice), found)
        assertClean { makeBuffer().deallocate() }
    }
}
