import Rx
import XCTest

final class BufferWithTriggerTests: XCTestCase {
    private let source = PublishSubject<Int>()
    private let trigger = PublishSubject<Void>()
    private let notes = Notes()

    func testBufferWithTrigger_sendsWhatHasComeSinceTheLastArray() {
        let subscription = source.bufferWithTrigger(trigger).record(in: notes)
        source.onNext(1)
        source.onNext(2)
        trigger.onNext(())
        trigger.onNext(())
        source.onNext(3)
        source.onCompleted()
        XCTAssertEqual(notes.lines, ["next([1, 2])", "next([])", "next([3])", "completed"])
        XCTAssertFalse(trigger.hasObservers)
        subscription.dispose()
    }

    func testBufferWithTrigger_whoseTriggerEnds_ends() {
        let subscription = source.bufferWithTrigger(trigger).record(in: notes)
        source.onNext(1)
        trigger.onCompleted()
        XCTAssertEqual(notes.lines, ["next([1])", "completed"])
        XCTAssertFalse(source.hasObservers)
        subscription.dispose()
    }

    func testBufferWithTrigger_ofAnError_dropsWhatHasCome() {
        let subscription = source.bufferWithTrigger(trigger).record(in: notes)
        source.onNext(1)
        source.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["error(fault)"])
        subscription.dispose()
    }

    func testBufferWithTrigger_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.bufferWithTrigger(Observable<Void>.never()) }
        assertResourcesBack(to: before)
    }
}
