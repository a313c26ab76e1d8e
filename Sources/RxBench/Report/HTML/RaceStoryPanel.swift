/// The races that a search has found to fail: the way there as a picture and as a table with a column an actor.
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
