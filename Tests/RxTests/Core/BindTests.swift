import Rx
import XCTest

final class BindTests: XCTestCase {
    private final class Label { var text = "" }

    private let source = PublishSubject<String>()

    func testBind_toAFunction_deliversValues() {
        var seen: [String] = []
        let binding = source.bind(onNext: { seen.append($0) })
        source.onNext("a")
        binding.dispose()
        source.onNext("b")
        XCTAssertEqual(seen, ["a"])
    }

    func testBind_withAnObject_deliversWhileItLives() {
        var label: Label? = Label()
        weak let weakly = label
        var calls = 0
        _ = source.bind(with: label!) { label, text in
            label.text = text
            calls += 1
        }
        source.onNext("a")
        XCTAssertEqual(label?.text, "a")
        label = nil
        XCTAssertNil(weakly)
        source.onNext("b")
        XCTAssertEqual(calls, 1)
    }

    func testBind_toObservers_deliversEveryEvent() {
        let first = PublishSubject<String>()
        let second = PublishSubject<String>()
        let notes = Notes()
        _ = first.record(in: notes)
        _ = second.record(in: notes)
        _ = source.bind(to: first, second)
        source.onNext("a")
        source.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["next(a)", "next(a)", "error(fault)", "error(fault)"])
    }

    func testBind_toObserversOfOptionals_deliversEveryEvent() {
        let optional = PublishSubject<String?>()
        let notes = Notes()
        _ = optional.record(in: notes)
        _ = source.bind(to: optional)
        source.onNext("a")
        source.onCompleted()
        XCTAssertEqual(notes.lines, ["next(Optional(\"a\"))", "completed"])
    }

    func testBind_toABinder_setsTheProperty() {
        let label = Label()
        _ = source.bind(to: Binder(label) { $0.text = $1 })
        source.onNext("now")
        XCTAssertEqual(label.text, "now")
    }

    func testBind_toATransformation_returnsWhatItMakes() {
        let lengths = source.bind(to: { $0.map(\.count) })
        var seen: [Int] = []
        _ = lengths.subscribe(onNext: { seen.append($0) })
        source.onNext("abc")
        XCTAssertEqual(seen, [3])
    }

    func testBind_toACurriedTransformation_handsItTheArgument() {
        func prefixed(_ source: Observable<String>) -> (String) -> Observable<String> {
            { prefix in source.map { prefix + $0 } }
        }
        var seen: [String] = []
        _ = source.asObservable().bind(to: prefixed, curriedArgument: "> ").subscribe(onNext: { seen.append($0) })
        source.onNext("a")
        XCTAssertEqual(seen, ["> a"])
    }

    func testBind_whenCompletedOrDisposed_returnsEveryResource() {
        let before = Resources.total
        for completes in [true, false] {
            let source = PublishSubject<Int>()
            let target = PublishSubject<Int>()
            let label = Label()
            let bindings = [
                source.bind(onNext: { _ in }), source.bind(to: target), source.bind(with: label) { _, _ in },
                source.bind(to: target, target),
            ]
            source.onNext(1)
            if completes { source.onCompleted() } else { bindings.forEach { $0.dispose() } }
        }
        assertResourcesBack(to: before)
    }
}
