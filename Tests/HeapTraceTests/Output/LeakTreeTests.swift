import XCTest

@testable import HeapTrace

final class LeakTreeTests: XCTestCase {
    func testTree_showsWhatGrowsWhereItWasMadeWhoHoldsItAndWhatToChange() {
        XCTAssertEqual(
            LeakTree().text(of: LeakSamples.document),
            """
            search/open & close: leaks, after 163 runs
            ├─ Screen, held by a cycle over 'Screen.bag': capture 'self' weakly in the closure at Screen.swift:42  \
            #d924513227c6
            │  ├─ map<Int, String> (sink): growing by 1 a run [1 1]
            │  ├─ and with it DisposeBag (disposable): 2 a run
            │  ├─ made at
            │  │  ├─ closure #1 in Screen.open(); or <not> "&" at My Screen.swift:42
            │  │  └─ main in app
            │  └─ Screen is held by a cycle, likely: one reference was not found
            │     ├─ Screen: .bag
            │     ├─ DisposeBag: [0]
            │     ├─ closure in Screen.open() at Screen.swift:42: capture self
            │     └─ Screen, where the cycle closes
            ├─ heap bytes: growing by 512 a run [500 524]
            ├─ subject: lazy: 2 made in the first runs and kept
            ├─ still scheduled: 1 piece of work
            ├─ looked at: resources of Rx; the bytes of the heap on all threads; not: objects
            └─ objects: unavailable, because interposition is not linked.
            clean: clean, after 23 runs
            └─ looked at: resources of Rx; Swift objects, closures and boxes by type; the bytes of the heap on all \
            threads
            waiting: inconclusive, after 23 runs
            ├─ sink: pending: not at rest after the last run
            └─ looked at: resources of Rx; Swift objects, closures and boxes by type; the bytes of the heap on all \
            threads
            known: leaks as allowed, after 163 runs
            ├─ filter<Int> (sink): growing by 1 a run [1 1]
            │  └─ may leak until 2999-12-31: The vendor's cache.
            └─ looked at: resources of Rx; Swift objects, closures and boxes by type; the bytes of the heap on all \
            threads
            unjudged: not judged after 23 runs: heap bytes were not looked at, because a sanitizer has replaced the \
            allocator.
            ├─ looked at: Swift objects, closures and boxes by type; not: resources, heap bytes
            ├─ resources: unavailable, because this build does not trace resources. Build for debugging, or with \
            '--traits default,TRACE_RESOURCES'.
            └─ heap bytes: unavailable, because a sanitizer has replaced the allocator.
            broken: failed: An iteration threw 'planted'.
            stale allowance: 'type "gone" until 2999-12-31 because "Mended."' matches no leak any more. Remove it.
            6 round trips: 1 leaking (search/open & close), 1 failed (broken), 1 inconclusive (waiting), 1 not \
            judged (unjudged), \
            1 allowed to leak (known), 1 without growth, 1 stale allowance.

            """)
    }

    func testTree_ofALongStack_isCutAndSaysSo() {
        let frames = (1...20).map { StackFrame(address: UInt($0), function: "f\($0)", image: "app") }
        let group = LeakSamples.group(.kind(.sink), .growing(LeakSamples.slope), stack: CallStack(frames: frames))
        let text = LeakTree().text(of: GrowthReport(name: "deep", runs: 163, groups: [group]))
        XCTAssertTrue(text.contains("├─ f5 in app\n│     └─ … and 15 more"), text)
    }

    func testVerdict_ofCleanRoundTrips_isOneSentence() {
        XCTAssertEqual(LeakDocument([LeakSamples.clean]).verdict, "1 round trip: 1 without growth.")
        XCTAssertEqual(
            LeakDocument([LeakSamples.clean, LeakSamples.clean]).verdict,
            "2 round trips: 2 without growth.")
    }

    func testCounted_oneOfAThing_isOne() {
        XCTAssertEqual([0, 1, 2].map { String.counted($0, "run") }, ["0 runs", "1 run", "2 runs"])
        XCTAssertEqual(String.counted(1, "piece of work", "pieces of work"), "1 piece of work")
        XCTAssertEqual(PendingWork(pieces: 1, timers: 2).description, "1 piece of work and 2 periodic timers")
        XCTAssertTrue(GrowthReport(name: "one", runs: 1, groups: []).description.contains(", after 1 run\n"))
    }

    func testDetails_areTheTree() {
        XCTAssertEqual(LeakSamples.leaking.details, LeakTree().text(of: LeakSamples.leaking))
        XCTAssertEqual("\(LeakSamples.leaking)", LeakSamples.leaking.details)
        let group = LeakSamples.leaking.groups[2]
        XCTAssertTrue(
            LeakSamples.leaking.details.contains("\n├─ \(group.details.prefix { $0 != "\n" })\n"), group.details)
        XCTAssertEqual(LeakSamples.group(.kind(.sink), .bounded(by: 8)).details, "sink: bounded: rose by 8 and stopped")
    }

    func testOutcome_ofARecord_isTheGravest() {
        func outcome(_ report: GrowthReport) -> GrowthReport.Outcome {
            report.allowing(LeakSamples.allowances).outcome
        }
        XCTAssertEqual(LeakSamples.all.map(outcome), [.found, .clean, .inconclusive, .allowed, .notJudged])
        let mixed = GrowthReport(
            name: "mixed", runs: 163, groups: LeakSamples.allowed.groups + LeakSamples.leaking.groups)
        XCTAssertEqual(outcome(mixed), .found)
    }

    func testOutcome_ofAnAllowedLeak_isNotJudged_whereASecondLeakNextToItCannotBeSeen() {
        func outcome(_ groups: [GrowthGroup], allowing allowances: LeakAllowances) -> GrowthReport.Outcome {
            let missing = GrowthReport.Unavailable(metric: .memoryNextToLeaks, reason: "the heap cannot be read.")
            return GrowthReport(name: "allowed", runs: 163, groups: groups, unavailable: [missing])
                .allowing(allowances).outcome
        }
        let allowed = LeakSamples.allowed.groups
        XCTAssertEqual(outcome(allowed, allowing: LeakSamples.allowances), .notJudged)
        XCTAssertEqual(outcome(allowed, allowing: .none), .found)
        XCTAssertEqual(outcome([], allowing: .none), .clean)
    }

    func testOutcome_ofCountsThatStillRise_isInconclusive() {
        let rising = GrowthReport(name: "rising", runs: 163, groups: [LeakSamples.group(.heapBytes, .rising(by: 900))])
        XCTAssertEqual(rising.outcome, .inconclusive)
        XCTAssertTrue(rising.whyInconclusive.hasPrefix("Something still rises"), rising.whyInconclusive)
        XCTAssertTrue(LeakSamples.pending.whyInconclusive.hasPrefix("Something was still running"))
    }

    func testOutcome_whereOtherCodeTookWhatMayHideGrowth_isNotJudged() {
        let hidden = GrowthReport(name: "hidden", runs: 43, groups: [], driftBytes: 5_000)
        XCTAssertEqual(hidden.disturbed().outcome, .notJudged)
        // Drift alone doesn't change the outcome: it is printed with the verdict.
        XCTAssertEqual(hidden.outcome, .clean)
        // Memory that other code releases hides growth too.
        XCTAssertEqual(GrowthReport(name: "clean", runs: 43, groups: []).disturbed().outcome, .notJudged)
    }
}
