import Rx
import XCTest

/// `Single.create(work:)`: a task as a `Single`.
final class WorkTests: XCTestCase {
    func testCreate_ofWork_givesWhatItReturns() async throws {
        let value = try await Single<Int>.create { try await Single.just(1).value + 1 }.value
        XCTAssertEqual(value, 2)
    }

    func testCreate_ofWorkWithLabels_givesWhatItReturns() async throws {
        let detached = try await Single.create(detached: true, priority: .high, work: { 3 }).value
        let inherited = try await Single.create(priority: .low) { 4 }.value
        XCTAssertEqual([detached, inherited], [3, 4])
    }

    func testCreate_ofWorkThatThrows_failsWithThat() async {
        let single = Single<Int>.create { throw Planted.fault }
        do {
            _ = try await single.value
            XCTFail("The error was not thrown.")
        } catch {
            XCTAssertEqual("\(error)", "fault")
        }
    }

    func testCreate_ofWork_runsItForEachSubscriber() async throws {
        let runs = Tally()
        let single = Single<Void>.create { runs.add() }
        XCTAssertEqual(runs.value, 0)
        try await single.value
        try await single.value
        XCTAssertEqual(runs.value, 2)
    }

    func testCreate_ofWork_inheritsTaskLocalsUnlessDetached() async throws {
        enum Local { @TaskLocal static var name = "none" }
        let names = try await Local.$name.withValue("set") {
            [
                try await Single.create { Local.name }.value,
                try await Single.create(detached: true, work: { Local.name }).value,
            ]
        }
        XCTAssertEqual(names, ["set", "none"])
    }

    func testCreate_ofWork_disposed_cancelsItsTask() async {
        let (started, cancelled, gate) = (TaskGate(), TaskGate(), TaskGate())
        let notes = SharedNotes()
        let single = Single<Int>.create {
            started.open()
            await gate.wait()
            notes.add("cancelled: \(Task.isCancelled)")
            cancelled.open()
            return 1
        }
        let subscription = single.subscribe { notes.add("\($0)") }
        await started.wait()
        subscription.dispose()
        await cancelled.wait()
        XCTAssertEqual(notes.lines, ["cancelled: true"])
    }

    func testCreate_ofClosureWithAnObserver_isTheOtherForm() {
        let single = Single<Int>.create { single in
            single(.success(1))
            return Disposables.create()
        }
        XCTAssertEqual(single.synchronousEvents, ["next(1)", "completed"])
    }

    func testCreate_ofWorkDisposedWhileItAnswers_hearsAtMostOnce() async {
        let before = Resources.total
        for _ in 0..<300 {
            let (started, gate, heard) = (TaskGate(), TaskGate(), Tally())
            let subscription = Sent(
                Single<Int>.create {
                    started.open()
                    await gate.wait()
                    return 1
                }.subscribe { _ in heard.add() })
            await started.wait()
            onThreads(2) { index in if index == 0 { gate.open() } else { subscription.value.dispose() } }
            XCTAssertLessThanOrEqual(heard.value, 1)
        }
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }

    func testCreate_ofWork_atEveryEnd_releasesEverything() async throws {
        let before = Resources.total
        _ = try await Single.create { 1 }.value
        _ = try? await Single<Int>.create { throw Planted.fault }.value
        let (started, gate) = (TaskGate(), TaskGate())
        let subscription = Single<Int>.create {
            started.open()
            await gate.wait()
            return 1
        }.subscribe { _ in }
        await started.wait()
        subscription.dispose()
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }
}
