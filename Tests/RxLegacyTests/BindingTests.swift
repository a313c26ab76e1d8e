import Rx
import RxLegacy
import XCTest

/// Bindings in the form that was used before version 4.
final class BindingTests: XCTestCase {
    fileprivate final class Label { var text: String? = "" }

    fileprivate enum Planted: Error { case fault }

    fileprivate let source = PublishSubject<String>()
    fileprivate var seen: [String] = []
}

@available(*, deprecated, message: "It uses deprecated names.")
extension BindingTests {
    func testBindTo_anObserver_deliversEveryEvent() {
        let target = PublishSubject<String>()
        let subscription = target.subscribe { self.seen.append($0.debugDescription) }
        let bag = DisposeBag()
        source.bindTo(target).addDisposableTo(bag)
        source.onNext("a")
        source.onError(Planted.fault)
        XCTAssertEqual(seen, ["next(a)", "error(fault)"])
        subscription.dispose()
    }

    func testBindTo_anObserverOfOptionals_deliversEveryEvent() {
        let target = PublishSubject<String?>()
        let subscription = target.subscribe { self.seen.append($0.debugDescription) }
        let binding = source.bindTo(target)
        source.onNext("a")
        source.onCompleted()
        XCTAssertEqual(seen, ["next(Optional(\"a\"))", "completed"])
        subscription.dispose()
        binding.dispose()
    }

    func testBindTo_aUIBindingObserver_setsTheProperty_whileTheObjectLives() {
        var label: Label? = Label()
        weak let weakly = label
        let text = UIBindingObserver<Label, String>(UIElement: label!) { label, text in label.text = text }
        let binding = source.bindTo(text)
        source.onNext("hello")
        XCTAssertEqual(label?.text, "hello")
        label = nil
        XCTAssertNil(weakly)
        source.onNext("nobody")
        binding.dispose()
    }

    func testUIBindingObserver_asAnObserver_takesEvents() {
        let label = Label()
        let observer = UIBindingObserver(UIElement: label) { (label: Label, text: String) in label.text = text }
            .asObserver()
        observer.onNext("x")
        XCTAssertEqual(label.text, "x")
    }

    func testBindTo_aFunction_returnsWhatItMakes() {
        func rows(_ source: Observable<[Int]>) -> (@escaping (Int) -> String) -> any Disposable {
            { cell in source.subscribe(onNext: { self.seen += $0.map(cell) }) }
        }
        let lengths = source.bindTo { $0.map(\.count) }
        let subscription = lengths.bindNext { self.seen.append("\($0)") }
        source.onNext("abc")
        _ = Observable.just([1, 2]).bindTo(rows) { "row \($0)" }
        XCTAssertEqual(seen, ["3", "row 1", "row 2"])
        subscription.dispose()
    }

    func testDriveNext_receivesValues() {
        let bag = DisposeBag()
        let results = source.asDriver(onErrorJustReturn: "none")
        results.driveNext { self.seen.append($0) }.addDisposableTo(bag)
        source.onNext("a")
        source.onError(Planted.fault)
        XCTAssertEqual(seen, ["a", "none"])
    }

    func testEachBinding_whenDisposed_returnsEveryResource() {
        let before = Resources.total
        do {
            let source = PublishSubject<String>()
            let target = PublishSubject<String>()
            let label = Label()
            let bindings = [
                source.bindTo(target), source.bindNext { _ in },
                source.bindTo(
                    UIBindingObserver(UIElement: label) { (label: Label, text: String) in label.text = text }),
                source.asDriver(onErrorJustReturn: "").driveNext { _ in },
            ]
            source.onNext("a")
            bindings.forEach { $0.dispose() }
        }
        XCTAssertEqual(Resources.total, before)
    }
}
