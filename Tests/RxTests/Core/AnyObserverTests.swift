import Rx
import XCTest

final class AnyObserverTests: XCTestCase {
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
