import Rx
import XCTest

/// Calls every public name of controls, drivers, signals and their targets in the form that users write.
final class BindingFormsTests: XCTestCase {
    private final class Label { var text = "", count: Int? }

    private let notes = Notes()

    func testDrive() {
        let notes = notes
        let driver = Driver.just(1)
        let label = Label()
        let subject = PublishSubject<Int>()
        let optional = PublishSubject<Int?>()
        let behavior = BehaviorRelay(value: 0)
        let optionalBehavior = BehaviorRelay<Int?>(value: nil)
        let replay = ReplayRelay<Int>.createUnbound()
        let optionalReplay = ReplayRelay<Int?>.createUnbound()
        let records = [subject.record(in: notes), optional.record(in: notes)]
        driver.drive(subject, subject).dispose()
        driver.drive(optional).dispose()
        driver.drive(Binder(label) { $0.count = $1 }).dispose()
        driver.drive(behavior, behavior).dispose()
        driver.drive(optionalBehavior).dispose()
        driver.drive(replay).dispose()
        driver.drive(optionalReplay).dispose()
        driver.drive().dispose()
        driver.drive(onNext: { notes.add("\($0)") }).dispose()
        driver.drive(
            onNext: { notes.add("\($0)") }, onCompleted: { notes.add("completed") },
            onDisposed: { notes.add("disposed") }
        ).dispose()
        driver.drive(
            with: notes, onNext: { $0.add("\($1)") }, onCompleted: { $0.add("completed") },
            onDisposed: { $0.add("disposed") }
        ).dispose()
        driver.drive(with: notes) { notes, value in notes.add("\(value)") }.dispose()
        XCTAssertEqual(driver.drive { $0.map { $0 + 1 } }.synchronousEvents, ["next(2)", "completed"])
        func add(_ source: Observable<Int>) -> (Int) -> Observable<Int> { { more in source.map { $0 + more } } }
        XCTAssertEqual(driver.drive(add, curriedArgument: 5).synchronousEvents, ["next(6)", "completed"])
        XCTAssertEqual(
            notes.lines,
            [
                "next(1)", "next(1)", "completed", "next(Optional(1))", "completed", "1", "1", "completed", "disposed",
                "1", "completed", "disposed", "1",
            ])
        XCTAssertEqual(label.count, 1)
        XCTAssertEqual(behavior.value, 1)
        XCTAssertEqual(optionalBehavior.value, 1)
        XCTAssertEqual(replay.synchronousEvents, ["next(1)"])
        XCTAssertEqual(optionalReplay.synchronousEvents, ["next(Optional(1))"])
        records.forEach { $0.dispose() }
    }

    func testEmit() {
        let notes = notes
        let signal = Signal.just(1)
        let subject = PublishSubject<Int>()
        let optional = PublishSubject<Int?>()
        let behavior = BehaviorRelay(value: 0)
        let optionalBehavior = BehaviorRelay<Int?>(value: nil)
        let publish = PublishRelay<Int>()
        let optionalPublish = PublishRelay<Int?>()
        let replay = ReplayRelay<Int>.createUnbound()
        let optionalReplay = ReplayRelay<Int?>.createUnbound()
        let records = [
            subject.record(in: notes), optional.record(in: notes), publish.record(in: notes),
            optionalPublish.record(in: notes),
        ]
        signal.emit(to: subject, subject).dispose()
        signal.emit(to: optional).dispose()
        signal.emit(to: behavior, behavior).dispose()
        signal.emit(to: optionalBehavior).dispose()
        signal.emit(to: publish).dispose()
        signal.emit(to: optionalPublish).dispose()
        signal.emit(to: replay).dispose()
        signal.emit(to: optionalReplay).dispose()
        signal.emit().dispose()
        signal.emit(onNext: { notes.add("\($0)") }).dispose()
        signal.emit(
            onNext: { notes.add("\($0)") }, onCompleted: { notes.add("completed") },
            onDisposed: { notes.add("disposed") }
        ).dispose()
        signal.emit(
            with: notes, onNext: { $0.add("\($1)") }, onCompleted: { $0.add("completed") },
            onDisposed: { $0.add("disposed") }
        ).dispose()
        signal.emit(with: notes) { notes, value in notes.add("\(value)") }.dispose()
        XCTAssertEqual(
            notes.lines,
            [
                "next(1)", "next(1)", "completed", "next(Optional(1))", "completed", "next(1)", "next(Optional(1))",
                "1", "1", "completed", "disposed", "1",
                "completed", "disposed", "1",
            ])
        XCTAssertEqual(behavior.value, 1)
        XCTAssertEqual(optionalBehavior.value, 1)
        XCTAssertEqual(replay.synchronousEvents, ["next(1)"])
        XCTAssertEqual(optionalReplay.synchronousEvents, ["next(Optional(1))"])
        records.forEach { $0.dispose() }
    }

