import Foundation
import Rx
import XCTest

final class DecodeTests: XCTestCase {
    private struct Point: Codable, Equatable { let x: Int }

    func testDecode_withJSON_givesTheValues() throws {
        let data = Observable.of(Data(#"{"x":1}"#.utf8), Data(#"{"x":2}"#.utf8))
        XCTAssertEqual(
            data.decode(type: Point.self, decoder: JSONDecoder()).synchronousEvents,
            ["next(\(Point(x: 1)))", "next(\(Point(x: 2)))", "completed"])
    }

    func testDecode_withPropertyList_givesTheValues() throws {
        let data = try PropertyListEncoder().encode([1, 2])
        XCTAssertEqual(
            Observable.just(data).decode(type: [Int].self, decoder: PropertyListDecoder()).synchronousEvents,
            ["next([1, 2])", "completed"])
    }

    func testDecode_ofSomethingElse_failsAndEndsTheSource() {
        let source = PublishSubject<Data>()
        var error: (any Error)?
        let subscription = source.decode(type: Point.self, decoder: JSONDecoder()).subscribe(onError: { error = $0 })
        source.onNext(Data("nothing".utf8))
        XCTAssertTrue(error is DecodingError)
        XCTAssertFalse(source.hasObservers)
        subscription.dispose()
    }

    func testDecode_withDecoderOfOnesOwn_usesIt() {
        struct Counting: DataDecoder {
            func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
                guard let count = data.count as? Item else { throw Planted.fault }
                return count
            }
        }
        XCTAssertEqual(
            Observable.just(Data([1, 2, 3])).decode(type: Int.self, decoder: Counting()).synchronousEvents,
            ["next(3)", "completed"])
        XCTAssertEqual(
            Observable.just(Data()).decode(type: String.self, decoder: Counting()).synchronousEvents, ["error(fault)"])
    }

    #if TRACE_RESOURCES
        func testDecode_atEveryEnd_releasesEverything() {
            let before = Resources.total
            runToEveryEnd { $0.map { Data("\($0)".utf8) }.decode(type: Int.self, decoder: JSONDecoder()) }
            runToEveryEnd { $0.map { _ in Data() }.decode(type: Int.self, decoder: JSONDecoder()) }
            assertResourcesBack(to: before)
        }
    #endif
}
