import RxBench

/// The share of each outcome of each race.
enum RacePanel {
    static func markup(_ content: ReportContent) -> Markup {
        let races = content.result.benchmarks.compactMap { benchmark in
            benchmark.outcomes.flatMap { $0.isEmpty ? nil : race(benchmark.id, $0) }
        }
        guard !races.isEmpty else { return .empty }
        return """
            <section id=races><h2>Race outcomes</h2><p>Shares of all rounds. An outcome that is forbidden is a defect, \
            however rare; one that is \
            interesting is correct, and worth knowing how often it happens.</p>\(races.joined)</section>
            """
    }

    private static func race(_ id: String, _ outcomes: [RaceOutcome]) -> Markup {
        // Adds floating-point numbers: counts that are read from a file may have a sum that does not fit an integer.
        let rounds = outcomes.reduce(0.0) { $0 + Double($1.count) }
        let lines = outcomes.map { outcome -> Markup in
            let share = rounds > 0 ? Double(outcome.count) / rounds * 100 : 0
            let status = ReportContent.Status(outcome.expectation.rawValue, tone(outcome))
            return """
                <li><span class=bar><i class=\(outcome.expectation.rawValue) \
                style="width:\(Figures.fixed(share, decimals: 2))%"></i></span>\
                <span class=figure>\(Figures.threeDigits(share)) %</span> \(status.badge) \(outcome.label) \
                <small>\(Figures.counted(Int(clamping: outcome.count), "round"))</small></li>
                """
        }
        return "<h3><code>\(id)</code></h3><ul class=outcomes>\(lines.joined)</ul>"
    }

    private static func tone(_ outcome: RaceOutcome) -> Strip.Tone {
        switch outcome.expectation {
        case .acceptable: .good
        case .interesting: .open
        case .forbidden: outcome.count > 0 ? .bad : .plain
        }
    }
}

/// The failures that a race search found. Each schedule is shown as a picture and as a table with one column for each
/// actor.
enum RaceStoryPanel {
    static func markup(_ content: ReportContent) -> Markup {
        guard let races = content.races else { return .empty }
        let stories = races.stories.map(story).joined
        return """
            <section id=failed-races><h2>Races searched</h2><p>\(races.verdict)</p>\(stories)</section>
            """
    }

    private static func story(_ story: RaceStory) -> Markup {
        let status = ReportContent.Status(story.finding, .bad)
        let search: Markup = story.search.isEmpty ? .empty : "<p>\(story.search)</p>"
        let calls = story.calls.map { calls -> Markup in
            let frames = calls.frames.map { "<li><code>\($0)</code></li>" as Markup }.joined
            return "<p>\(calls.title):</p><ul>\(frames)</ul>"
        }.joined
        return """
            <h3><code>\(story.race)</code></h3><p>\(status.badge)</p>\(search)\(steps(story))\(calls)\
            <p>Again: <code>\(story.command)</code></p>
            """
    }

    private static func steps(_ story: RaceStory) -> Markup {
        guard !story.steps.isEmpty else { return .empty }
        let names = story.actors.map { "<th>\($0)</th>" as Markup }.joined
        let lines = story.steps.enumerated().map { index, step -> Markup in
            let cells = story.actors.indices.map { actor -> Markup in
                guard actor == step.actor else { return "<td></td>" }
                return "<td><code>\(step.words)</code> <small>\(step.place)</small></td>"
            }
            return "<tr><th>\(index + 1)</th>\(cells.joined)</tr>"
        }
        let description = "The schedule: \(story.steps.count) steps of \(story.actors.count) actors."
        return """
            <figure><div class=wide>\(Lanes(story).markup(description))</div><figcaption>A lane an actor, a dot a \
            step, in the order in which they were taken: full where it changed what is in memory, hollow where it did \
            not, red for the last. Dotted: the actor has more to do, and another has its turn.</figcaption></figure>\
            <div class=wide><table class=steps><thead><tr><th></th>\(names)</tr></thead><tbody>\(lines.joined)</tbody>\
            </table></div>
            """
    }
}