    // MARK: Controls

    /// The code that the author of a control's extension writes.
    private func texts<Property: ControlPropertyType>(of property: Property) -> ControlProperty<Property.Element> {
        property.asControlProperty()
    }
    private func taps<Taps: ControlEventType>(of event: Taps) -> ControlEvent<Taps.Element> { event.asControlEvent() }

    func testControlEvent() {
        let notes = notes
        let taps = PublishSubject<Int>()
        let event: ControlEvent<Int> = ControlEvent(events: taps)
        let subscriptions = [
            event.subscribe(onNext: { notes.add("\($0)") }), event.asObservable().record(in: notes),
            event.asDriver().record(in: notes),
            event.asSignal().record(in: notes), event.asInfallible().record(in: notes),
            self.taps(of: event).record(in: notes),
            event.map { $0 + 1 }.record(in: notes),
        ]
        taps.onNext(1)
        XCTAssertEqual(notes.lines, ["1", "next(1)", "next(1)", "next(1)", "next(1)", "next(1)", "next(2)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testControlProperty() {
        let notes = notes
        let edits = BehaviorSubject<String?>(value: nil)
        let label = Label()
        let property = ControlProperty(values: edits, valueSink: Binder<String?>(label) { $0.text = $1 ?? "" })
        let changed: ControlEvent<String?> = property.changed
        let filled: ControlProperty<String> = property.orEmpty
        let subscriptions = [
            property.record(in: notes), changed.record(in: notes), filled.record(in: notes),
            property.asDriver().record(in: notes),
            texts(of: filled).record(in: notes), property.asObservable().map { $0 ?? "-" }.record(in: notes),
        ]
        XCTAssertEqual(notes.lines, ["next(nil)", "next()", "next(nil)", "next()", "next(-)"])
        edits.onNext("a")
        XCTAssertEqual(notes.lines.count, 11)
        property.onNext("b")
        XCTAssertEqual(label.text, "b")
        filled.on(.next("c"))
        XCTAssertEqual(label.text, "c")
        Observable.just("d").bind(to: property).dispose()
        XCTAssertEqual(label.text, "d")
        Observable.just("e").bind(to: filled).dispose()
        XCTAssertEqual(label.text, "e")
        Driver.just("f").drive(property).dispose()
        XCTAssertEqual(label.text, "f")
        subscriptions.forEach { $0.dispose() }
    }

    // MARK: Errors

    func testRxCocoaError() {
        let errors: [RxCocoaError] = [
            .unknown, .invalidOperation(object: 1), .itemsNotYetBound(object: 1),
            .invalidPropertyName(object: 1, propertyName: "a"),
            .invalidObjectOnKeyPath(object: 1, sourceObject: self, propertyName: "a"), .errorDuringSwizzling,
            .castingError(object: 1, targetType: String.self),
        ]
        XCTAssertTrue(errors.allSatisfy { !($0 as any CustomDebugStringConvertible).debugDescription.isEmpty })
    }
}
