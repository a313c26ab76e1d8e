import Foundation
import Rx
import Testing
import XCTest

final class ControlTests: XCTestCase {
    /// A field that records on which thread it was subscribed to.
    private final class Field {
        let edits = PublishSubject<String?>()
        var text: String? = "now"
        let subscribedOnMain = Box<[Bool]>([])

        var property: ControlProperty<String?> {
            ControlProperty(values: values, valueSink: Binder<String?>(self) { $0.text = $1 })
        }
        var values: Observable<String?> {
            .deferred { [self] in
                subscribedOnMain.value.append(Thread.isMainThread)
                return edits.startWith(text)
            }
        }
    }

    private func drainMainQueue() {
        let drained = expectation(description: "drained")
        DispatchQueue.main.async { drained.fulfill() }
        wait(for: [drained], timeout: 20)
    }

    // MARK: ControlProperty

    func testProperty_sendsTheValueNowAndChanges() {
        let field = Field()
        let notes = Notes()
        let subscription = field.property.asControlProperty().record(in: notes)
        field.edits.onNext("typed")
        field.edits.onNext(nil)
        XCTAssertEqual(notes.lines, ["next(Optional(\"now\"))", "next(Optional(\"typed\"))", "next(nil)"])
        subscription.dispose()
    }

    func testProperty_boundTo_setsItsSinkAndSendsNothing() {
        let field = Field()
        let notes = Notes()
        let subscription = field.property.record(in: notes)
        _ = Observable.of("set").bind(to: field.property)
        XCTAssertEqual(field.text, "set")
        XCTAssertEqual(notes.lines, ["next(Optional(\"now\"))"])
        subscription.dispose()
    }

    func testProperty_atCompletion_completesItsSink() {
        let sink = PublishSubject<Int>()
        let notes = Notes()
        _ = sink.record(in: notes)
        let property = ControlProperty(values: Observable<Int>.never(), valueSink: sink)
        property.onNext(1)
        property.onCompleted()
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
    }

    func testChanged_leavesOutTheValueNow() {
        let field = Field()
        let notes = Notes()
        let subscription = field.property.changed.record(in: notes)
        field.edits.onNext("typed")
        XCTAssertEqual(notes.lines, ["next(Optional(\"typed\"))"])
        subscription.dispose()
    }

    func testOrEmpty_hasAnEmptyTextInPlaceOfNil_andPassesTextsOn() {
        let field = Field()
        let notes = Notes()
        let subscription = field.property.orEmpty.record(in: notes)
        field.edits.onNext(nil)
        XCTAssertEqual(notes.lines, ["next(now)", "next()"])
        field.property.orEmpty.onNext("set")
        XCTAssertEqual(field.text, "set")
        subscription.dispose()
    }

    func testProperty_subscribedFromTheBackground_isSubscribedOnTheMainQueue() {
        let field = Field()
        let property = field.property
        let subscription = Box<(any Disposable)?>(nil)
        JoinedThread { subscription.value = property.subscribe() }.join()
        XCTAssertEqual(field.subscribedOnMain.value, [])
        drainMainQueue()
        XCTAssertEqual(field.subscribedOnMain.value, [true])
        subscription.value?.dispose()
    }

    func testProperty_asDriver_sendsTheValueNowAndChanges() {
        let field = Field()
        let relay = BehaviorRelay<String?>(value: nil)
        let subscription = field.property.asDriver().drive(relay)
        XCTAssertEqual(relay.value, "now")
        field.edits.onNext("typed")
        XCTAssertEqual(relay.value, "typed")
        subscription.dispose()
    }

    // MARK: ControlEvent

    func testEvent_sendsWhatHappens_andReplaysNothing() {
        let taps = PublishSubject<Int>()
        let notes = Notes()
        let event = ControlEvent(events: taps).asControlEvent()
        taps.onNext(0)
        let subscriptions = [
            event.record(in: notes), event.asSignal().emit(onNext: { notes.add("signal \($0)") }),
            event.asDriver().drive(onNext: { notes.add("driver \($0)") }),
            event.asInfallible().subscribe(onNext: { notes.add("infallible \($0)") }),
        ]
        taps.onNext(1)
        XCTAssertEqual(notes.lines, ["next(1)", "signal 1", "driver 1", "infallible 1"])
        subscriptions.forEach { $0.dispose() }
        XCTAssertFalse(taps.hasObservers)
    }

    func testEvent_subscribedFromTheBackground_isSubscribedOnTheMainQueue() {
        let isMain = Box<[Bool]>([])
        let event = ControlEvent(
            events: Observable<Int>.deferred {
                isMain.value.append(Thread.isMainThread)
                return .never()
            })
        let subscription = Box<(any Disposable)?>(nil)
        JoinedThread { subscription.value = event.subscribe() }.join()
        drainMainQueue()
        XCTAssertEqual(isMain.value, [true])
        subscription.value?.dispose()
    }

    // MARK: Both

    func testControls_inEveryWayToEnd_returnEveryResource() {
        let before = Resources.total
        for completes in [true, false] {
            let values = PublishSubject<String?>()
            let sink = PublishSubject<String?>()
            let property = ControlProperty(values: values, valueSink: sink)
            let subscriptions = [
                property.subscribe(), property.orEmpty.subscribe(), property.changed.subscribe(),
                property.asDriver().drive(),
                ControlEvent(events: values).asSignal().emit(),
            ]
            values.onNext("a")
            property.onNext("b")
            property.orEmpty.onNext("c")
            if completes { values.onCompleted() } else { subscriptions.forEach { $0.dispose() } }
        }
        assertResourcesBack(to: before)
    }

    func testError_hasAMessageForEachCase() {
        let errors: [(RxCocoaError, String)] = [
            (.unknown, "Unknown error occurred."),
            (.invalidOperation(object: "list"), "The operation is not possible now on 'list'."),
            (.itemsNotYetBound(object: "list"), "No items are bound to 'list' yet."),
            (.invalidPropertyName(object: "list", propertyName: "size"), "'list' has no property 'size'."),
            (.errorDuringSwizzling, "A method could not be intercepted."),
            (.castingError(object: "list", targetType: Int.self), "'list' is not a 'Int'."),
        ]
        for (error, text) in errors { XCTAssertEqual(error.debugDescription, text) }
        let source = LifetimeProbe()
        let nested = RxCocoaError.invalidObjectOnKeyPath(object: 1, sourceObject: source, propertyName: "size")
        XCTAssertTrue(
            nested.debugDescription.hasPrefix("'1' cannot be observed. It is the value of 'size' on the key path of '"))
    }
}

#if DEBUG
    /// Each runs in a separate process, because it ends the program.
    @Suite struct ErrorAtControlTests {
        @Test func errorSentToAPropertyIsFatalInDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                ControlProperty(values: Observable<Int>.never(), valueSink: PublishSubject<Int>()).onError(
                    RxError.unknown)
            }
        }

        @Test func errorOfAnEventIsFatalInDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                // Runs on the main actor, so that nothing is left to a later turn.
                await MainActor.run {
                    _ = ControlEvent(events: Observable<Int>.error(RxError.unknown)).asDriver().drive()
                }
            }
        }
    }
#endif
