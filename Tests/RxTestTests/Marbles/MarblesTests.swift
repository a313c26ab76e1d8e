import Rx
import RxTest
import Testing

@Suite struct MarblesTests {
    private struct Other: Error {}

    private func events(_ marbles: Marbles, tick: Int = 10, start: TestTime = 0) -> [Recorded<Event<String>>] {
        Recorded.events(marbles: marbles, tick: tick, start: start)
    }

    @Test func dashesAndValues_takeATickEach() {
        #expect(events("--a-b|") == [.next(20, "a"), .next(40, "b"), .completed(50)])
        #expect(events("a-#", tick: 3, start: 100) == [.next(100, "a"), .error(106, TestError())])
    }

    @Test func groups_takeOneTickTogether() {
        #expect(events("-(ab|)c") == [.next(10, "a"), .next(10, "b"), .completed(10), .next(20, "c")])
    }

    @Test func names_mayBeLongInBraces() {
        #expect(events("{two words}-{a\\}b}{}") == [.next(0, "two words"), .next(20, "a}b"), .next(30, "")])
    }

    @Test func characters_ofSeveralScalars_areOneValue() {
        #expect(events("👨‍👩‍👧é-") == [.next(0, "👨‍👩‍👧"), .next(10, "é")])
    }

    @Test func spaces_meanNothing() {
        #expect(events("  - a ( b c ) ") == events("-a(bc)"))
    }

    @Test func waits_passUnitsOfTime() {
        #expect(events("a<25>b<-40>c") == [.next(0, "a"), .next(35, "b"), .next(5, "c")])
    }

    @Test func subscription_isTheOrigin() {
        #expect(events("a-^-b", start: 200) == [.next(180, "a"), .next(220, "b")])
    }

