import Rx
import XCTest

/// Calls every public name of Swift concurrency in the form that users write.
final class ConcurrencyFormsTests: XCTestCase {
    func testValuesOfObservables() async throws {
        var seen: [Int] = []
        for try await value in Observable.of(1, 2).values { seen.append(value) }
        let stream: AsyncThrowingStream<Int, any Error> = Observable.just(3).values
        for try await value in stream { seen.append(value) }
        for try await value in Single.just(4).values { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 3, 4])
        do {
            for try await _ in Observable<Int>.error(Planted.fault).values {}
            XCTFail("The error was not thrown.")
        } catch {
            XCTAssertEqual("\(error)", "fault")
        }
    }

    func testValuesOfInfallibles() async {
        var seen: [Int] = []
        let stream: AsyncStream<Int> = Infallible.of(1, 2).values
        for await value in stream { seen.append(value) }
        XCTAssertEqual(seen, [1, 2])
    }

    @MainActor
    func testValuesOfSharedSequences() async {
        var seen: [Int] = []
        for await value in Driver.of(1, 2).values { seen.append(value) }
        for await value in Signal.just(3).values { seen.append(value) }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testValueOfTraits() async throws {
        let single: Int = try await Single.just(1).value
        XCTAssertEqual(single, 1)
        let maybe: Int? = try await Maybe.just(1).value
        XCTAssertEqual(maybe, 1)
        let none = try await Maybe<Int>.empty().value
        XCTAssertNil(none)
        try await Completable.empty().value
        let first = try await Observable.of(7, 8).first().value
        XCTAssertEqual(first, 7)
    }

    private static func count(_ text: String) async throws -> Int { text.count }

    func testWork() async throws {
        let plain = try await Single<Int>.create { 1 }.value
        let named = try await Single.create(detached: true, priority: .high, work: { 2 }).value
        let detached = try await Single.create(detached: true) { 3 }.value
        let prioritised = try await Single.create(priority: .background) { 4 }.value
        XCTAssertEqual([plain, named, detached, prioritised], [1, 2, 3, 4])
        let mapped = try await Observable.of("a", "bb").concatMap { text in Single.create { try await Self.count(text) }
        }.toArray().value
        XCTAssertEqual(mapped, [1, 2])
    }

    func testAsyncSequences() async throws {
        let stream = AsyncStream<Int> { continuation in
            for value in 1...3 { continuation.yield(value) }
            continuation.finish()
        }
        let sum = try await stream.asObservable().reduce(0, accumulator: +).asSingle().value
        XCTAssertEqual(sum, 6)
        let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Planted.fault) }
        let recovered = try await failing.asObservable(priority: .high).catchAndReturn(7).asSingle().value
        XCTAssertEqual(recovered, 7)
        let cancelled = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: CancellationError()) }
        let none = try await cancelled.asObservable(priority: nil).asMaybe().value
        XCTAssertNil(none)
    }
}
