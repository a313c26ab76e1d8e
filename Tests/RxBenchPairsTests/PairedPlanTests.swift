import Testing

import RxBench
@testable import RxBenchPairs

@Suite("Plan of a comparison") struct PairedPlanTests {
    @Test func `one benchmark in a minute has sixteen layouts and thirty sweeps`() {
        let plan = PairedPlan(comparisons: 1, controls: 1, totalSeconds: 60, layouts: nil)
        #expect(plan.layouts == 16)
        #expect(plan.sweeps == 30)
        #expect(abs(plan.seconds(comparisons: 1, controls: 1) - 60) < 0.1)
    }

    @Test func `many benchmarks have more layouts, as their significance is divided`() {
        let plan = PairedPlan(comparisons: 165, controls: 4, totalSeconds: 600, layouts: nil)
        #expect(plan.layouts == 18)
        #expect(plan.sweeps == 2)
    }

    @Test func `a budget that is too small still visits every layout once`() {
        let plan = PairedPlan(comparisons: 100, controls: 4, totalSeconds: 1, layouts: nil)
        #expect(plan.sweeps == 1)
        #expect(plan.seconds(comparisons: 100, controls: 4) > 100)
    }

    @Test func `layouts that were asked for are taken`() {
        #expect(PairedPlan(comparisons: 1, controls: 1, totalSeconds: 60, layouts: 40).layouts == 40)
    }

    @Test func `where a bound decides, a process is short, so that the first look comes soon`() {
        let plan = PairedPlan(comparisons: 165, controls: 4, totalSeconds: 500, layouts: nil, isBounded: true)
        #expect(plan.sliceNanoseconds == 65_000_000)
        #expect(plan.sweeps == 1)
    }
}