    @Test func values_areLookedUpOrMade() {
        let error = Other()
        #expect(
            Recorded.events(marbles: "ab#", values: ["a": 1, "b": 2], error: error, start: 0) == [
                .next(0, 1), .next(10, 2), .error(20, error),
            ])
        #expect(Recorded.events(marbles: "1{23}", value: { Int($0) }, start: 0) == [.next(0, 1), .next(10, 23)])
    }

    @Test(arguments: [
        ("--a-(b", "Column 5 of the marbles '--a-(b' opens a group that is not closed: add a ')'."),
        ("a)", "Column 2 of the marbles 'a)' closes a group that was not opened: add a '('."),
        (
            "-()",
            """
            Column 2 of the marbles '-()' opens a group with nothing in it: write '-' for a tick in which nothing \
            happens.
            """
        ),
        ("(a(b))", "Column 3 of the marbles '(a(b))' opens a group inside a group: close the first one before."),
        (
            "(a-b)",
            "Column 3 of the marbles '(a-b)' has a '-' in a group, whose marks share one tick: close the group first."
        ),
        (
            "(a<5>)",
            "Column 3 of the marbles '(a<5>)' has a '<' in a group, whose marks share one tick: close the group first."
        ),
        ("-{ab", "Column 2 of the marbles '-{ab' opens a name that is not closed: add a '}'."),
        ("-}", "Column 2 of the marbles '-}' has a '}' that closes nothing: write it in braces if it names a value."),
        ("a<5", "Column 2 of the marbles 'a<5' opens a '<' that is not closed: add a '>'."),
        ("a<x>", "Column 2 of the marbles 'a<x>' has '<x>', and 'x' is no whole number of time units."),
        ("^-^", "Column 3 of the marbles '^-^' has a second '^': one moment of subscription is enough."),
        ("(^a)", "Column 2 of the marbles '(^a)' has a '^' in a group: put it before the group."),
        ("^-!", "Column 3 of the marbles '^-!' has a '!', which ends a subscription: among events it has no place."),
    ])
    func faults_areRefusedWithTheirColumn(text: String, message: String) {
        let error = #expect(throws: MarbleSyntaxError.self) { try Marbles(text) }
        #expect(error?.description == message)
    }

    @Test func recordings_areWrittenInTheShortestForm() {
        #expect("\(events("  --a - (b c|)--").marbles(start: 0))" == "--a-(bc|)")
        #expect(
            "\(Recorded.events(.next(201, 1), .next(210, 2), .error(1_000, Other())).marbles())" == "<1>1<-1>2<780>#")
        let odd = Recorded.events(.next(0, "é"), .next(10, "-"), .next(20, "a}"), .next(30, "\n"), .next(40, ""))
        #expect("\(odd.marbles(start: 0))" == "é{-}{a\\}}{\n}{}")
        #expect("\([Recorded<Event<Int>>]().marbles())" == "")
    }

    @Test func recordings_areWrittenWithNamesOfTheirValues() {
        #expect(
            "\(Recorded.events(.next(200, 10), .next(210, 20), .completed(220)).marbles(values: ["x": 10, "a": 10]))"
                == "a{20}|")
    }

    @Test func diagrams_areEqualIfTheSameHappensAtTheSameTimes() {
        #expect(Marbles("-a--") == " -(a)")
        #expect(Marbles("-a") != "a")
        #expect(Marbles("(ab)") != "(ba)")
        #expect(Marbles("a-^b") == "<-20>a<20>b")
        #expect(Recorded.events(.next(203, 1)).marbles(tick: 1) == "---1")
        #expect(Recorded.events(.next(203, 1)).marbles(tick: 3) == "-1")
        #expect(Recorded.events(.next(203, 1)).marbles() == "<3>1")
    }

    @Test func difference_showsTheSameTimeInTheSameColumn() {
        #expect(Marbles("--a").difference(from: "--a--") == nil)
        #expect(
            Marbles("--a-b--|").difference(from: "--a(bc)-|") == """
                expected  --a(bc)-|
                recorded  --a-   b--|
                             ^
                """)
        #expect(Marbles("").difference(from: "-a") == "expected  -a\nrecorded  \n           ^")
        #expect(
            Recorded.events(.next(211, 1)).marbles().difference(from: "-1")
                == "expected  -1\nrecorded  --<-9>1\n           ^")
    }

    @Test func subscriptions_areReadAndWritten() {
        #expect(Subscription(marbles: "-^--!") == Subscription(210, 240))
        #expect(Subscription(marbles: "(^!)", start: 0) == Subscription(0, 0))
        #expect(Subscription(marbles: "--^", tick: 1, start: 5) == Subscription(7))
        #expect(
            [Subscription(200, 230), Subscription(210), Subscription(205, 205), Subscription(200, 1_000)].marbles()
                == ["^--!", "-^", "<5>(^!)", "^<790>!"])
    }

    /// Reading what is written gives the same events at the same times; the seed is in the message of a failure.
    @Test func readingWhatIsWritten_givesTheSame() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let names = [
            "a", "B", "7", "", " ", "-", "two words", "}", "\\", "\\}", "{", "é", "e\u{301}", "\u{301}", "👨‍👩‍👧", "🇩",
            "🇪", "<5>", "(|)", "\n", "\u{200D}", "ᄀ", "가",
        ]
        for round in 0..<2_000 {
            let tick = Int.random(in: 1...12, using: &random)
            let start = Int.random(in: -300...300, using: &random)
            var time = start
            let events = (0..<Int.random(in: 0...8, using: &random)).map { _ -> Recorded<Event<String>> in
                switch Int.random(in: 0...5, using: &random) {
                case 0: break
                case 1: time += Int.random(in: -40...40, using: &random)
                case 2: time += tick * 100
                default: time += tick * Int.random(in: 0...5, using: &random)
                }
                switch Int.random(in: 0...9, using: &random) {
                case 0: return .completed(time)
                case 1: return .error(time, TestError())
                default: return .next(time, names.randomElement(using: &random) ?? "")
                }
            }
            let written = events.marbles(tick: tick, start: start)
            let read = try Marbles(written.description)
            let readEvents = Recorded.events(marbles: read, tick: tick, start: start)
            try #require(
                readEvents == events, "seed \(seed), round \(round): '\(written)'")
            try #require(read == written, "seed \(seed), round \(round): '\(written)'")
            // Byte by byte too: equality of strings knows no difference between two spellings of é.
            try #require(
                Array("\(readEvents)".utf8) == Array("\(events)".utf8), "seed \(seed), round \(round): '\(written)'")
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
