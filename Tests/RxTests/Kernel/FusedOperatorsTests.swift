import Rx
import XCTest

/// Chains of three or more capturing, stateless operators over plain values run as one loop. All other chains run as
/// links. Both must have the same results.
final class FusedOperatorsTests: XCTestCase {
    private struct Failure: Error, Equatable { let at: Int }
    private final class Token: Error {}
    private struct Wide: Equatable { var a = 1.5, b: Int32 = 7, c: UInt8 = 3, d: (Int16) = 9 }
    private struct TooWide { var values = (1, 2, 3, 4, 5) }

    /// The events of a chain of capturing operators, run as one loop and with a link after every operator.
    private func outcomes(of values: [Int], offset: Int) -> (run: [Int], links: [Int]) {
        func chain(_ separate: (Observable<Int>) -> Observable<Int>) -> [Int] {
            let source = PublishSubject<Int>()
            var seen: [Int] = []
            let mapped = separate(source.map { $0 + offset })
            let chain = separate(separate(mapped.filter { $0 % (offset + 2) != 0 }).map { $0 * offset }).filter {
                $0 > -offset
            }
            let subscription = chain.subscribe(onNext: { seen.append($0) })
            values.forEach(source.onNext)
            subscription.dispose()
            return seen
        }
        return (chain { $0 }, chain { $0.scan(0) { $1 } })
    }

    func testRun_ofMapsAndFilters_deliversWhatLinksDeliver() {
        for offset in 1...5 {
            let (run, links) = outcomes(of: Array(-50...50), offset: offset)
            XCTAssertEqual(run, links)
            XCTAssertFalse(run.isEmpty)
        }
    }

    func testRun_ofManyPredicatesAfterATransform_keepsTheValue() {
        let k = Int(CommandLine.argc)
        let source = PublishSubject<Int>()
        for predicates in 1...14 {
            var seen: [Int] = []
            var chain = source.map { $0 + k }
            for number in 0..<predicates { chain = chain.filter { $0 != -number - k } }
            let subscription = chain.map { $0 * k }.filter { $0 != -k }.map { $0 + k }.subscribe(onNext: {
                seen.append($0)
            })
            [1, 2, 3].forEach(source.onNext)
            subscription.dispose()
            XCTAssertEqual(seen, [1, 2, 3].map { ($0 + k) * k + k }, "after \(predicates) predicates")
        }
    }

    func testRun_ofPredicatesAlone_deliversTheSourcesValues() {
        let k = Int(CommandLine.argc)
        let source = PublishSubject<Int>()
        for predicates in 3...14 {
            var seen: [Int] = []
            var chain = source.asObservable()
            for number in 0..<predicates { chain = chain.filter { $0 != number + k } }
            let subscription = chain.subscribe(onNext: { seen.append($0) })
            [-1, k, -2].forEach(source.onNext)
            subscription.dispose()
            XCTAssertEqual(seen, [-1, -2], "through \(predicates) predicates")
        }
    }

    func testRun_throughTypesOfEverySize_keepsValues() {
        let (k, half) = (Int(CommandLine.argc), 0.5)
        let source = PublishSubject<Int>()
        var seen: [Wide] = []
        let chain =
            source
            .map { UInt8(truncatingIfNeeded: $0 + k) }
            .map { Double($0) + half * Double(k) / Double(k) }
            .filter { $0 > half }
            .map { Wide(a: $0 + Double(k) - Double(k), b: Int32(k) * 0 + 4) }
            .filter { $0.b == 4 * Int32(k) / Int32(k) }
        let subscription = chain.subscribe(onNext: { seen.append($0) })
        source.onNext(1 - k)
        source.onNext(2 - k)
        subscription.dispose()
        XCTAssertEqual(seen, [Wide(a: 1.5, b: 4), Wide(a: 2.5, b: 4)])
    }

