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

    /// Calls with their meaning.
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
    /// How many steps are left out after the first 40 of a long execution.
    package let omitted: Int
    package let calls: [Calls]
    /// The command that shows it again.
    package let command: String

    /// A story.
    package init(
        race: String, finding: String, search: String, steps: [Step], omitted: Int = 0, calls: [Calls],
        command: String
    ) {
        self.race = race
        self.finding = finding
        self.search = search
        self.steps = steps
        self.omitted = omitted
        self.calls = calls
        self.command = command
    }

    /// The actors' names: A for the first.
    var actors: [String] { (0...(steps.map(\.actor).max() ?? 0)).map { String(UnicodeScalar(UInt8(65 + $0))) } }

    /// The finding, a column an actor and a line a step, the calls, and the command.
    package var text: String { text(columns: nil) }

    /// The text, with its columns folded to a width; `nil` for none.
    package func text(columns: Int?) -> String {
        var text = "\(race): \(finding)\n"
        if !search.isEmpty { text += "\(search)\n" }
        if !steps.isEmpty {
            let table = table
            let width = table.split(separator: "\n").map(\.count).max() ?? 0
            text += "\n\(columns.flatMap { width > $0 ? folded(to: $0) : nil } ?? table)\n"
        }
        for calls in calls {
            text += "\n  \(calls.title):\n" + calls.frames.map { "    \($0)\n" }.joined()
        }
        return text + "\n  \(command)\n"
    }

    /// The steps, and after the first ones how many are left out.
    private var rows: [(actor: Int, words: String, place: String)] {
        var rows = steps.map { (actor: $0.actor, words: $0.words, place: $0.place) }
        if omitted > 0 { rows.insert((0, "… \(omitted) more steps …", ""), at: min(Self.beginning, rows.count)) }
        return rows
    }

    private static let beginning = 40

    private var table: String {
        var table = TextTable(actors.map { ($0, .left) })
        for row in rows {
            var cells = [String](repeating: "", count: actors.count)
            cells[row.actor] = "\(row.words)  \(row.place)"
            table.add(cells)
        }
        return table.text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    /// As many columns as there are actors, each as wide as its part of `columns`; where that is too narrow, one column
    /// with the actor before each step.
    private func folded(to columns: Int) -> String {
        let narrowest = 30
        let width = (columns - 2) / actors.count - 2
        let isNarrow = width < narrowest
        func indent(_ actor: Int) -> String { String(repeating: " ", count: isNarrow ? 2 : 2 + actor * (width + 2)) }
        let gap = String(repeating: " ", count: max(width + 1, 0))
        var lines = isNarrow ? [] : ["  " + actors.joined(separator: gap)]
        for row in rows {
            let words = isNarrow ? "\(actors[row.actor])  \(row.words)" : row.words
            let room = isNarrow ? columns - 7 : width - 2
            let place = row.place.isEmpty ? [] : Self.wrapped(Self.fitted(row.place, to: room), to: room)
            lines += Self.wrapped(words, to: isNarrow ? columns - 2 : width).map { indent(row.actor) + $0 }
            lines += place.map { indent(row.actor) + (isNarrow ? "     " : "  ") + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// A place, with the name of its file alone where there is no room for the folders.
    private static func fitted(_ place: String, to width: Int) -> String {
        guard place.count > width, let path = place.split(separator: " ").last,
            let file = path.split(separator: "/").last
        else { return place }
        return String(place.dropLast(path.count)) + file
    }

    /// Lines of at most `width` characters, broken at spaces, and inside words that are longer.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            var word = word[...]
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + 1 + word.count > width { lines.append("") }
            if !lines[lines.count - 1].isEmpty { lines[lines.count - 1] += " " }
            while word.count > width {
                lines[lines.count - 1] += word.prefix(width)
                word = word.dropFirst(width)
                lines.append("")
            }
            lines[lines.count - 1] += word
        }
        return lines
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
