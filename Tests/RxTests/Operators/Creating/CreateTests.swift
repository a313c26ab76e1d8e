import Rx
import XCTest

final class CreateTests: XCTestCase {
    func testCreate_runsItsClosureForEachSubscriber() {
        var subscriptions = 0
        let source = Observable<Int>.create { observer in
            subscriptions += 1
            observer.onNext(subscriptions)
            observer.onCompleted()
            return Disposables.create()
        }
        XCTAssertEqual(source.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(source.synchronousEvents, ["next(2)", "completed"])
    }

    func testCreate_afterItsEnd_deliversNothingMore() {
        let source = Observable<Int>.create { observer in
            observer.onError(Planted.fault)
            observer.onNext(1)
            observer.onCompleted()
            return Disposables.create()
        }
        XCTAssertEqual(source.synchronousEvents, ["error(fault)"])
    }

    func testCreate_atItsEnd_disposesWhatItReturned_once() {
        var observer: AnyObserver<Int>?
        var disposals = 0
        let source = Observable<Int>.create { given in
            observer = given
            return Disposables.create { disposals += 1 }
        }
        let subscription = source.subscribe { _ in }
        observer?.onCompleted()
        XCTAssertEqual(disposals, 1)
        subscription.dispose()
        XCTAssertEqual(disposals, 1)
    }

    func testCreate_endedBeforeItReturns_disposesWhatItReturns() {
        var disposals = 0
        let source = Observable<Int>.create { observer in
            observer.onCompleted()
            return Disposables.create { disposals += 1 }
        }
        withExtendedLifetime(source.subscribe { _ in }) { XCTAssertEqual(disposals, 1) }
    }

    func testCreate_disposedMidway_disposesWhatItReturned_andIsSilent() {
        var observer: AnyObserver<Int>?
        var disposals = 0
        let notes = Notes()
        let source = Observable<Int>.create { given in
            observer = given
            return Disposables.create { disposals += 1 }
        }
        let subscription = source.record(in: notes)
        observer?.onNext(1)
        subscription.dispose()
        observer?.onNext(2)
        XCTAssertEqual(notes.lines, ["next(1)"])
        XCTAssertEqual(disposals, 1)
    }

    func testCreate_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { source in
            Observable<Int>.create { observer in source.subscribe { observer.on($0) } }
        }
        assertResourcesBack(to: before)
    }
}
