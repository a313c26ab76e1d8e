import Testing

@testable import RxBenchRaces

@Suite("Race schedule") struct RaceScheduleTests {
    @Test func `turns are letters with numbers of steps`() throws {
        let schedule = try #require(RaceSchedule("A6B4A10B15"))
        #expect(schedule.text == "A6B4A10B15")
        #expect(schedule.choices.count == 35)
        #expect(schedule.choices[5...6] == [0, 1])
    }

    @Test func `a turn without a number is one step, and turns of one actor are one`() {
        #expect(RaceSchedule("ABBA2")?.text == "A1B2A2")
    }

    @Test func `a small letter is a store of that actor's that is delayed`() throws {
        let schedule = try #require(RaceSchedule("a1A2B1b1"))
        #expect(schedule.text == "a1A2B1b1")
        #expect(schedule.choices == [24, 0, 0, 1, 25])
        #expect(schedule.delaysStores)
        #expect(RaceSchedule("A2B1")?.delaysStores == false)
    }

    @Test func `a schedule may name its build`() {
        #expect(RaceSchedule("A2B@1f3c")?.build == "1f3c")
        #expect(RaceSchedule("A2B@1f3c")?.text == "A2B1@1f3c")
    }

    @Test func `an execution without steps is still a schedule that can be read`() {
        #expect(RaceSchedule([UInt8]()).text == "A")
        #expect(RaceSchedule("A") != nil)
    }

    @Test(arguments: ["", "@1f", "z2", "A0", "A2 B", "2A", "Z1", "A99999999999999999999"])
    func `what is no schedule is refused`(text: String) { #expect(RaceSchedule(text) == nil) }
}
