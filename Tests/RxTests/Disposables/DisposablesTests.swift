import Rx
import XCTest

final class DisposablesTests: XCTestCase {
    private var log: [String] = []

    private func entry(_ name: String) -> any Disposable { Disposables.create { self.log.append(name) } }

    private final class Token {}

    func testCreateWith_disposedTwice_runsOnce() {
        let before = Resources.total
        do {
            let disposable = Disposables.create { self.log.append("ran") }
            XCTAssertEqual(Resources.total, before + 1)
            XCTAssertFalse(disposable.isDisposed)
            disposable.dispose()
            disposable.dispose()
            XCTAssertTrue(disposable.isDisposed)
        }
        XCTAssertEqual(log, ["ran"])
        assertResourcesBack(to: before)
    }

    func testCreateWith_disposed_releasesItsClosure() {
        weak var weakToken: Token?
        let disposable: any Disposable
        do {
            let token = Token()
            weakToken = token
            disposable = Disposables.create { _ = token }
        }
        XCTAssertNotNil(weakToken)
        disposable.dispose()
        XCTAssertNil(weakToken)
    }

    func testCreate_withoutArguments_countsNoResource() {
        let before = Resources.total
        let disposable = Disposables.create()
        disposable.dispose()
        assertResourcesBack(to: before)
    }

    func testCreate_ofSeveral_disposesEachOnceInOrder() {
        let before = Resources.total
        do {
            let groups: [any Cancelable] = [
                Disposables.create(entry("1"), entry("2")),
                Disposables.create(entry("3"), entry("4"), entry("5")),
                Disposables.create(entry("6"), entry("7"), entry("8"), entry("9"), entry("10")),
                Disposables.create([entry("11"), entry("12")]),
            ]
            XCTAssertEqual(groups.map(\.isDisposed), [false, false, false, false])
            for group in groups + groups { group.dispose() }
            XCTAssertEqual(groups.map(\.isDisposed), [true, true, true, true])
        }
        XCTAssertEqual(log, (1...12).map(String.init))
        assertResourcesBack(to: before)
    }

    func testBoolean_disposed_isDisposed() {
        let before = Resources.total
        do {
            let open = BooleanDisposable()
            let closed = BooleanDisposable(isDisposed: true)
            XCTAssertFalse(open.isDisposed)
            XCTAssertTrue(closed.isDisposed)
            open.dispose()
            XCTAssertTrue(open.isDisposed)
        }
        assertResourcesBack(to: before)
    }

    func testSerial_setAgain_disposesTheOneBefore() {
        let before = Resources.total
        do {
            let serial = SerialDisposable()
            serial.disposable = entry("first")
            XCTAssertEqual(log, [])
            serial.disposable = entry("second")
            XCTAssertEqual(log, ["first"])
            serial.dispose()
            serial.dispose()
            XCTAssertEqual(log, ["first", "second"])
            XCTAssertTrue(serial.isDisposed)
        }
        assertResourcesBack(to: before)
    }

    func testSerial_setAfterDispose_disposesAtOnceAndReturnsNop() {
        let before = Resources.total
        do {
            let serial = SerialDisposable()
            serial.dispose()
            serial.disposable = entry("late")
            XCTAssertEqual(log, ["late"])
            serial.disposable.dispose()
            XCTAssertFalse(serial.disposable is any Cancelable)
        }
        assertResourcesBack(to: before)
    }

    func testSerial_replacedFromInsideTheDisposalOfItsContent_doesNotDeadlock() {
        let serial = SerialDisposable()
        serial.disposable = Disposables.create { serial.disposable = self.entry("inner") }
        serial.disposable = entry("outer")
        XCTAssertEqual(log, ["outer"])
        serial.dispose()
        XCTAssertEqual(log, ["outer", "inner"])
    }

    func testSingleAssignment_setThenDisposed_disposesOnce() {
        let before = Resources.total
        do {
            let single = SingleAssignmentDisposable()
            single.setDisposable(entry("it"))
            XCTAssertFalse(single.isDisposed)
            single.dispose()
            single.dispose()
            XCTAssertTrue(single.isDisposed)
        }
        XCTAssertEqual(log, ["it"])
        assertResourcesBack(to: before)
    }

    func testSingleAssignment_disposedThenSet_disposesWhatIsSet() {
        let before = Resources.total
        do {
            let single = SingleAssignmentDisposable()
            single.dispose()
            single.setDisposable(entry("late"))
            single.dispose()
        }
        XCTAssertEqual(log, ["late"])
        assertResourcesBack(to: before)
    }

    func testRefCount_retained_disposesWhenOwnerAndSharesAreGone() {
        let before = Resources.total
        do {
            let counted = RefCountDisposable(disposable: entry("inner"))
            let first = counted.retain()
            let second = counted.retain()
            counted.dispose()
            counted.dispose()
            first.dispose()
            first.dispose()
            XCTAssertEqual(log, [])
            XCTAssertFalse(counted.isDisposed)
            second.dispose()
            XCTAssertEqual(log, ["inner"])
            XCTAssertTrue(counted.isDisposed)
        }
        assertResourcesBack(to: before)
    }

    func testRefCount_retainedAfterItsEnd_givesNop() {
        let before = Resources.total
        do {
            let counted = RefCountDisposable(disposable: entry("inner"))
            counted.dispose()
            let atEnd = Resources.total
            let share = counted.retain()
            assertResourcesBack(to: atEnd)
            share.dispose()
            XCTAssertEqual(log, ["inner"])
        }
        assertResourcesBack(to: before)
    }

    func testScheduled_disposed_disposesOnTheSchedulerOnce() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            let scheduled = ScheduledDisposable(scheduler: scheduler, disposable: entry("inner"))
            scheduled.dispose()
            scheduled.dispose()
            XCTAssertEqual(log, [])
            XCTAssertFalse(scheduled.isDisposed)
            scheduler.start()
            XCTAssertEqual(log, ["inner"])
            XCTAssertTrue(scheduled.isDisposed)
        }
        assertResourcesBack(to: before)
    }
}
