import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Plan of a comparison") struct PairedPlanTests {
    @Test func `one benchmark in a minute has sixteen layouts and forty-six sweeps`() {
        let plan = PairedPlan(comparisons: 1, controls: 1, totalSeconds: 60, layouts: nil)
        #expect(plan.layouts == 16)
        #expect(plan.sweeps == 46)
        #expect(abs(plan.seconds(comparisons: 1, controls: 1) - 60) < 0.1)
    }

    @Test func `many benchmarks have more layouts, as their significance is divided`() {
        let plan = PairedPlan(comparisons: 165, controls: 4, totalSeconds: 600, layouts: nil)
        #expect(plan.layouts == 18)
        #expect(plan.sweeps == 3)
    }

    @Test func `a budget that is too small still visits every layout once`() {
        let plan = PairedPlan(comparisons: 100, controls: 4, totalSeconds: 1, layouts: nil)
        #expect(plan.sweeps == 1)
        #expect(plan.seconds(comparisons: 100, controls: 4) > 100)
    }

    @Test func `layouts that were asked for are taken`() {
        #expect(PairedPlan(comparisons: 1, controls: 1, totalSeconds: 60, layouts: 40).layouts == 40)
        // With fewer layouts, even if all agree, one of this number of benchmarks could not be called changed.
        #expect([1, 3, 7].map(PairedPlan.layouts(toConvince:)) == [10, 12, 13])
    }

    @Test func `where a bound decides, a process is short, so that the first look comes soon`() {
        let plan = PairedPlan(comparisons: 165, controls: 4, totalSeconds: 500, layouts: nil, isBounded: true)
        #expect(plan.sliceNanoseconds == 30_000_000)
        #expect(plan.sweeps == 2)
    }

    @Test func `what a bound leaves open gets link orders while there is time to visit all twice`() {
        func further(visits: Double, remaining: Double) -> Int {
            PairedPlan.furtherLayouts(
                beside: 18, visitSeconds: visits, remainingSeconds: remaining, linkingSeconds: 1)
        }
        // 18 s for linking, and 2 sweeps with 36 visits of 0.5 s each.
        #expect(further(visits: 0.5, remaining: 54) == 18)
        #expect(further(visits: 0.5, remaining: 53) == 0)
    }

    @Test func `further link orders are visited for what is compared, and not for the control`() {
        let options = PairedOptions(totalSeconds: 60, noSlowerThan: 0.05, seed: 1)
        let plan = PairedPlan(comparisons: 2, controls: 1, totalSeconds: 60, layouts: nil, isBounded: true)
        let counted = ["a", "b"].map {
            CountedBenchmark(id: $0, operations: 1, base: WorkerReply(), head: WorkerReply())
        }
        var session = PairedSession(counted, controls: ["a"], plan: plan, options: options)
        func layouts(of index: Int) -> Set<Int> {
            Set((1...4).flatMap { session.parts(sweep: $0).joined() }.filter { $0.index == index }.map(\.layout))
        }
        #expect(session.furtherLayouts(linkingSeconds: 0) == 16)
        #expect(session.furtherLayouts(linkingSeconds: 4) == 0)
        session.add(layouts: 16)
        #expect(layouts(of: 0) == Set(0..<32))
        #expect(layouts(of: 2) == Set(0..<16))
        for index in 0...1 {
            let visit = Visit(index: index, layout: 31, isControl: false)
            session.add(PairReply(failure: .refused("It failed.")), visit, seconds: 0.1)
        }
        #expect(session.furtherLayouts(linkingSeconds: 0) == 0)
    }

    @Test func `where a bound decides, a sweep has parts, the newest link orders first`() {
        let counted = [CountedBenchmark(id: "a", operations: 1, base: WorkerReply(), head: WorkerReply())]
        func session(bound: Double?) -> PairedSession {
            PairedSession(
                counted, controls: [],
                plan: PairedPlan(
                    comparisons: 1, controls: 0, totalSeconds: 60, layouts: 18, isBounded: bound != nil),
                options: PairedOptions(totalSeconds: 60, noSlowerThan: bound, seed: 1))
        }
        func layouts(_ parts: [[Visit]]) -> [[Int]] { parts.map { $0.map(\.layout).sorted() } }
        var bounded = session(bound: 0.05)
        #expect(layouts(bounded.parts(sweep: 1)) == [Array(0..<9), Array(9..<18)])
        bounded.add(layouts: 18)
        #expect(layouts(bounded.parts(sweep: 2)).map(\.first) == [27, 18, 9, 0])
        #expect(layouts(session(bound: nil).parts(sweep: 1)) == [Array(0..<18)])
    }

    @Test func `looks before the middle cost the last one nothing`() {
        let bounded = PairedPlan(comparisons: 1, controls: 0, totalSeconds: 60, layouts: nil, isBounded: true)
        let other = PairedPlan(comparisons: 1, controls: 0, totalSeconds: 60, layouts: nil)
        #expect(bounded.looks.suffix(2) == other.looks.suffix(2) && Set(other.looks).isSubset(of: bounded.looks))
        var spending = AlphaSpending()
        let shares = bounded.looks.map { spending.look(at: $0) }
        #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
        #expect(shares.last == 7.0 / 16)
    }

    @Test func `progress counts the rest of the first sweep, which is made whole when the time is over`() {
        let options = PairedOptions(totalSeconds: 10, seed: 1)
        let plan = PairedPlan(comparisons: 2, controls: 1, totalSeconds: 10, layouts: 16)
        let counted = ["a", "b"].map {
            CountedBenchmark(id: $0, operations: 1, base: WorkerReply(), head: WorkerReply())
        }
        var session = PairedSession(counted, controls: ["a"], plan: plan, options: options)
        #expect(session.progress("a").remainingSeconds <= 10.1)
        let visits = session.parts(sweep: 1).joined().filter { !$0.isControl }
        let reply = PairReply(
            series: PairSeries(figures: [PairFigure(.time, base: 100, head: 100)], quadruples: 1))
        for visit in visits.prefix(2) { session.add(reply, visit, seconds: 50) }
        let controls = session.parts(sweep: 1).joined().count - visits.count
        let late = session.progress("a")
        #expect(late.mayEndSooner)
        #expect(late.remainingSeconds == Double(visits.count - 2 + controls) * 50)
        #expect(late.completed * 100 / late.total < 1)
        for visit in session.parts(sweep: 1).joined() where !visits.prefix(2).contains(visit) {
            session.add(reply, visit, seconds: 50)
        }
        #expect(session.progress("a").remainingSeconds <= 10.1)
    }

    @Test func `latencies have the longest processes, and no further link orders`() {
        let options = PairedOptions(totalSeconds: 60, noSlowerThan: 0.05, seed: 1)
        let plan = PairedPlan(comparisons: 2, controls: 1, totalSeconds: 60, layouts: nil, isBounded: true)
        let reply = WorkerReply()
        var waiting = WorkerReply()
        waiting.recordsLatencies = true
        let latencies = CountedBenchmark(id: "waits", operations: 1, base: waiting, head: waiting)
        let both = PairedSession(
            [latencies, CountedBenchmark(id: "works", operations: 1, base: reply, head: reply)], controls: ["waits"],
            plan: plan, options: options)
        #expect((0..<3).map(both.sliceNanoseconds) == [250_000_000, 30_000_000, 250_000_000])
        #expect(both.furtherLayouts(linkingSeconds: 0) == 16)
        let alone = PairedSession([latencies], controls: [], plan: plan, options: options)
        #expect(alone.furtherLayouts(linkingSeconds: 0) == 0)
    }

    @Test func `what few link orders show to be within a bound is visited no more`() {
        let options = PairedOptions(totalSeconds: 60, noSlowerThan: 0.05, seed: 1)
        let plan = PairedPlan(comparisons: 2, controls: 0, totalSeconds: 60, layouts: nil, isBounded: true)
        let counted = ["same", "slower"].map {
            CountedBenchmark(id: $0, operations: 1, base: WorkerReply(), head: WorkerReply())
        }
        var session = PairedSession(counted, controls: [], plan: plan, options: options)
        for visit in session.parts(sweep: 1)[0] {
            let head = (visit.index == 0 ? 100 : 120) + Double(visit.layout) / 10
            let figure = PairFigure(.time, base: 100, head: head)
            session.add(PairReply(series: PairSeries(figures: [figure], quadruples: 1)), visit, seconds: 0.1)
        }
        #expect(!session.isDone(0))
        session.lookAtBound()
        #expect(session.isDone(0))
        #expect(!session.isDone(1) && !session.isSettled)
    }
}
