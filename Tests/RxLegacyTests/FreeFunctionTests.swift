import Rx
import RxLegacy
import XCTest

/// Sequences in the form that was used in 2015.
final class FreeFunctionTests: XCTestCase {
    fileprivate enum Planted: Error { case fault }
}

@available(*, deprecated, message: "It uses deprecated names.")
extension FreeFunctionTests {
    private func events<Element>(of sequence: Observable<Element>) -> [String] {
        var events: [String] = []
        _ = sequence.subscribe { events.append($0.debugDescription) }
        return events
    }

    func testJustEmptyNeverFail_sayWhatTheyShould() {
        XCTAssertEqual(events(of: just(32)), ["next(32)", "completed"])
        XCTAssertEqual(events(of: returnElement(32)), ["next(32)", "completed"])
        XCTAssertEqual(events(of: empty() as Observable<Int>), ["completed"])
        XCTAssertEqual(events(of: never() as Observable<Int>), [])
        XCTAssertEqual(events(of: failWith(Planted.fault) as Observable<Int>), ["error(fault)"])
        XCTAssertEqual(events(of: sequenceOf(0, 1, 2)), ["next(0)", "next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: range(3, 2)), ["next(3)", "next(4)", "completed"])
    }

    func testCreate_asAFunction_makesASequence() {
        func myJust<E>(_ element: E) -> Observable<E> {
            create { observer in
                observer.on(.Next(element))
                observer.on(.Completed)
                return NopDisposable.instance
            }
        }
        XCTAssertEqual(events(of: myJust("a")), ["next(a)", "completed"])
    }

    func testCreate_asAFunction_disposesWhatItReturned() {
        var disposed = false
        let sequence: Observable<Int> = create { _ in AnonymousDisposable { disposed = true } }
        sequence.subscribeNext { _ in }.dispose()
        XCTAssertTrue(disposed)
    }

    func testDeferred_asAFunction_asksForEachSubscriber() {
        var made = 0
        let sequence: Observable<Int> = deferred {
            made += 1
            return just(made)
        }
        XCTAssertEqual(events(of: sequence) + events(of: sequence), ["next(1)", "completed", "next(2)", "completed"])
    }

    func testZip_asAFunction_pairsValues() {
        let sequence = zip(sequenceOf(1, 2), sequenceOf("a", "b")) { "\($0)\($1)" }
        XCTAssertEqual(events(of: sequence), ["next(1a)", "next(2b)", "completed"])
    }

    func testZip_ofSwiftSequences_isStillSwifts() {
        XCTAssertEqual(Array(zip([1, 2], ["a", "b"])).map { "\($0)\($1)" }, ["1a", "2b"])
    }

    func testZipAndCombineLatest_ofUpToEight_combineAll() {
        let one = just(1)
        XCTAssertEqual(events(of: zip(one, one, one) { $0 + $1 + $2 }), ["next(3)", "completed"])
        XCTAssertEqual(events(of: zip(one, one, one, one) { $0 + $1 + $2 + $3 }), ["next(4)", "completed"])
        XCTAssertEqual(
            events(of: zip(one, one, one, one, one) { [$0, $1, $2, $3, $4].count }), ["next(5)", "completed"])
        XCTAssertEqual(
            events(of: zip(one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5].count }), ["next(6)", "completed"])
        XCTAssertEqual(
            events(of: zip(one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6].count }),
            ["next(7)", "completed"])
        XCTAssertEqual(
            events(of: zip(one, one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6, $7].count }),
            ["next(8)", "completed"])
        XCTAssertEqual(events(of: combineLatest(one, one) { $0 + $1 }), ["next(2)", "completed"])
        XCTAssertEqual(events(of: combineLatest(one, one, one) { $0 + $1 + $2 }), ["next(3)", "completed"])
        XCTAssertEqual(events(of: combineLatest(one, one, one, one) { $0 + $1 + $2 + $3 }), ["next(4)", "completed"])
        XCTAssertEqual(
            events(of: combineLatest(one, one, one, one, one) { [$0, $1, $2, $3, $4].count }), ["next(5)", "completed"])
        XCTAssertEqual(
            events(of: combineLatest(one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5].count }),
            ["next(6)", "completed"])
        XCTAssertEqual(
            events(of: combineLatest(one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6].count }),
            ["next(7)", "completed"])
        XCTAssertEqual(
            events(
                of: combineLatest(one, one, one, one, one, one, one, one) { [$0, $1, $2, $3, $4, $5, $6, $7].count }),
            ["next(8)", "completed"])
    }

    func testZipAndCombineLatest_whoseSelectorThrows_fail() {
        let one = just(1)
        XCTAssertEqual(events(of: zip(one, one) { _, _ -> Int in throw Planted.fault }), ["error(fault)"])
        XCTAssertEqual(events(of: combineLatest(one, one) { _, _ -> Int in throw Planted.fault }), ["error(fault)"])
    }

    func testToObservable_onArraysSequencesAndOptionals_givesTheirElements() {
        XCTAssertEqual(events(of: [1, 2].toObservable()), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: (1...2).toObservable()), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: Optional(1).toObservable()), ["next(1)", "completed"])
        XCTAssertEqual(events(of: Int?.none.toObservable()), ["completed"])
        XCTAssertEqual(events(of: [1].toObservable(CurrentThreadScheduler.instance)), ["next(1)", "completed"])
        XCTAssertEqual(events(of: Optional(1).toObservable(CurrentThreadScheduler.instance)), ["next(1)", "completed"])
    }

    func testEachFunction_returnsEveryResource() {
        let before = Resources.total
        do {
            let subject = PublishSubject<Int>()
            let subscription = combineLatest(subject, sequenceOf(1, 2)) { $0 + $1 }.subscribeNext { _ in }
            let other = zip(subject, [1, 2].toObservable(), deferred { just(1) }) { $0 + $1 + $2 }.subscribeNext { _ in
            }
            subject.onNext(1)
            subscription.dispose()
            subject.onCompleted()
            withExtendedLifetime(other) {}
        }
        XCTAssertEqual(Resources.total, before)
    }
}
