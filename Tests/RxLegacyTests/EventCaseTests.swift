import Rx
import RxLegacy
import XCTest

/// Events with the names that their cases had before version 3.
final class EventCaseTests: XCTestCase {
    fileprivate enum Planted: Error { case fault, other }
}

@available(*, deprecated, message: "It uses deprecated names.")
extension EventCaseTests {
    private func events<Element>(of sequence: Observable<Element>) -> [String] {
        var events: [String] = []
        _ = sequence.subscribe { events.append($0.debugDescription) }
        return events
    }

    func testCapitalisedCases_makeEvents() {
        let sequence = Observable<String>.create { observer in
            observer.on(.Next("a"))
            observer.on(.Completed)
            return NopDisposable.instance
        }
        XCTAssertEqual(events(of: sequence), ["next(a)", "completed"])
        let failing = Observable<String>.create { observer in
            observer.on(.Error(Planted.fault))
            return AnonymousDisposable {}
        }
        XCTAssertEqual(events(of: failing), ["error(fault)"])
    }

    func testCapitalisedCases_asPatternsThatBindNothing_match() {
        func name(_ event: Event<Int>) -> String {
            switch event {
            case .Next(1): "one"
            case .Next(2): "two"
            case .Error(Planted.fault): "fault"
            case .Completed: "completed"
            default: "another"
            }
        }
        XCTAssertEqual([.next(1), .next(2), .next(3), .completed].map(name), ["one", "two", "another", "completed"])
        XCTAssertEqual(name(.error(Planted.fault)), "fault")
        XCTAssertEqual(name(.error(Planted.other)), "another")
    }

    func testCompleted_asAPattern_needsNoComparableElement() {
        struct Opaque {}
        func isOver(_ event: Event<Opaque>) -> Bool {
            if case .Completed = event { true } else { false }
        }
        XCTAssertTrue(isOver(.completed))
        XCTAssertFalse(isOver(.next(Opaque())))
        XCTAssertFalse(isOver(.error(Planted.fault)))
    }

    func testOldAndNewPatterns_inOneSwitch_match() {
        func name(_ event: Event<Int>) -> String {
            switch event {
            case .next(let value): "next \(value)"
            case .error(let error): "error \(error)"
            case .Completed: "completed"
            default: "never"
            }
        }
        XCTAssertEqual(
            [.next(1), .error(Planted.fault), .completed].map(name), ["next 1", "error fault", "completed"])
    }

    func testSingle_endedWithError_fails() {
        let single = Single<Int>.create { single in
            single(.error(Planted.fault))
            return Disposables.create()
        }
        var seen: [String] = []
        _ = single.subscribe(onSuccess: { seen.append("\($0)") }, onError: { seen.append("\($0)") })
        XCTAssertEqual(seen, ["fault"])
    }

    func testElementType_underItsOldName_isTheSame() {
        func first<Source: ObservableType>(of source: Source) -> [Source.E] {
            var seen: [Source.E] = []
            _ = source.take(1).subscribe(onNext: { seen.append($0) })
            return seen
        }
        XCTAssertEqual(first(of: Observable.of(1, 2)), [1])
        XCTAssertEqual(Observable<Int>.E.self == Int.self, true)
        XCTAssertEqual(AnyObserver<Int>.E.self == Int.self, true)
    }
}
