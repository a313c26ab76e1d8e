import CRaces

/// The order of the actors' steps, as text: `A6B4A` is six steps of the first actor, four of the second, then the first
/// for as long as it can.
package struct RaceSchedule: Equatable, Sendable {
    /// Steps in a row of one actor.
    struct Turn: Equatable {
        let actor: UInt8
        var steps: Int
    }

    private(set) var turns: [Turn] = []
    /// The build that the steps belong to, if it is said.
    package var build: String?

    /// The turns of one execution.
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

    /// Reads `A6B4A` or, with its build, `A6B4A@1f3c5d`; `nil` if that is not the form. A turn without a number is one
    /// step.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = parts[0][...]
        var turns: [Turn] = []
        while let letter = rest.popFirst() {
            guard let value = letter.asciiValue, (65..<65 + UInt8(rxraces_most_actors)).contains(value) else {
                return nil
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let steps = digits.isEmpty ? 1 : Int(digits), (1...20_000).contains(steps) else { return nil }
            turns.append(Turn(actor: value - 65, steps: steps))
        }
        guard !turns.isEmpty else { return nil }
        self.init(turns: turns)
        if parts.count == 2 { build = String(parts[1]) }
    }

    /// An actor for each step.
    var choices: [UInt8] { turns.flatMap { repeatElement($0.actor, count: $0.steps) } }

    /// The form that `init(_:)` reads. Where nobody takes a step, as nothing orders anything, it is the first's turn.
    package var text: String {
        let turns = turns.map { "\(RaceSchedule.letter(of: Int($0.actor)))\($0.steps)" }.joined()
        let text = turns.isEmpty ? "A" : turns
        return build.map { "\(text)@\($0)" } ?? text
    }

    /// The name of an actor: A for the first.
    package static func letter(of actor: Int) -> String { String(UnicodeScalar(UInt8(65 + actor))) }
}
