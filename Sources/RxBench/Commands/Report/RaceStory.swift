/// The description of a failed race: the steps that led to the failure, for a terminal, a page and other tools.
package struct RaceStory: Sendable, Equatable {
    /// One step of an execution.
    package struct Step: Sendable, Equatable {
        /// The index of the actor that took the step, from 0.
        package let actor: Int
        /// The action in words, such as `exchange v1 0→1`.
        package let words: String
        /// The name of the memory location, such as `v1`, or `nil` for a step without one.
        package let variable: String?
        /// Whether the step changed the value of the memory location.
        package let isChange: Bool
        /// The source location, such as `Flags.next() Sources/Flags.swift:41`, or an empty string if it is unknown.
        package let place: String

        /// Creates a step.
        package init(actor: Int, words: String, variable: String?, isChange: Bool, place: String) {
            self.actor = actor
            self.words = words
            self.variable = variable
            self.isChange = isChange
            self.place = place
        }
    }

    /// A call stack with a title that says what it means.
    package struct Calls: Sendable, Equatable {
        /// The title of the call stack, such as `B reads`.
        package let title: String
        /// The functions with their files and lines, with the innermost function first.
        package let frames: [String]

        /// Creates a call stack with its title.
        package init(title: String, frames: [String]) {
            self.title = title
            self.frames = frames
        }
    }

    /// The race's ID.
    package let race: String
    /// The finding in words, such as `forbidden outcome. event after dispose.`
    package let finding: String
    /// A sentence that says how the failure was found. It is empty for a replay.
    package let search: String
    /// The steps of the execution. They are empty if the failure occurred on real threads.
    package let steps: [Step]
    /// The number of steps of a long execution that are left out after the first 40.
    package let omitted: Int
    package let calls: [Calls]
    /// The command that shows the failure again.
    package let command: String

    /// Creates a story.
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

    /// The names of the actors. The first actor is A.
    var actors: [String] { (0...(steps.map(\.actor).max() ?? 0)).map { String(UnicodeScalar(UInt8(65 + $0))) } }

    /// The description as text: the finding, a table with one column for each actor and one line for each step, the
    /// calls, and the command.
    package var text: String { text(columns: nil) }

    /// Returns the text with its table folded to a width of `columns`, or unfolded if `columns` is `nil`.
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

    /// The steps. A row after the first steps says how many steps are left out.
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

    /// Returns the table with one column for each actor, all of equal width. If the columns would be too narrow,
    /// returns a single column with the name of the actor before each step.
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

    /// Returns a source location. If it does not fit, only the name of the file is kept and its folders are removed.
    private static func fitted(_ place: String, to width: Int) -> String {
        guard place.count > width, let path = place.split(separator: " ").last,
            let file = path.split(separator: "/").last
        else { return place }
        return String(place.dropLast(path.count)) + file
    }

    /// Returns lines of at most `width` characters. Lines are broken at spaces, and within words that are longer than a
    /// line.
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

/// The outcome of a race search, for a page. It has the same content as the output of `rxbench races --json`.
package struct RaceSearches: Sendable {
    /// A sentence that says how many searches failed and how many were exhausted.
    package let verdict: String
    /// The stories of the races that failed.
    package let stories: [RaceStory]

    /// Creates an outcome.
    package init(verdict: String, stories: [RaceStory]) {
        self.verdict = verdict
        self.stories = stories
    }
}
