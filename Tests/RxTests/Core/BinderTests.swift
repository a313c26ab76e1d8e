import Foundation
import Rx
import Testing
import XCTest

final class BinderTests: XCTestCase {
    final class Label {
        var text = ""
        var changes: [String] = []
    }

    func testBinder_setsTheTarget() {
        let label = Label()
        let binder = Binder<String>(label, scheduler: InlineScheduler()) { $0.changes.append($1) }
        binder.onNext("a")
        binder.onNext("b")
        XCTAssertEqual(label.changes, ["a", "b"])
    }

    func testBinder_atCompletion_doesNothingAndGoesOn() {
        let label = Label()
        let binder = Binder<String>(label, scheduler: InlineScheduler()) { $0.changes.append($1) }
        binder.onCompleted()
        binder.onNext("a")
        XCTAssertEqual(label.changes, ["a"])
    }

    func testBinder_doesNotKeepTheTarget_andDropsValuesAfterIt() {
        var label: Label? = Label()
        var calls = 0
        weak let weakly = label
        let binder = label.map { Binder<String>($0, scheduler: InlineScheduler()) { _, _ in calls += 1 } }
        binder?.onNext("a")
        label = nil
        XCTAssertNil(weakly)
        binder?.onNext("b")
        XCTAssertEqual(calls, 1)
    }

    func testBinder_onTheMainQueue_bindsAtOnce() {
        let label = Label()
        Binder<String>(label) { $0.text = $1 }.onNext("now")
        XCTAssertEqual(label.text, "now")
    }

    func testBinder_offTheMainQueue_bindsOnTheMainQueue() {
        let boundOnMain = Box<Bool?>(nil)
        let label = Label()
        let binder = Sent(Binder<String>(label) { _, _ in boundOnMain.value = Thread.isMainThread })
        JoinedThread { binder.value.onNext("a") }.join()
        XCTAssertNil(boundOnMain.value)
        let drained = expectation(description: "drained")
        DispatchQueue.main.async { drained.fulfill() }
        wait(for: [drained], timeout: 20)
        XCTAssertEqual(boundOnMain.value, true)
    }

    func testBinder_whoseTargetGoesWhileAValueIsQueued_isNotCalled() {
        let scheduler = HistoricalScheduler()
        var label: Label? = Label()
        var calls = 0
        label.map { Binder<String>($0, scheduler: scheduler) { _, _ in calls += 1 } }?.onNext("a")
        label = nil
        scheduler.start()
        XCTAssertEqual(calls, 0)
    }

    func testBinder_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for completes in [true, false] {
            let label = Label()
            let source = PublishSubject<String>()
            let subscription = source.subscribe(Binder<String>(label, scheduler: InlineScheduler()) { $0.text = $1 })
            source.onNext("a")
            XCTAssertEqual(label.text, "a")
            if completes { source.onCompleted() } else { subscription.dispose() }
        }
        assertResourcesBack(to: before)
    }
}

/// Runs in a separate process, because it ends the program.
@Suite struct BindingErrorTests {
    private final class Target {}

    #if DEBUG
        @Test func errorThatReachesABinderIsFatalInDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                Binder<Int>(Target()) { _, _ in }.onError(RxError.unknown)
            }
        }
    #else
        @Test func errorThatReachesABinderIsSurvivedInReleaseBuilds() {
            Binder<Int>(Target()) { _, _ in }.onError(RxError.unknown)
        }
    #endif
}
