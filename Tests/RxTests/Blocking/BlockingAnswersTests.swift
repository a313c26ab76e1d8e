import Foundation
import Rx
import RxBlocking
import XCTest

/// A blocking call takes the elements that decide its answer, and then disposes, as users expect. Each row has the
/// answer and the elements that the source still produced.
final class BlockingAnswersTests: XCTestCase {
    private struct Row {
        /// The output of the reference.
        let expected: String
        /// Adds the observed elements to the notes, and returns the answer.
        let answer: (Notes) -> String

        init(_ expected: String, _ answer: @escaping (Notes) -> String) {
            self.expected = expected
            self.answer = answer
        }
    }

    private static var rows: [Row] {
        [
            Row("blocking first of3 onNext count: Optional(1) seen 1") { notes in
                let answer = try? Observable.of(1, 2, 3).do(onNext: { notes.add("\($0)") }).toBlocking().first()
                return "\(String(describing: answer)) seen \(notes.text)"
            },
            Row("blocking single of4 onNext count: nil seen Optional(1) Optional(2)") { notes in
                let answer = try? Observable<Int?>.of(1, 2, 3, 4).do(onNext: { notes.add("\(String(describing: $0))") })
                    .toBlocking().single()
                return "\(String(describing: answer)) seen \(notes.text)"
            },
            Row("blocking single pred throws of4: nil seen Optional(1)") { notes in
                let answer = try? Observable<Int?>.of(1, 2, 3, 4).toBlocking().single {
                    notes.add("\(String(describing: $0))")
                    throw Planted.fault
                }
                return "\(String(describing: answer)) seen \(notes.text)"
            },
            Row("blocking first just3 create: Optional(1) seen 1 m1 2 m2 3 m3 d") { notes in
                let three = Observable<Int>.create { observer in
                    for number in 1...3 {
                        notes.add("\(number)")
                        observer.onNext(number)
                    }
                    observer.onCompleted()
                    return Disposables.create { notes.add("d") }
                }
                let mapped = three.map { number in
                    notes.add("m\(number)")
                    return number
                }
                let answer = try? mapped.toBlocking().first()
                return "\(String(describing: answer)) seen \(notes.text)"
            },
            Row("blocking first repeatElement: Optional(1)") { _ in
                String(describing: try? Observable.repeatElement(1).toBlocking().first())
            },
            Row("blocking first generate infinite: Optional(0)") { _ in
                String(
                    describing: try? Observable.generate(initialState: 0, condition: { _ in true }, iterate: { $0 + 1 })
                        .toBlocking().first())
            },
            Row("blocking first from infinite sequence: Optional(1)") { _ in
                String(describing: try? Observable.from(1...).do(onNext: { _ in }).toBlocking().first())
            },
            Row("blocking first interval0 cur: Optional(0)") { _ in
                let scheduler = SerialDispatchQueueScheduler(qos: .default)
                return String(
                    describing: try? Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).toBlocking()
                        .first())
            },
            Row("blocking pred throws repeatElement: nil") { _ in
                String(describing: try? Observable.repeatElement(1).toBlocking().single { _ in throw Planted.fault })
            },
            // The reference hangs.
            Row("blocking timeout repeatElement: failed(elements: [], error: Sequence timeout.)") { _ in
                "\(Observable.repeatElement(1).filter { _ in false }.toBlocking(timeout: 0.05).materialize())"
            },
            Row("blocking timeout elements: failed(elements: [1, 2], error: Sequence timeout.)") { _ in
                "\(Observable<Int>.concat([.of(1, 2), .never()]).toBlocking(timeout: 0.05).materialize())"
            },
            Row("blocking first dispose order: Optional(1) disposed returned") { notes in
                let answer = try? Observable.of(1, 2).do(onDispose: { notes.add("disposed") }).toBlocking().first()
                notes.add("returned")
                return "\(String(describing: answer)) \(notes.text)"
            },
        ]
    }

    func testAnswers_areThoseUsersKnow() {
        let before = Resources.total
        for row in Self.rows {
            let name = row.expected.prefix { $0 != ":" }
            var line = "\(name): HANGS"
            // Runs on another thread, so that a call that does not return fails the test instead of hanging it.
            guard returnsElsewhere({ line = "\(name): \(row.answer(Notes()))" }) else {
                return XCTFail("\(name): HANGS")
            }
            XCTAssertEqual(line, row.expected)
        }
        waitUntil { Resources.total <= before }
    }

    func testSingle_ofASourceThatIgnoresItsDisposal_asksThePredicateNoMore() {
        let asked = Notes()
        let deaf = Observable<Int>.create { observer in
            for number in 1...5 { observer.onNext(number) }
            observer.onCompleted()
            return Disposables.create()
        }
        XCTAssertNil(
            try? deaf.toBlocking().single {
                asked.add("\($0)")
                return true
            })
        XCTAssertEqual(asked.text, "1 2")
    }

    func testToArray_withTimeoutZero_takesWhatComesAtOnce() throws {
        XCTAssertEqual(try Observable.of(1, 2).toBlocking(timeout: 0).toArray(), [1, 2])
    }

    func testToArray_withEndlessTimeout_isTheElements() throws {
        XCTAssertEqual(try Observable.of(1, 2).toBlocking(timeout: .infinity).toArray(), [1, 2])
    }
}

extension Notes {
    fileprivate var text: String { lines.joined(separator: " ") }
}
