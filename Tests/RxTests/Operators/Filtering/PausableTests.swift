import Rx
import XCTest

final class PausableTests: XCTestCase {
    private let source = PublishSubject<Int>()
    private let pauser = PublishSubject<Bool>()
    private let notes = Notes()

    func testPausable_letsElementsPassWhileItIsTrue() {
        let subscription = source.pausable(pauser).record(in: notes)
        source.onNext(1)
        pauser.onNext(true)
        source.onNext(2)
        pauser.onNext(false)
        source.onNext(3)
        pauser.onNext(true)
        pauser.onCompleted()
        source.onNext(4)
        source.onCompleted()
        XCTAssertEqual(notes.lines, ["next(2)", "next(4)", "completed"])
        subscription.dispose()
    }

    func testPausableBuffered_sendsTheLatestThatWaited() {
        for (limit, expected) in [(1 as Int?, ["3"]), (2, ["2", "3"]), (nil, ["1", "2", "3"]), (0, [])] {
            let notes = Notes()
            let subscription = source.pausableBuffered(pauser, limit: limit).record(in: notes)
            for value in 1...3 { source.onNext(value) }
            XCTAssertEqual(notes.lines, [])
            pauser.onNext(true)
            XCTAssertEqual(notes.lines, expected.map { "next(\($0))" })
            source.onNext(4)
            XCTAssertEqual(notes.lines, expected.map { "next(\($0))" } + ["next(4)"])
            subscription.dispose()
        }
    }

    func testPausableBuffered_atAnEnd_sendsWhatWaits_orDropsIt() {
        for flushes in [true, false] {
            for end in [Event<Int>.completed, .error(Planted.fault)] {
                let source = PublishSubject<Int>()
                let notes = Notes()
                let subscription = source.pausableBuffered(
                    pauser, flushOnCompleted: flushes, flushOnError: flushes
                ).record(in: notes)
                source.onNext(1)
                source.on(end)
                XCTAssertEqual(notes.lines, (flushes ? ["next(1)"] : []) + [end.debugDescription])
                subscription.dispose()
            }
        }
    }

    func testPausable_ofAPauserThatFails_fails() {
        let subscription = source.pausable(pauser).record(in: notes)
        pauser.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["error(fault)"])
        XCTAssertFalse(source.hasObservers)
        subscription.dispose()
    }

    func testPausable_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.pausable(Observable.just(true)) }
        runToEveryEnd { $0.pausableBuffered(Observable.just(false), limit: nil) }
        assertResourcesBack(to: before)
    }
}
