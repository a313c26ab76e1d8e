import Rx
import XCTest

final class AnyObserverTests: XCTestCase {
    func testObserverOfAFunction_passesEveryEndOn() {
        let notes = Notes()
        let observer = AnyObserver<Int> { notes.add($0.debugDescription) }
        observer.onCompleted()
        observer.onNext(1)
        observer.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["completed", "next(1)", "error(fault)"])
    }

    func testObserverOfTwoSequences_hearsTheErrorOfTheSecond() {
        let notes = Notes()
        let observer = AnyObserver<Int> { notes.add($0.debugDescription) }
        _ = Observable.just(1).subscribe(observer)
        _ = Observable<Int>.error(Planted.fault).subscribe(observer)
        XCTAssertEqual(notes.lines, ["next(1)", "completed", "error(fault)"])
    }

    func testObserverOfASource_insideTheEnd_refusesValues() {
        let notes = Notes()
        var observer: AnyObserver<Int>?
        let source = Observable<Int>.create {
            observer = $0
            return Disposables.create()
        }
        let subscription = source.materialize().subscribe { event in
            notes.add(event.debugDescription)
            if notes.lines.count < 5 { observer?.onNext(1) }
        }
        observer?.onCompleted()
        XCTAssertEqual(notes.lines, ["next(completed)", "completed"])
        subscription.dispose()
    }
}
