import Testing

@testable import RxBench

@Suite("Limits") struct LimitTests {
    @Test func `limits that contradict themselves are refused with the reason`() {
        func problem(_ limits: Limit..., hasBaseline: Bool = false) -> String? {
            Limit.problem(with: limits, hasBaseline: hasBaseline)
        }
        #expect(
            problem(.allocations(atMost: 6), .allocationsPerIteration(atMost: 3), .time(atMostNanoseconds: 5)) == nil)
        #expect(
            problem(.allocations(atMost: -1))
                == "limits 'allocationsPerOperation' to -1.0; it must be a number of at least 0.")
        #expect(
            problem(.time(atMostNanoseconds: .infinity)) == "limits 'time' to inf; it must be a number of at least 0.")
        #expect(problem(.liveResources(atMost: 1), .anyLiveResources) == "limits one quantity twice.")
        #expect(
            problem(.ratio(atMost: 1.5)) == "limits its ratio to a baseline, and has none. Name one with 'relativeTo:'."
        )
        #expect(problem(.ratio(atMost: 1.5), hasBaseline: true) == nil)
    }
}
