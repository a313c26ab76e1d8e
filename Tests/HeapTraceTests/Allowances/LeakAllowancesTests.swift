import XCTest

@testable import HeapTrace

final class LeakAllowancesTests: XCTestCase {
    private let today = CalendarDay("2026-11-21")!

    private func parsed(_ text: String) throws -> [LeakAllowance] {
        try LeakAllowances(json: text, name: "leaks.json").entries
    }

    private func record(_ name: String, leaking subjects: String...) -> GrowthReport {
        GrowthReport(
            name: name, runs: 163,
            groups: ["steady"].map { group($0, .clean) }
                + subjects.map { group($0, .growing(GrowthSlope(perRun: 1, interval: 1...1))) })
    }

    private func group(_ type: String, _ verdict: GrowthVerdict) -> GrowthGroup {
        GrowthGroup(
            metric: .type(type, .sink), counts: Array(1...16), verdict: verdict,
            creationStack: CallStack(frames: [StackFrame(address: 1, function: "Screen.open()", image: "app")]))
    }

    func testEntries_areRead() throws {
        let entries = try parsed(
            #"""
            [
              {"type": "map<Int, *>", "until": "2027-01-31", "because": "The vendor says \"soon\"."},
              {"because": "ticket-71", "until": "2028-02-29", "in": "operator/share*", "signature": "5c2f0d8e91ab"}
            ]
            """#)
        XCTAssertEqual(entries.map(\.pattern), [.type("map<Int, *>"), .signature("5c2f0d8e91ab")])
        XCTAssertEqual(entries.map(\.reason), ["The vendor says \"soon\".", "ticket-71"])
        XCTAssertEqual(entries.map(\.scenario), ["*", "operator/share*"])
        XCTAssertEqual(entries.map { "\($0.until)" }, ["2027-01-31", "2028-02-29"])
        XCTAssertEqual(entries.map(\.place), ["leaks.json, entry 1", "leaks.json, entry 2"])
    }

    func testEntries_writtenAndReadAgain_areTheSame() throws {
        let written = LeakAllowances([
            LeakAllowance(.type(#"a "b" \c"#), in: "x y", until: today, because: "# one; \"two\""),
            LeakAllowance(.signature("0123456789ab"), until: today, because: "why"),
        ])
        let read = try parsed(written.text)
        XCTAssertEqual(read.map(\.description), written.entries.map(\.description))
        XCTAssertEqual(read.map(\.pattern), written.entries.map(\.pattern))
        XCTAssertEqual(read.map(\.scenario), ["x y", "*"])
    }

    func testErrors_nameTheEntryAndTheRemedy() {
        func problem(_ entry: String) -> String {
            let good = #"{"type": "map", "until": "2027-01-31", "because": "x"}"#
            do { return "\(try parsed("[\(good), \(entry)]"))" } catch { return "\(error)" }
        }
        let example = #"{"type": "map<Int, *>", "until": "2027-01-31", "because": "Fixed in 3.2."}"#
        XCTAssertEqual(
            problem(#"{"typ": "x", "until": "2027-01-31", "because": "y"}"#),
            """
            leaks.json, entry 2: An entry has no 'typ'. Its keys are 'signature', 'type', 'in', 'until', 'because'.
            """)
        XCTAssertEqual(
            problem(#"{"type": "x", "because": "y"}"#),
            #"leaks.json, entry 2: The entry has no day on which it expires. Add one: "until": "2027-01-31"."#)
        XCTAssertEqual(
            problem(#"{"type": "x", "until": "2027-02-29", "because": "y"}"#),
            #"leaks.json, entry 2: '2027-02-29' is not a day. Write it as in "until": "2027-01-31"."#)
        XCTAssertEqual(
            problem(#"{"type": "x", "until": "2027-01-31"}"#),
            #"leaks.json, entry 2: The entry has no reason. Add one: "because": "…"."#)
        XCTAssertEqual(
            problem(#"{"until": "2027-01-31", "because": "y"}"#),
            "leaks.json, entry 2: The entry names no leak. Give it a 'signature' or a 'type', as in \(example).")
        XCTAssertEqual(
            problem(#"{"type": "x", "signature": "0123456789ab", "until": "2027-01-31", "because": "y"}"#),
            "leaks.json, entry 2: The entry has a signature and a type. Keep one of them, or make two entries of it.")
        XCTAssertEqual(
            problem(#"{"signature": "12ab", "until": "2027-01-31", "because": "y"}"#),
            "leaks.json, entry 2: '12ab' is not a signature. Copy the twelve digits, 0 to 9 and a to f, from a report.")
        XCTAssertEqual(
            problem(#"{"type": 3}"#),
            "leaks.json: Entry 2 has another form. 'type' is not text. Write an array of entries like \(example).")
        XCTAssertEqual(
            problem("3"), "leaks.json: Entry 2 has another form. Write an array of entries like \(example).")
        XCTAssertThrowsError(try parsed("{}")) { error in
            XCTAssertEqual("\(error)", "leaks.json: It is not a list. Write an array of entries like \(example).")
        }
        XCTAssertThrowsError(try parsed("type x until 2027-01-31")) { error in
            XCTAssertTrue("\(error)".hasPrefix("leaks.json: It is not JSON. "), "\(error)")
            XCTAssertTrue("\(error)".hasSuffix("Write an array of entries like \(example)."), "\(error)")
        }
    }

    func testFile_thatCannotBeRead_isNamedWithTheRemedy() {
        XCTAssertThrowsError(try LeakAllowances(contentsOfFile: "/nowhere/leaks.json")) { error in
            XCTAssertEqual(
                "\(error)",
                """
                /nowhere/leaks.json: The file cannot be read as UTF-8 text. Check its path, or create it with '[]' in \
                it.
                """
            )
        }
    }

    func testAllowance_matchesBySignatureTypeAndRoundTrip_untilItsDay() throws {
        let leaking = record("operator/map", leaking: "map<Int, String>")
        let group = leaking.leaks[0]
        func allows(_ pattern: LeakAllowance.Pattern, in scenario: String = "*", until: String = "2026-11-21") -> Bool {
            let allowances = LeakAllowances([
                LeakAllowance(pattern, in: scenario, until: CalendarDay(until)!, because: "x")
            ])
            return allowances.allowance(for: group, in: leaking.name, on: today) != nil
        }
        XCTAssertTrue(allows(.type("map<*>")))
        XCTAssertTrue(allows(.signature(try XCTUnwrap(group.signature))))
        XCTAssertTrue(allows(.type("*"), in: "operator/*"))
        XCTAssertFalse(allows(.type("map")))
        XCTAssertFalse(allows(.signature("000000000000")))
        XCTAssertFalse(allows(.type("*"), in: "scheduler/*"))
        XCTAssertFalse(allows(.type("*"), until: "2026-11-20"))
    }

    func testStale_areEntriesThatExpiredOrMatchNothing() {
        func entry(_ type: String, in scenario: String = "*", until: String = "2027-01-01") -> LeakAllowance {
            LeakAllowance(.type(type), in: scenario, until: CalendarDay(until)!, because: "x")
        }
        let records = [record("a", leaking: "map"), record("b")]
        let allowances = LeakAllowances([
            entry("map"), entry("map", in: "b"), entry("map", in: "elsewhere"), entry("map", until: "2026-11-20"),
            entry("steady"),
        ])
        let stale = allowances.stale(after: records, on: today)
        XCTAssertEqual(stale.map(\.reason), [.unmatched, .expired, .unmatched])
        XCTAssertEqual(stale.map(\.allowance), [1, 3, 4].map { allowances.entries[$0] })
        XCTAssertEqual(
            stale[0].description,
            "'type \"map\" in \"b\" until 2027-01-01 because \"x\"' matches no leak any more. Remove it.")
        XCTAssertEqual(
            stale[1].description,
            "'type \"map\" until 2026-11-20 because \"x\"' has expired. Mend the leak, or give the entry a later day.")
    }

    func testStale_afterAPartOfTheRoundTrips_areThoseThatThePartDecides() throws {
        let allowances = try LeakAllowances(
            json: """
                [
                  {"type": "gone", "until": "2027-01-01", "because": "For any round trip."},
                  {"type": "gone", "in": "a", "until": "2027-01-01", "because": "For this one."},
                  {"type": "gone", "until": "2026-11-20", "because": "For any round trip."},
                  {"type": "map", "until": "2026-11-20", "because": "For any round trip, and used."}
                ]
                """, name: "leaks.json")
        let stale = allowances.stale(after: [record("a", leaking: "map")], on: today, isWhole: false)
        XCTAssertEqual(stale.map(\.allowance.place), ["leaks.json, entry 2", "leaks.json, entry 4"])
        XCTAssertEqual(stale.map(\.reason), [.unmatched, .expired])
    }

    func testStale_withoutAnythingCounted_isNone() {
        let untraced = GrowthReport(name: "a", runs: 1, groups: [])
        XCTAssertEqual(
            LeakAllowances([LeakAllowance(.type("map"), until: today, because: "x")]).stale(
                after: [untraced], on: today), [])
    }

    func testBaseline_allowsWhatLeaksAndKeepsWhatIsAllowed() throws {
        let until = try XCTUnwrap(CalendarDay("2027-06-30"))
        let first = LeakAllowances.none.adding(
            leaksOf: [record("a", leaking: "map", "filter"), record("b")], until: until, because: "Known.")
        XCTAssertEqual(first.entries.map(\.reason), ["map (sink): Known.", "filter (sink): Known."])
        XCTAssertEqual(first.entries.map(\.scenario), ["a", "a"])
        XCTAssertEqual(first.adding(leaksOf: [record("a", leaking: "map")], until: until, because: "Again."), first)
        XCTAssertEqual(try parsed(first.text).map(\.pattern), first.entries.map(\.pattern))
    }

    func testDays_areThoseOfTheCalendar() {
        for text in ["2024-02-29", "2000-02-29", "2026-12-31"] { XCTAssertEqual(CalendarDay(text)?.description, text) }
        for text in [
            "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "0000-01-01", "2026-1-01",
            "2026-01-0x", "+026-01-01", "",
        ] {
            XCTAssertNil(CalendarDay(text), text)
        }
        XCTAssertLessThan(CalendarDay("2026-09-30")!, CalendarDay("2026-10-01")!)
        XCTAssertGreaterThan(CalendarDay.today, CalendarDay("2026-01-01")!)
    }
}
