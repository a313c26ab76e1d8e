import CRaces
import Foundation
import RxBench

/// Executes one race repeatedly. The library chooses the order of steps of each execution, and each execution is
/// checked.
final class RaceExecution {
    /// The ways in which an execution can end.
    enum End {
        case graded(RaceGrade)
        case failed(RaceFault)
        /// An actor called a function that is not modelled.
        case refused(String)
        /// The time limit passed while an actor was running without taking a step.
        case unfinished(RaceCalls)
    }

    private let body: RaceBody
    private let actorCount: Int
    private let invariants: [RaceInvariant]
    private var counts: [Int]
    /// Whether the last execution was abandoned before its end. Globals may then have values that no complete execution
    /// leaves.
    private(set) var wasGivenUp = false

    init(_ race: Race, invariants: [RaceInvariant]) {
        body = race.makeBody()
        actorCount = race.actorCount
        self.invariants = invariants
        counts = invariants.map { $0.count() }
    }

    /// Executes the race once, and again if it appears to leak.
    func run() -> End {
        let end = perform()
        guard case .graded(let grade) = end else {
            counts = invariants.map { $0.count() }
            return end
        }
        body.grade = nil
        if grade.expectation == .forbidden { return .failed(RaceFault(.forbidden, "\(grade.label).")) }
        guard let leak else { return end }
        // Memory that is allocated once for the whole process, such as the metadata of a type, is left behind only by
        // the first execution.
        for _ in 0..<2 {
            rxraces_repeat()
            guard case .graded = perform() else { return end }
            body.grade = nil
            guard self.leak == leak else { return end }
        }
        return .failed(leak)
    }

    private func perform() -> End {
        let context = Unmanaged.passUnretained(body).toOpaque()
        let isDone =
            rxraces_set_up({ RaceExecution.body($0).setUp() }, context)
            && rxraces_run(Int32(actorCount), { RaceExecution.body($0).act(Int($1)) }, context)
            && rxraces_finish({ RaceExecution.body($0).grade = RaceExecution.body($0).finish() }, context)
        let failure = rxraces_failed()
        wasGivenUp = failure.kind != rxraces_no_failure
        if failure.kind == rxraces_refused { return .refused(failure.name.map { String(cString: $0) } ?? "") }
        if failure.kind == rxraces_unfinished { return .unfinished(RaceNarration.unfinished(failure)) }
        if failure.kind != rxraces_no_failure { return .failed(RaceFault(failure)) }
        guard isDone, let grade = body.grade else {
            preconditionFailure("An execution has ended without a grade and without a reason.")
        }
        return .graded(grade)
    }

    private static func body(_ context: UnsafeMutableRawPointer) -> RaceBody {
        Unmanaged<RaceBody>.fromOpaque(context).takeUnretainedValue()
    }

    /// The leak of the last execution, if a count has changed or an allocation was not freed.
    private var leak: RaceFault? {
        var found: RaceFault?
        for (index, invariant) in invariants.enumerated() {
            let now = invariant.count()
            if now != counts[index], found == nil {
                found = RaceFault(.leak, "\(invariant.name) left behind: \(now - counts[index]).")
            }
            counts[index] = now
        }
        let alive = rxraces_allocations_alive()
        if found == nil, alive != 0 { found = RaceFault(.leak, "allocations left behind: \(alive).") }
        return found
    }
}

/// A fault in the form that the search compares. Two executions have the same fault if both properties are equal.
struct RaceFault: Equatable {
    let kind: RaceFinding.Kind
    let sentence: String

