import RxBench
import Testing

@testable import RxBenchCommands

@Suite("Race story") struct RaceStoryPanelTests {
    private static func step(_ actor: Int, _ words: String, _ variable: String?, isChange: Bool) -> RaceStory.Step {
        RaceStory.Step(
            actor: actor, words: words, variable: variable, isChange: isChange, place: "Flags.next() Flags.swift:7")
    }

    private static let story = RaceStory(
        race: "race/x", finding: "forbidden outcome. event after dispose.",
        search: "Found by bound 1 after 2 schedules.",
        steps: [
            step(0, "exchange v1 0→1", "v1", isChange: true), step(1, "load v2 0", "v2", isChange: false),
            step(1, "wait", nil, isChange: false), step(0, "store v2 0→1", "v2", isChange: true),
        ],
        calls: [RaceStory.Calls(title: "B reads", frames: ["Flags.next() Flags.swift:7"])],
        command: "rxbench races --replay 'race/x' A1B2A1@1f3c")

    private func page(_ races: RaceSearches?) -> String {
        HTMLReport(SampleRun.run([SampleRun.timed("test/one/plain", 100)]), races: races).document
    }

    @Test func `the text has a column an actor, a line a step, the calls and the command`() {
        #expect(
            Self.story.text == """
                race/x: forbidden outcome. event after dispose.
                Found by bound 1 after 2 schedules.

                  A                                            B
                  exchange v1 0→1  Flags.next() Flags.swift:7
                                                               load v2 0  Flags.next() Flags.swift:7
                                                               wait  Flags.next() Flags.swift:7
                  store v2 0→1  Flags.next() Flags.swift:7

                  B reads:
                    Flags.next() Flags.swift:7

                  rxbench races --replay 'race/x' A1B2A1@1f3c

                """)
    }

    @Test func `columns that are folded to a width name files without their folders, and words stay whole`() {
        let steps = (0...1).map {
            RaceStory.Step(
                actor: $0, words: "waits for semaphore a", variable: "semaphore a", isChange: true,
                place: "turnstile Sources/Gates/Turnstile.swift:4\($0)")
        }
        let story = RaceStory(
            race: "race/x", finding: "leak.", search: "", steps: steps, calls: [], command: "rxbench")
        func column(_ column: Int, _ text: String) -> String { String(repeating: " ", count: column) + text }
        #expect(
            story.text(columns: 80).split(separator: "\n").dropFirst().dropLast() == [
                Substring("  A" + column(38, "B")),
                "  waits for semaphore a", "    turnstile Turnstile.swift:40",
                Substring(column(41, "waits for semaphore a")), Substring(column(43, "turnstile Turnstile.swift:41")),
            ])
        #expect(
            story.text(columns: 60).split(separator: "\n").dropFirst().dropLast() == [
                "  A waits for semaphore a", "       turnstile Sources/Gates/Turnstile.swift:40",
                "  B waits for semaphore a", "       turnstile Sources/Gates/Turnstile.swift:41",
            ])
    }

    @Test func `the page has the sentence, the picture, the table, the calls and the command`() {
        let page = page(RaceSearches(verdict: "1 of 2 races failed in 30 schedules.", stories: [Self.story]))
        #expect(page.contains("<a href=\"#failed-races\">Races searched</a>"))
        #expect(page.contains("<p class=verdict>1 of 2 races failed in 30 schedules.</p>"))
        #expect(page.contains("<li><code>race/x</code> forbidden outcome. event after dispose.</li>"))
        #expect(page.contains("<span class=\"badge bad\">✕ forbidden outcome. event after dispose.</span>"))
        #expect(page.contains("<thead><tr><th></th><th>A</th><th>B</th></tr></thead>"))
        #expect(
            page.contains(
                """
                <tr><th>2</th><td></td><td><code>load v2 0</code> <small>Flags.next() Flags.swift:7</small></td></tr>
                """))
        #expect(page.contains("<p>B reads:</p><ul><li><code>Flags.next() Flags.swift:7</code></li></ul>"))
        #expect(page.contains("<p>Again: <code>rxbench races --replay &#39;race/x&#39; A1B2A1@1f3c</code></p>"))
        #expect(page.contains("aria-label=\"The schedule: 4 steps of 2 actors.\""))
    }

    @Test func `the picture has a lane an actor, a dot a step, a line for each switch and the last step`() throws {
        let picture = Lanes(Self.story).markup("x").text
        func path(_ name: String) throws -> String {
            String(
                try #require(picture.firstMatch(of: try Regex("<path class=\(name) d=\"([^\"]*)\"/>")))[1].substring!)
        }
        // Lanes at 24 and 64. Steps start at 36, with a distance of 24.
        #expect(picture.contains("viewBox=\"0 0 124 104\""))
        #expect(try path("steps") == "M36 24h0M60 64h0m24 0h0m24-40h0")
        #expect(try path("turns") == "M36 24h0M60 64h0h24m24-40h0")
        #expect(try path("hollow") == "M60 64h0m24 0h0")
        #expect(try path("last") == "M108 24h0")
        #expect(try path("switches") == "M36 24l24 40m24 0l24-40")
        #expect(try path("waits") == "M36 24h72")
        #expect(picture.contains("<text x=60 y=52>v2</text><text x=60 y=98>2</text><text x=84 y=98>3</text>"))
    }

    @Test func `without a search there is no section, without a failure its sentence alone`() {
        #expect(!page(nil).contains("Races searched"))
        let clean = page(RaceSearches(verdict: "0 of 2 races failed in 30 schedules.", stories: []))
        #expect(clean.contains("<h2>Races searched</h2><p>0 of 2 races failed in 30 schedules.</p></section>"))
    }

    @Test func `names of a race are text, not markup`() {
        let attack = "</script><script>alert(1)</script>"
        let hostile = RaceStory(
            race: attack, finding: attack, search: attack,
            steps: [RaceStory.Step(actor: 0, words: attack, variable: attack, isChange: true, place: attack)],
            calls: [RaceStory.Calls(title: attack, frames: [attack])], command: attack)
        let page = page(RaceSearches(verdict: attack, stories: [hostile]))
        #expect(!page.contains("<script>alert"))
    }
}
