import Foundation
import Rx
import XCTest

final class DebugTests: XCTestCase {
    private let notes = Notes()

    private func log(_ identifier: String, trimsOutput: Bool = false) -> EventLog {
        let notes = notes
        var parts = DateComponents()
        (parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second) = (2024, 5, 1, 12, 30, 7)
        parts.nanosecond = 250_000_000
        let date = Calendar(identifier: .gregorian).date(from: parts)!
        return EventLog(identifier: identifier, trimsOutput: trimsOutput, now: { date }, write: { notes.add($0) })
    }

    func testDebug_untilCompletion_writesALineForEach() {
        _ = Observable.just(1).debug(log("one")).subscribe(onNext: { _ in })
        XCTAssertEqual(
            notes.lines,
            [
                "2024-05-01 12:30:07.250: one -> subscribed",
                "2024-05-01 12:30:07.250: one -> Event next(1)",
                "2024-05-01 12:30:07.250: one -> Event completed",
                "2024-05-01 12:30:07.250: one -> isDisposed",
            ])
    }

    func testDebug_untilError_writesIt() {
        _ = Observable<Int>.error(Planted.fault).debug(log("bad")).subscribe { _ in }
        XCTAssertEqual(
            notes.lines.map { $0.dropFirst(25) },
            [
                "bad -> subscribed", "bad -> Event error(fault)", "bad -> isDisposed",
            ])
    }

    func testDebug_disposed_writesItOnce() {
        let subscription = Observable<Int>.never().debug(log("long")).subscribe { _ in }
        subscription.dispose()
        subscription.dispose()
        XCTAssertEqual(notes.lines.map { $0.dropFirst(25) }, ["long -> subscribed", "long -> isDisposed"])
    }

    func testDebug_ofSourceThatIsReleased_writesItsDisposalFirst() {
        for end in [Event<Int>.completed, .error(Planted.fault), nil] {
            var observer: AnyObserver<Int>?
            let source = Observable<Int>.create {
                observer = $0
                return Disposables.create { self.notes.add("source disposed") }
            }
            let subscription = source.debug(log("d")).subscribe { _ in }
            if let end { observer?.on(end) }
            subscription.dispose()
            XCTAssertEqual(
                notes.lines.suffix(2), ["2024-05-01 12:30:07.250: d -> isDisposed", "source disposed"],
                "\(String(describing: end))")
        }
    }

    func testDebug_trimmingOver40Characters_keeps20OnEachSide() {
        // `next(` and `)` have 6 characters: 34 more fit, 35 do not.
        let fits = String(repeating: "a", count: 34)
        let tooLong = String(repeating: "b", count: 15) + "-----" + String(repeating: "c", count: 19)
        _ = Observable.sending(fits, tooLong).debug(log("t", trimsOutput: true)).subscribe { _ in }
        XCTAssertEqual(
            notes.lines.filter { $0.contains("next") }.map { $0.dropFirst(25) },
            [
                "t -> Event next(\(fits))",
                "t -> Event next(bbbbbbbbbbbbbbb...ccccccccccccccccccc)",
            ])
    }

    func testDebug_withoutIdentifier_isNamedAfterItsPlace() {
        XCTAssertEqual(
            EventLog.name(file: "/a/b/File.swift", line: 12, function: "load(_:)"), "File.swift:12 (load(_:))")
    }

    func testDebug_withoutTrimming_writesAll() {
        let long = String(repeating: "b", count: 60)
        _ = Observable.just(long).debug(log("t")).subscribe { _ in }
        XCTAssertTrue(notes.lines.contains { $0.hasSuffix("Event next(\(long))") })
    }

    func testDebug_atEveryEnd_releasesEverything() {
        let before = Resources.total
        let log = log("r")
        runToEveryEnd { $0.debug(log) }
        assertResourcesBack(to: before)
    }
}