    init(_ kind: RaceFinding.Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    private static let signals: [Int32: String] = [
        SIGILL: "a failed precondition or another trap", SIGTRAP: "a failed precondition or another trap",
        SIGABRT: "an abort", SIGSEGV: "an access to memory that is not there", SIGFPE: "a division by zero",
        SIGBUS: "an access to memory that is not there",
    ]

    /// Creates a fault from a failure that the library has detected.
    init(_ failure: rxraces_failure) {
        let actor = RaceSchedule.letter(of: Int(failure.actor))
        let other = failure.other >= 0 ? RaceSchedule.letter(of: Int(failure.other)) : "?"
        switch failure.kind {
        case rxraces_data_race: self.init(.dataRace, RaceNarration.sentence(of: failure, actor, other))
        case rxraces_racing_free:
            self.init(
                .useAfterFree,
                "\(actor) frees memory that \(other) \(RaceNarration.verb(failure.other_writes)) without an order "
                    + "between the two.")
        case rxraces_use_after_return:
            self.init(
                .useAfterFree,
                "\(actor) \(RaceNarration.verb(failure.writes)) a variable of a function of \(other) that has returned."
            )
        case rxraces_use_after_free: self.init(.useAfterFree, "\(actor) uses memory that \(other) has freed.")
        case rxraces_double_free: self.init(.doubleFree, "\(actor) frees memory that \(other) has freed.")
        case rxraces_deadlock: self.init(.deadlock, "Every actor waits for another.")
        case rxraces_livelock: self.init(.livelock, "No actor comes to an end.")
        default:
            let name = Self.signals[failure.signal].map { ", \($0)" } ?? ""
            self.init(.crash, "\(actor) crashes with signal \(failure.signal)\(name).")
        }
    }
}

/// The order of the actors' steps, as text. `A6B4A` means six steps of the first actor, four steps of the second, and
/// then steps of the first actor until it cannot continue.
package struct RaceSchedule: Equatable, Sendable {
    /// Consecutive steps of the same actor.
    struct Turn: Equatable {
        let actor: UInt8
        var steps: Int
    }

    private(set) var turns: [Turn] = []
    /// The build whose steps the schedule describes, if the text names it.
    package var build: String?

    /// Creates the schedule of one execution.
    init(_ choices: some Sequence<UInt8>) {
        for actor in choices {
            if turns.last?.actor == actor {
                turns[turns.count - 1].steps += 1
            } else {
                turns.append(Turn(actor: actor, steps: 1))
            }
        }
    }

    init(turns: [Turn]) { self.init(turns.flatMap { repeatElement($0.actor, count: $0.steps) }) }

    /// Parses a schedule such as `A6B4A` or, with its build, `A6B4A@1f3c5d`. Returns `nil` if the text is malformed. A
    /// turn without a number is one step.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = parts[0][...]
        var turns: [Turn] = []
        while let letter = rest.popFirst() {
            guard let choice = letter.asciiValue.flatMap(Self.choice) else { return nil }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let steps = digits.isEmpty ? 1 : Int(digits), (1...20_000).contains(steps) else { return nil }
            turns.append(Turn(actor: choice, steps: steps))
        }
        guard !turns.isEmpty else { return nil }
        self.init(turns: turns)
        if parts.count == 2 { build = String(parts[1]) }
    }

    /// The actor of each step.
    var choices: [UInt8] { turns.flatMap { repeatElement($0.actor, count: $0.steps) } }

    /// The text in the format that `init(_:)` parses. A schedule without steps, such as the schedule of a race without
    /// ordering operations, is written as a turn of the first actor.
    package var text: String {
        let turns = turns.map { "\(RaceSchedule.letter(of: Int($0.actor)))\($0.steps)" }.joined()
        let text = turns.isEmpty ? "A" : turns
        return build.map { "\(text)@\($0)" } ?? text
    }

    /// Returns the letter of an actor. The first actor is A.
    ///
    /// A lower-case letter is a delayed store of that actor, or the step that makes the store visible.
    package static func letter(of choice: Int) -> String {
        let late = choice - Int(rxraces_most_actors)
        return String(UnicodeScalar(UInt8(late < 0 ? 65 + choice : 97 + late)))
    }

    private static func choice(_ letter: UInt8) -> UInt8? {
        let most = UInt8(rxraces_most_actors)
        if (65..<65 + most).contains(letter) { return letter - 65 }
        return (97..<97 + UInt8(rxraces_most_late)).contains(letter) ? letter - 97 + most : nil
    }

    /// Whether the schedule delays a store beyond later loads.
    var delaysStores: Bool { turns.contains { $0.actor >= UInt8(rxraces_most_actors) } }
}
