import Foundation
import RxTraceObjects
import XCTest

@testable import HeapTrace

/// The memory in which a search for leaks works.
final class SearchMemoryTests: XCTestCase {
    /// A list without an array, so that the program itself keeps the addresses of its objects nowhere but in them.
    private final class Link {
        let next: Link?
        init(_ next: Link?) { self.next = next }
    }

    private var first: Link?

    private final class Log { var bytes = Data() }

    private let log = Log()

    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        HeapTrace.followsObjects = true
    }

    override func tearDown() {
        HeapTrace.followsObjects = false
        while let link = first { first = link.next }
    }

    private func blocks(perSize count: Int) -> [(UnsafeMutableRawPointer, size: Int)] {
        stride(from: 1_024, through: 64 << 10, by: 1_024).flatMap { size in
            (0..<count).compactMap { _ in malloc(size).map { ($0, size) } }
        }
    }

    /// Freed memory keeps its content, and the program's next blocks are made of it. If it contained addresses, the
    /// blocks would seem to hold the objects.
    func testSearch_leavesNoAddressesInTheProgramsMemory() {
        // Removes the addresses that other tests have left.
        for (block, size) in blocks(perSize: 32) {
            memset(block, 0, size)
            free(block)
        }
        do {
            // The report is freed before the blocks are allocated.
            let report = HeapTrace.detectGrowth(named: "list", maximumRuns: 40) {
                for _ in 0..<20 { first = Link(first) }
            }
            XCTAssertEqual(report.growing.count, 1, "\(report)")
        }
        let blocks = blocks(perSize: 8)
        defer { for (block, _) in blocks { free(block) } }
        var links: Set<UInt> = []
        var next = first
        while let link = next {
            links.insert(UInt(bitPattern: Unmanaged.passUnretained(link).toOpaque()))
            next = link.next
        }
        let found = blocks.reduce(into: Set<UInt>()) { found, block in
            let words = UnsafeRawBufferPointer(start: block.0, count: block.1).bindMemory(to: UInt.self)
            found.formUnion(words.lazy.filter(links.contains))
        }
        XCTAssertGreaterThan(links.count, 400)
        // A few of the objects may have the addresses of earlier objects of the program.
        XCTAssertLessThan(found.count * 10, links.count)
    }

    /// An array that grew may contain the address of an object of a search in the part that is not used yet.
    func testMemoryOfASearch_isNotGained_byAHolderWhoseMemoryContainsItsAddress() throws {
        log.bytes = Data(count: 100)
        let earlier = try HeapSnapshot.capture()
        let other = try HeapSnapshot.capture()
        let size = 20_000
        log.bytes = Data(count: size)
        let address = UInt(bitPattern: Unmanaged.passUnretained(other).toOpaque())
        withUnsafeBytes(of: address) { log.bytes.replaceSubrange(size - 8..<size, with: $0) }
        let gains = try HeapSnapshot.capture().memoryGrowth(since: earlier)
        let block = log.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let gain = try XCTUnwrap(gains.first { $0.address == block }, "\(gains)")
        XCTAssertGreaterThanOrEqual(gain.bytes, size - 200)
        XCTAssertLessThanOrEqual(gain.bytes, 2 * size, "with the memory of the search")
        withExtendedLifetime(other) {}
    }
}
