/// A race that failed, in words: how it came to that step by step, for a terminal, a page and other tools.
package struct RaceStory: Sendable, Equatable {
    /// One step of an execution.
    package struct Step: Sendable, Equatable {
        /// Which actor took it, from 0.
        package let actor: Int
        /// `exchange v1 0→1`.
        package let words: String
        /// The place in memory, `v1`; `nil` for a step without one.
        package let variable: String?
        /// Whether the value there became another.
        package let isChange: Bool
        /// `Flags.next() Sources/Flags.swift:41`; empty where it is not known.
        package let place: String

        /// A step.
        package init(actor: Int, words: String, variable: String?, isChange: Bool, place: String) {
            self.actor = actor
            self.words = words
            self.variable = variable
            self.isChange = isChange
            self.place = place
        }
    }

    /// Calls with what they mean.
    package struct Calls: Sendable, Equatable {
        /// `B reads`.
        package let title: String
        /// Functions with their files and lines, innermost first.
        package let frames: [String]

        /// Calls.
        package init(title: String, frames: [String]) {
            self.title = title
            self.frames = frames
        }
    }

    /// The race's ID.
    package let race: String
    /// `forbidden outcome. event after dispose.`
    package let finding: String
    /// How it was found, in a sentence; empty for a replay.
    package let search: String
    /// The execution; empty where it was met on real threads.
    package let steps: [Step]
    package let calls: [Calls]
    /// The command that shows it again.
    package let command: String

    /// A story.
    package init(
        race: String, finding: String, search: String, steps: [Step], calls: [Calls], command: String
    ) {
        self.race = race
        self.finding = finding
        self.search = search
        self.steps = steps
        self.calls = calls
        self.command = command
    }

    /// The actors' names: A for the first.
    var actors: [String] { (0...(steps.map(\.actor).max() ?? 0)).map { String(UnicodeScalar(UInt8(65 + $0))) } }

    /// The finding, a column an actor and a line a step, the calls, and the command.
    package var text: String {
        var text = "\(race): \(finding)\n"
        if !search.isEmpty { text += "\(search)\n" }
        if !steps.isEmpty { text += "\n\(table)\n" }
        for calls in calls {
            text += "\n  \(calls.title):\n" + calls.frames.map { "    \($0)\n" }.joined()
        }
        return text + "\n  \(command)\n"
    }

    private var table: String {
        var table = TextTable(actors.map { ($0, .left) })
        for step in steps {
            var cells = [String](repeating: "", count: actors.count)
            cells[step.actor] = "\(step.words)  \(step.place)"
            table.add(cells)
        }
        return table.text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}

/// The outcome of a search of races: what `rxbench races --json` says, for a page.
package struct RaceSearches: Sendable {
    /// How many failed, how many were exhausted, in a sentence.
    package let verdict: String
    /// Those that failed.
    package let stories: [RaceStory]

    /// An outcome.
    package init(verdict: String, stories: [RaceStory]) {
        self.verdict = verdict
        self.stories = stories
    }
}
