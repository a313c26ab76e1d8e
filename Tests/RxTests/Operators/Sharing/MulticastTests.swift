import Rx
import XCTest

final class MulticastTests: XCTestCase {
    func testSelector_usingTheSequenceTwice_subscribesToItOnce() {
        let before = Resources.total
        do {
            var subscriptions = 0
            var disposals = 0
            let source = PublishSubject<Int>()
            let counted = Observable<Int>.deferredSubject {
                subscriptions += 1
                return (source, { disposals += 1 })
            }
            var seen: [Int] = []
            let subscription = counted.multicast({ PublishSubject<Int>() }) { shared in
                PublishSubject<Observable<Int>>.create { observer in
                    observer.onNext(shared)
                    observer.onNext(shared.map { $0 * 10 })
                    return Disposables.create()
                }.merge()
            }.subscribe(onNext: { seen.append($0) })
            source.onNext(1)
            source.onNext(2)
            subscription.dispose()
            XCTAssertEqual(seen, [1, 10, 2, 20])
            XCTAssertEqual([subscriptions, disposals], [1, 1])
        }
        assertResourcesBack(to: before)
    }

    func testSelector_thatThrows_failsTheSequence() {
        let source = PublishSubject<Int>()
        var errors = 0
        _ = source.multicast({ () throws -> PublishSubject<Int> in throw TestError() }) { $0 }.subscribe(onError: { _ in
            errors += 1
        })
        _ = source.multicast({ PublishSubject<Int>() }) { _ -> Observable<Int> in throw TestError() }.subscribe(
            onError: { _ in errors += 1 })
        XCTAssertEqual(errors, 2)
        XCTAssertFalse(source.hasObservers)
    }

    func testSelector_endingAtOnce_disconnects() {
        let source = PublishSubject<Int>()
        var seen: [String] = []
        _ = source.multicast({ PublishSubject<Int>() }) { _ in Observable.just(1) }.subscribe {
            seen.append($0.debugDescription)
        }
        XCTAssertEqual(seen, ["next(1)", "completed"])
        XCTAssertFalse(source.hasObservers)
    }
}
