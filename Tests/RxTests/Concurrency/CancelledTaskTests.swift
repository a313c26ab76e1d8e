import Rx
import XCTest

/// `values` and `value` in cancelled tasks behave as users expect.
final class CancelledTaskTests: XCTestCase {
    private enum Fault: Error { case f }

    private enum Moment {
        /// As soon as the task exists.
        case atOnce
        /// Before it requests anything.
        case before
        /// After it has opened the gate.
        case whenOpen
    }

    private struct Row {
        /// The output of the reference.
        let expected: String
        let moment: Moment
        let answer: @Sendable (TaskGate) async throws -> String

        init(_ expected: String, _ moment: Moment, _ answer: @escaping @Sendable (TaskGate) async throws -> String) {
            (self.expected, self.moment, self.answer) = (expected, moment, answer)
        }
    }

    /// Iterates over a sequence that opens the gate when it is subscribed to, or with 2. Returns its elements and its
    /// end.
    private static func through<Values: AsyncSequence<Int, any Error>>(
        _ values: Values, _ gate: TaskGate
    ) async -> String {
        var seen = ""
        do {
            for try await value in values {
                seen += "\(value) "
                if value == 2 { gate.open() }
            }
            return seen + "finished"
        } catch {
            return seen + "threw \(error)"
        }
    }

    private static func through<Values: AsyncSequence<Int, Never>>(_ values: Values) async -> String {
        var seen = ""
        for await value in values { seen += "\(value) " }
        return seen + "finished"
    }

    private static let rows = [
        Row("values never, cancelled at once: threw CancellationError()", .atOnce) {
            await through(Observable.never().values, $0)
        },
        Row("values never, cancelled later: threw CancellationError()", .whenOpen) { gate in
            await through(Observable.never().do(onSubscribed: gate.open).values, gate)
        },
        Row("values of2+never, cancelled later: 1 2 threw CancellationError()", .whenOpen) { gate in
            await through(Observable.concat([Observable.of(1, 2), .never()]).values, gate)
        },
        Row("values of2, cancelled later: 1 2 finished cancelled=false", .whenOpen) { gate in
            let unopened = TaskGate()
            let seen = await through(Observable.of(1, 2).values, unopened) + " cancelled=\(Task.isCancelled)"
            gate.open()
            return seen
        },
        Row("values infallible never, cancelled: finished cancelled=true", .whenOpen) { gate in
            await through(Infallible.never().do(onSubscribed: gate.open).values) + " cancelled=\(Task.isCancelled)"
        },
        Row("values error: threw f", .whenOpen) { gate in
            defer { gate.open() }
            return await through(Observable.error(Fault.f).values, gate)
        },
        Row("single value never cancelled: threw CancellationError()", .whenOpen) { gate in
            "\(try await Single<Int>.never().do(onSubscribed: gate.open).value)"
        },
        Row("maybe value never cancelled: threw CancellationError()", .whenOpen) { gate in
            "\(String(describing: try await Maybe<Int>.never().do(onSubscribed: gate.open).value))"
        },
        Row("completable value never cancelled: threw CancellationError()", .whenOpen) { gate in
            "\(try await Completable.never().do(onSubscribed: gate.open).value)"
        },
        Row("single just value, cancelled before: 1", .before) { _ in "\(try await Single.just(1).value)" },
        Row("single error value, cancelled before: threw f", .before) { _ in
            "\(try await Single<Int>.error(Fault.f).value)"
        },
        Row("maybe empty value, cancelled before: nil", .before) { _ in
            "\(String(describing: try await Maybe<Int>.empty().value))"
        },
        Row("completable empty value, cancelled before: ()", .before) { _ in "\(try await Completable.empty().value)" },
        Row("single never value, cancelled before: threw CancellationError()", .before) { _ in
            "\(try await Single<Int>.never().value)"
        },
        Row("values of2, cancelled before: 1 2 finished", .before) { await through(Observable.of(1, 2).values, $0) },
        Row("values infallible of2, cancelled before: 1 2 finished", .before) { _ in
            await through(Infallible.of(1, 2).values)
        },
        Row("single deferred subscribes, cancelled before: 1 subscribed", .before) { _ in
            let notes = SharedNotes()
            let single = Single<Int>.deferred {
                notes.add("subscribed")
                return .just(1)
            }
            return "\(try await single.value) \(notes.lines.joined())"
        },
        Row("maybe empty value: nil", .whenOpen) { gate in
            defer { gate.open() }
            return "\(String(describing: try await Maybe<Int>.empty().value))"
        },
    ]

    func testCancelledTasks_haveTheAnswersUsersKnow() async {
        let before = Resources.total
        for row in Self.rows {
            let (ready, cancelled) = (TaskGate(), TaskGate())
            let task = Task { () -> String in
                if row.moment == .before { await cancelled.wait() }
                do { return try await row.answer(ready) } catch { return "threw \(error)" }
            }
            if row.moment == .whenOpen { await ready.wait() }
            task.cancel()
            cancelled.open()
            let answer = await task.value
            XCTAssertEqual("\(row.expected.prefix { $0 != ":" }): \(answer)", row.expected)
        }
        XCTAssertTrue(comesTrue { Resources.total <= before })
    }

    func testValues_ofADriver_endInACancelledTask() async {
        let gate = TaskGate()
        let task = Task { @MainActor in
            await Self.through(Driver<Int>.never().do(onSubscribed: gate.open).values)
                + " cancelled=\(Task.isCancelled)"
        }
        await gate.wait()
        task.cancel()
        let answer = await task.value
        XCTAssertEqual(answer, "finished cancelled=true")
    }
}