    func testChain_throughStringsAndWideValues_runsAsLinks() {
        let k = Int(CommandLine.argc)
        let source = PublishSubject<Int>()
        var seen: [Int] = []
        let chain =
            source
            .map { $0 + k }.map { String(repeating: "x", count: $0 - k) }.filter { $0.count != k * 0 + 2 }
            .map { text in TooWide(values: (text.count, k, k, k, k)) }.map { $0.values.0 + k - k }
        let subscription = chain.subscribe(onNext: { seen.append($0) })
        [1, 2, 3].forEach(source.onNext)
        subscription.dispose()
        XCTAssertEqual(seen, [1, 3])
    }

    func testRun_whenAnOperatorThrows_failsOnceAndReleasesTheError() {
        let before = Resources.total
        weak var error: Token?
        do {
            let k = Int(CommandLine.argc)
            let source = PublishSubject<Int>()
            var seen: [Int] = []
            var failures = 0
            let chain = source.map { $0 + k }.filter { $0 >= k }.map { value -> Int in
                if value == 2 + k {
                    let token = Token()
                    error = token
                    throw token
                }
                return value - k
            }
            _ = chain.subscribe(onNext: { seen.append($0) }, onError: { _ in failures += 1 })
            (0...3).forEach(source.onNext)
            XCTAssertEqual(seen, [0, 1])
            XCTAssertEqual(failures, 1)
            XCTAssertFalse(source.hasObservers)
        }
        XCTAssertNil(error)
        assertResourcesBack(to: before)
    }

    func testRun_whenAPredicateThrows_fails() {
        let k = Int(CommandLine.argc)
        var failure: Failure?
        let chain = Observable.range(start: 0, count: 5).map { $0 + k }.map { $0 - k }
            .filter { if $0 == 3 { throw Failure(at: $0 + k - k) } else { true } }
        _ = chain.subscribe(onError: { failure = $0 as? Failure })
        XCTAssertEqual(failure, Failure(at: 3))
    }

    func testRun_disposedFromInsideAnOperator_callsNoLaterOperator() {
        let k = Int(CommandLine.argc)
        let source = PublishSubject<Int>()
        var subscription: (any Disposable)?
        var later: [Int] = []
        var seen: [Int] = []
        let chain = source.map { $0 + k }
            .filter { value in
                if value == 1 + k { subscription?.dispose() }
                return true
            }
            .map { value in
                later.append(value - k)
                return value - k
            }
        subscription = chain.subscribe(onNext: { seen.append($0) })
        (0...2).forEach(source.onNext)
        XCTAssertEqual(later, [0])
        XCTAssertEqual(seen, [0])
    }

    func testRun_reenteredFromItsOwnEvent_keepsBothValues() {
        let k = Int(CommandLine.argc)
        let source = PublishSubject<Int>()
        var seen: [Int] = []
        let chain = source.map { $0 + k }
            .filter { value in
                if value == 1 + k { source.onNext(7) }
                return value >= k
            }
            .map { $0 - k }
        let subscription = chain.subscribe(onNext: { seen.append($0) })
        source.onNext(1)
        subscription.dispose()
        XCTAssertEqual(seen, [7, 1])
    }

    func testRun_subscribedTwice_sharesItsClosuresAndReleasesThem() {
        let before = Resources.total
        weak var captured: Token?
        do {
            let token = Token()
            captured = token
            let source = PublishSubject<Int>()
            var seen: [Int] = []
            let chain =
                source
                .map { value in withExtendedLifetime(token) { value } }
                .filter { value in withExtendedLifetime(token) { value > 0 } }
                .map { $0 + 1 }
            let first = chain.subscribe(onNext: { seen.append($0) })
            let second = chain.subscribe(onNext: { seen.append($0 * 10) })
            source.onNext(1)
            first.dispose()
            source.onNext(2)
            second.dispose()
            XCTAssertEqual(seen, [2, 20, 30])
        }
        XCTAssertNil(captured)
        assertResourcesBack(to: before)
    }
}
