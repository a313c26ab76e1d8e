import Foundation
import Rx
import RxBlocking
import RxTest
import XCTest

/// Calls every public name of the transforming operators in the form that users write.
final class TransformingFormsTests: XCTestCase {
    private let source = Observable.of(1, 2, 3)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    func testEachElement() throws {
        XCTAssertEqual(try all(source.map { $0 * 10 }), [10, 20, 30])
        XCTAssertEqual(try all(source.map(String.init)), ["1", "2", "3"])
        XCTAssertEqual(try all(Observable.of("1", "x").compactMap { Int($0) }), [1])
        XCTAssertEqual(try all(Observable.of("1", "x").compactMap(Int.init)), [1])
        XCTAssertEqual(try all(source.enumerated().map { $0.index * 10 + $0.element }), [1, 12, 23])
        XCTAssertEqual(try all(source.enumerated().map { index, element in index * 10 + element }), [1, 12, 23])
    }

    func testInnerSequences() throws {
        XCTAssertEqual(try all(source.flatMap { Observable.just($0) }), [1, 2, 3])
        XCTAssertEqual(
            try all(
                source.flatMap { value -> Observable<Int> in
                    if value == 2 { return .empty() }
                    return .just(value)
                }), [1, 3])
        XCTAssertEqual(try all(source.flatMap { Single.just($0) }), [1, 2, 3])
        XCTAssertEqual(try all(source.flatMapFirst { Observable.just($0) }), [1, 2, 3])
        XCTAssertEqual(try all(source.flatMapLatest { Observable.just($0) }), [1, 2, 3])
        XCTAssertEqual(try all(source.concatMap { Observable.just($0) }), [1, 2, 3])
        let nested = source.map { Observable.just($0) }
        XCTAssertEqual(try all(nested.switchLatest()), [1, 2, 3])
        XCTAssertEqual(try all(nested.merge()), [1, 2, 3])
        XCTAssertEqual(try all(nested.merge(maxConcurrent: 2)), [1, 2, 3])
        XCTAssertEqual(try all(nested.concat()), [1, 2, 3])
    }

    func testAccumulating() throws {
        XCTAssertEqual(try all(source.scan(0, accumulator: +)), [1, 3, 6])
        XCTAssertEqual(try all(source.scan(0) { $0 + $1 }), [1, 3, 6])
        XCTAssertEqual(try all(source.scan(into: []) { $0.append($1) }), [[1], [1, 2], [1, 2, 3]])
        XCTAssertEqual(try all(source.scan(into: 0, accumulator: { $0 += $1 })), [1, 3, 6])
        XCTAssertEqual(try all(source.reduce(0, accumulator: +)), [6])
        XCTAssertEqual(try all(source.reduce(0) { $0 + $1 }), [6])
        XCTAssertEqual(try all(source.reduce(0, accumulator: +, mapResult: { "\($0)" })), ["6"])
        let array: Single<[Int]> = source.toArray()
        XCTAssertEqual(try all(array), [[1, 2, 3]])
    }

    func testGrouping() throws {
        let scheduler = TestScheduler(initialClock: 0)
        let buffers: Observable<[Int]> = source.buffer(timeSpan: .seconds(1), count: 2, scheduler: scheduler)
        XCTAssertEqual(buffers.synchronousEvents, ["next([1, 2])", "next([3])", "completed"])
        let windows: Observable<Observable<Int>> = source.window(timeSpan: .seconds(1), count: 2, scheduler: scheduler)
        XCTAssertEqual(windows.flatMap { $0.toArray() }.synchronousEvents, ["next([1, 2])", "next([3])", "completed"])
        let groups: Observable<GroupedObservable<Bool, Int>> = source.groupBy(keySelector: { $0 > 1 })
        XCTAssertEqual(try all(groups.map { $0.key }), [false, true])
        XCTAssertEqual(
            try all(
                source.groupBy { $0 > 1 }.flatMap { group in group.asObservable().map { (group.key, $0) } }.map { $0.1 }
            ), [1, 2, 3])
        XCTAssertEqual(try all(GroupedObservable(key: 1, source: source)), [1, 2, 3])
    }

    /// The examples of the doc comments, unchanged.
    func testExamples() {
        let notes = Notes()
        let sums = Observable.of(1, 2, 3, 4).groupBy { $0 % 2 }
            .flatMap { group in group.reduce(0, accumulator: +).map { "\(group.key): \($0)" } }
        _ = sums.subscribe(onNext: { notes.add($0) })
        let digits = Observable.just(Data("[1, 2]".utf8)).decode(type: [Int].self, decoder: JSONDecoder())
        _ = digits.subscribe(onNext: { notes.add("\($0)") })
        final class Badge { let prefix = "No." }
        let badge = Badge()
        _ = Observable.of(1, 2).withUnretained(badge) { badge, number in "\(badge.prefix) \(number)" }
            .subscribe(onNext: { notes.add($0) })
        final class Counter { var value = 0 }
        let counter = Counter()
        _ = Observable.of(1, 2).withUnretained(counter).subscribe(onNext: { counter, number in counter.value += number }
        )
        notes.add("\(counter.value)")
        XCTAssertEqual(notes.lines, ["1: 4", "0: 6", "[1, 2]", "No. 1", "No. 2", "3"])
    }

    func testEventsAsElements() throws {
        let events: Observable<Event<Int>> = source.materialize()
        XCTAssertEqual(try all(events).map(\.debugDescription), ["next(1)", "next(2)", "next(3)", "completed"])
        XCTAssertEqual(try all(events.dematerialize()), [1, 2, 3])
    }

    func testDecoding() throws {
        let data = Observable.just(Data("[1]".utf8))
        XCTAssertEqual(try all(data.decode(type: [Int].self, decoder: JSONDecoder())), [[1]])
        let decoders: [any DataDecoder] = [JSONDecoder(), PropertyListDecoder()]
        XCTAssertEqual(decoders.count, 2)
    }

    func testWithUnretained() throws {
        XCTAssertEqual(
            try all(source.withUnretained(self).map { owner, value in owner === self ? value : 0 }), [1, 2, 3])
        XCTAssertEqual(try all(source.withUnretained(self, resultSelector: { $0 === self ? $1 : 0 })), [1, 2, 3])
        XCTAssertEqual(try all(source.withUnretained(self) { owner, value in owner === self ? value : 0 }), [1, 2, 3])
    }
}
