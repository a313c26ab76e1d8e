import Rx
import XCTest

final class SegmentTests: XCTestCase {
    func testMerge_ofSynchronousInners_interleavesInTrampolineOrder() {
        var seen: [Int] = []
        let inners = Observable.range(start: 0, count: 2).map { Observable.range(start: $0 * 10 + 1, count: 4) }
        _ = inners.merge().subscribe(onNext: { seen.append($0) })
        XCTAssertEqual(seen, [1, 2, 11, 3, 12, 4, 13, 14])
    }

    func testDispose_ofSubjectChain_returnsEveryResource() {
        let before = Resources.total
        do {
            let subject = PublishSubject<Int>()
            let subscription = subject.map { $0 + 1 }.filter { $0 > 1 }.scan(0, accumulator: +).subscribe(onNext: { _ in
            })
            subject.onNext(1)
            XCTAssertGreaterThan(Resources.total, before)
            subscription.dispose()
        }
        assertResourcesBack(to: before)
    }

    func testEnd_askedForAgainInsideTheResult_deliversOneResult() {
        let source = PublishSubject<Event<Int>>()
        let notes = Notes()
        let subscription = source.dematerialize().reduce(0, accumulator: +).subscribe { event in
            notes.add(event.debugDescription)
            if notes.lines.count < 5 { source.onNext(.completed) }
        }
        source.onNext(.next(1))
        source.onNext(.completed)
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testError_thrownAgainInsideTheFirst_isDeliveredOnce() {
        let source = PublishSubject<Int>()
        let notes = Notes()
        let subscription = source.map { _ -> Int in throw Planted.fault }.materialize().subscribe { event in
            notes.add(event.debugDescription)
            if notes.lines.count < 5 { source.onNext(2) }
        }
        source.onNext(1)
        XCTAssertEqual(notes.lines, ["next(error(fault))", "completed"])
        subscription.dispose()
    }
}
