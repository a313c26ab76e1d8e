import Foundation
import Rx
import HeapTrace
import XCTest

/// Growth of real resources: planted leaks and their clean twins.
final class DetectGrowthTests: XCTestCase {
    #if TRACE_RESOURCES
        /// Subscribes to a screen's values, and keeps the screen alive if asked to.
        private final class Screen {
            let values = PublishSubject<Int>()
            var bag = DisposeBag()
            var latest = 0

            func open(leaking: Bool) {
                if leaking {
                    values.subscribe(onNext: { self.latest = $0 }).disposed(by: bag)
                } else {
                    values.subscribe(onNext: { [weak self] in self?.latest = $0 }).disposed(by: bag)
                }
                values.onNext(1)
            }
        }

        func testScreen_whoseSubscriptionHoldsIt_grows() throws {
            let report = HeapTrace.detectGrowth(named: "screen", maximumRuns: 160) { Screen().open(leaking: true) }
            XCTAssertEqual(report.verdict?.isGrowing, true)
            XCTAssertEqual(report.runs, 163)
            let screen = "DetectGrowthTests.Screen"
            guard report.groups.contains(where: { $0.retention != nil }) else {
                return XCTAssertEqual(report.groups.filter(\.verdict.isGrowing).count, 4, "\(report)")
            }
            XCTAssertEqual(report.groups.filter(\.verdict.isGrowing).count, 1)
            let lines = report.details.split(separator: "\n").map { $0.drop { "├└│─ ".contains($0) } }.filter {
                !$0.hasPrefix("looked at: ")
            }
            let stack = try XCTUnwrap(lines.firstIndex(of: "made at"), report.details)
            let holders = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("Screen is held by") }, report.details)
            // An optimised initialiser is part of the function that calls it.
            if _isDebugAssertConfiguration() {
                XCTAssertEqual(lines[stack + 1], "\(screen).init() at DetectGrowthTests.swift:12")
            }
            XCTAssertTrue(lines[stack + 1].contains("DetectGrowthTests"))
            XCTAssertEqual(
                (lines[...stack] + lines[holders...]).joined(separator: "\n"),
                """
                screen: leaks, after 163 runs
                Screen, held by a cycle over 'Screen.bag': capture 'self' weakly in the closure at \
                DetectGrowthTests.swift:17  #\(report.growing[0].signature ?? "")
                DisposeBag (disposable): growing by 1 a run [1 1]
                and with it PublishSubject<Int> (subject): 1 a run, SubjectSubscription (disposable): 1 a run, \
                subscribe (sink): 1 a run
                made at
                Screen is held by a cycle, proven
                Screen: .bag
                DisposeBag: subscription
                closure in \(screen).open(leaking:) at DetectGrowthTests.swift:17: capture self
                Screen, where the cycle closes
                """)
        }

        func testScreen_whoseSubscriptionDoesNotHoldIt_isClean() throws {
            try skipWithoutHeapBytes()
            let report = HeapTrace.detectGrowth(named: "screen") { Screen().open(leaking: false) }
            XCTAssertEqual(report.verdict, .clean)
            XCTAssertTrue(report.description.hasPrefix("screen: clean, after 23 runs"), "\(report)")
            XCTAssertEqual(report.groups.filter { $0.verdict != .clean }.map(\.metric), [])
        }

        func testCacheWithABound_isBounded() {
            var cache: [Observable<Int>] = []
            let report = HeapTrace.detectGrowth(named: "cache") {
                if cache.count < 32 { cache.append(.just(cache.count)) }
            }
            XCTAssertEqual(report.verdict, .bounded(by: 32))
            withExtendedLifetime(cache) {}
        }

        func testWhatIsMadeOnce_isLazy() {
            var shared: Observable<Int>?
            let report = HeapTrace.detectGrowth(named: "singleton") { shared = shared ?? .just(1) }
            XCTAssertEqual(report.verdict, .lazy(kept: 1))
            withExtendedLifetime(shared) {}
        }

        func testWorkOnAnotherThread_isWaitedFor() {
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            let report = HeapTrace.detectGrowth(named: "background") {
                _ = Observable.of(1, 2, 3).observe(on: scheduler).subscribe(onNext: { _ in })
            }
            XCTAssertEqual(report.verdict?.isGrowing, false, "\(report)")
        }

        func testAsynchronousRoundTrip_isDecidedToo() async {
            var kept: [any Disposable] = []
            let growing = await HeapTrace.detectGrowth(named: "tasks") {
                await Task.yield()
                kept.append(Observable<Int>.never().subscribe(onNext: { _ in }))
            }
            XCTAssertEqual(growing.verdict?.isGrowing, true)
            let clean = await HeapTrace.detectGrowth(named: "tasks") { _ = try? await Single.just(1).value }
            XCTAssertEqual(clean.verdict, .clean, "\(clean)")
            withExtendedLifetime(kept) {}
        }

        // MARK: Scheduled work

        func testTimersThatPileUp_arePendingAndSaidToBe() {
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            var subscriptions: [any Disposable] = []
            let report = HeapTrace.detectGrowth(named: "reminders", runs: 16, maximumRuns: 16) {
                subscriptions.append(Observable<Int>.timer(.seconds(3_600), scheduler: scheduler).subscribe())
            }
            XCTAssertEqual(report.verdict, .pending, "\(report)")
            XCTAssertEqual(report.pendingWork, PendingWork(pieces: report.runs, timers: 0))
            XCTAssertTrue(
                report.description.contains(" still scheduled: \(report.runs) pieces of work\n"), "\(report)")
            subscriptions.forEach { $0.dispose() }
        }

        func testShortTimer_isWaitedFor() {
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            let report = HeapTrace.detectGrowth(named: "timer", runs: 16) {
                _ = Observable<Int>.timer(.milliseconds(20), scheduler: scheduler).subscribe()
            }
            XCTAssertEqual(report.verdict, .clean, "\(report)")
            // Bytes that the queue's thread keeps don't require more runs.
            XCTAssertEqual(report.runs, 19)
            XCTAssertTrue(report.pendingWork.isEmpty)
        }

        func testIntervalThatIsNeverDisposed_grows() {
            let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
            var subscriptions: [any Disposable] = []
            let report = HeapTrace.detectGrowth(named: "clock", maximumRuns: 40) {
                subscriptions.append(Observable<Int>.interval(.seconds(3_600), scheduler: scheduler).subscribe())
            }
            XCTAssertEqual(report.verdict?.isGrowing, true, "\(report)")
            XCTAssertEqual(report.pendingWork, PendingWork(pieces: 0, timers: report.runs))
            subscriptions.forEach { $0.dispose() }
        }

        // MARK: Memory without resources

        private func skipWithoutHeapBytes() throws {
            let missing = HeapTrace.detectGrowth(named: "nothing") {}.unavailable.first { $0.metric == .heapBytes }
            if let missing { throw XCTSkip(missing.reason) }
        }

        func testBytesThatNothingElseCounts_showOnTheHeap() throws {
            try skipWithoutHeapBytes()
            var kept: [[UInt8]] = []
            let report = HeapTrace.detectGrowth(named: "bytes", maximumRuns: 40) {
                kept.append([UInt8](repeating: 1, count: 4_096))
            }
            XCTAssertEqual(report.groups.filter(\.verdict.isGrowing).map(\.metric), [.heapBytes], "\(report)")
            let clean = HeapTrace.detectGrowth(named: "bytes", maximumRuns: 40) {
                kept = [[UInt8](repeating: 1, count: 4_096)]
            }
            XCTAssertEqual(clean.verdict, .clean, "\(clean)")
        }

        func testBytesThatAnotherThreadTakes_areNotJudged_withoutTheProductThatCountsThem() throws {
            // @unchecked: only the other thread uses it, while this thread waits.
            final class Kept: @unchecked Sendable { var bytes: [[UInt8]] = [] }
            let kept = Kept()
            let asked = DispatchSemaphore(value: 0)
            let done = DispatchSemaphore(value: 0)
            let other = Thread {
                for _ in 0..<43 {
                    asked.wait()
                    kept.bytes.append([UInt8](repeating: 1, count: 4_096))
                    done.signal()
                }
            }
            other.start()
            let report = HeapTrace.detectGrowth(named: "bytes", maximumRuns: 40) {
                asked.signal()
                done.wait()
            }
            // Found if the detection follows the array by its elements.
            XCTAssertTrue([.notJudged, .found].contains(report.outcome), "\(report)")
            for _ in report.runs..<43 { asked.signal() }
        }

        func testCounterOfOtherThings_isFollowed() {
            final class Counter: GrowthCounter, @unchecked Sendable {
                // @unchecked: one thread uses it.
                var count = 0
                let name = "planted"
                func read() -> GrowthReading { .counts([.objects("App.ViewModel"): count, .objects("App.Other"): 3]) }
            }
            let counter = Counter()
            HeapTrace.follow(counter)
            defer { HeapTrace.unfollow(named: "planted") }
            let report = HeapTrace.detectGrowth(named: "objects", maximumRuns: 160) { counter.count += 2 }
            // The last line may say that heap bytes could not be read.
            let lines = report.description.split(separator: "\n").prefix(2)
            XCTAssertEqual(lines.first, "objects: leaks, after 163 runs")
            XCTAssertEqual(
                lines.last?.dropFirst(3), "objects of App.ViewModel: growing by 2 a run [2 2]", "\(report)")
            XCTAssertEqual(HeapTrace.detectGrowth(named: "objects") {}.verdict, .clean)
        }

        func testCountThatFallsBackLate_isNotCalledALeak_andOneBesideItThatStaysIs() {
            // Releases everything after ten readings without a run in between, as a queue releases the handler of a
            // timer.
            final class Counter: GrowthCounter, @unchecked Sendable {
                // @unchecked: one thread uses it.
                var kept = 0, late = 0, readings = 0
                let name = "planted"
                func run() {
                    (kept, late, readings) = (kept + 1, late + 1, 0)
                }
                func read() -> GrowthReading {
                    readings += 1
                    if readings > 10 { late = 0 }
                    return .counts([.objects("App.Kept"): kept, .objects("App.Late"): late])
                }
            }
            let counter = Counter()
            HeapTrace.follow(counter)
            defer { HeapTrace.unfollow(named: "planted") }
            let report = HeapTrace.detectGrowth(named: "late", maximumRuns: 40, patience: .seconds(5)) { counter.run() }
            XCTAssertEqual(
                report.groups.filter(\.verdict.isGrowing).map(\.description),
                ["objects of App.Kept: growing by 1 a run [1 1]"], "\(report)")
        }

        func testCountThatWaitsForAThread_isWaitedFor() {
            // Decreases at the fourth reading after a run. Counts of any kind have to settle.
            final class Counter: GrowthCounter, @unchecked Sendable {
                // @unchecked: one thread uses it.
                var runs = 0, readings = 0
                let name = "planted"
                func read() -> GrowthReading {
                    readings += 1
                    return .counts([.objects("App.Late"): readings < 4 ? runs % 3 : 0])
                }
            }
            let counter = Counter()
            HeapTrace.follow(counter)
            defer { HeapTrace.unfollow(named: "planted") }
            let report = HeapTrace.detectGrowth(named: "late", runs: 16) {
                (counter.runs, counter.readings) = (counter.runs + 1, 0)
            }
            XCTAssertEqual(report.verdict, .clean, "\(report)")
            XCTAssertEqual(report.runs, 19)
        }

        func testDetection_leavesNeitherResourcesNorLevelBehind() {
            let before = ResourceCounts.current(withOrigins: true)
            _ = HeapTrace.detectGrowth(named: "screen", maximumRuns: 40) { Screen().open(leaking: false) }
            var kept: [Observable<Int>] = []
            _ = HeapTrace.detectGrowth(named: "kept", maximumRuns: 40) { kept.append(.just(1)) }
            XCTAssertEqual(HeapTrace.level, .counts)
            kept = []
            let change = ResourceCounts.current(withOrigins: true).subtracting(before)
            XCTAssert(change.byType.allSatisfy { $0 == 0 }, "\(change.byType)")
            XCTAssert(change.byOrigin.values.allSatisfy { $0 == 0 }, "\(change.byOrigin)")
        }

        func testLeaksAtTwoPlaces_areTwoGroupsWithStableSignatures() {
            var reports: [GrowthReport] = []
            func signatures() -> [String] {
                keptBags = []
                let report = HeapTrace.detectGrowth(named: "bags", maximumRuns: 40) {
                    keptBags.append(firstBag())
                    keptBags.append(secondBag())
                }
                let growing = report.groups.filter(\.verdict.isGrowing)
                XCTAssertEqual(
                    growing.compactMap { $0.creationStack?.framesOfYours.first?.function }.map {
                        $0.contains("firstBag") ? 1 : 2
                    }.sorted(), [1, 2])
                keptBags = []
                reports.append(report)
                return growing.compactMap(\.signature).sorted()
            }
            let first = signatures()
            XCTAssertEqual(Set(first).count, 2)
            XCTAssertEqual(signatures(), first, reports.map(\.description).joined(separator: "\n"))
        }

        func testSubscriptionThatIsHeldInSeveralWays_isOneGroup() throws {
            do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
            let shelf = Shelf()
            let report = HeapTrace.detectGrowth(named: "shelf", maximumRuns: 40) {
                shelf.subscriptions.append(shelf.subject.map { $0 + 1 }.subscribe(onNext: { _ in }))
            }
            let growing = report.groups.filter(\.verdict.isGrowing)
            XCTAssertEqual(growing.count, 1, report.details)
            XCTAssertEqual(
                growing.first.map { ($0.companions.map(\.metric) + [$0.metric]).map(\.description).sorted() },
                [
                    "SubjectSubscription (disposable)", "map<Int> (sink)", "subscribe (sink)",
                ])
            withExtendedLifetime(shelf) {}
        }

        private final class Shelf {
            let subject = PublishSubject<Int>()
            var subscriptions: [any Disposable] = []
        }

        private var bagsMade: [String] = []

        // Each function uses the list after it makes the bag, so that the call is no tail call. The two functions
        // differ, so that the optimiser doesn't merge them.
        @inline(never) private func firstBag() -> DisposeBag {
            let bag = DisposeBag()
            bagsMade.removeAll(keepingCapacity: true)
            return bag
        }

        @inline(never) private func secondBag() -> DisposeBag {
            let bag = DisposeBag()
            bagsMade.append("second")
            return bag
        }

        func testErrorOfTheBody_endsTheDetection() {
            struct Refused: Error {}
            var runs = 0
            XCTAssertThrowsError(
                try HeapTrace.detectGrowth(named: "refused") {
                    runs += 1
                    if runs == 5 { throw Refused() }
                })
            XCTAssertEqual(runs, 5)
        }
    #else
        func testWithoutTracing_isUnavailable() {
            let report = HeapTrace.detectGrowth(named: "screen") {}
            XCTAssertNil(report.verdict)
            XCTAssertEqual(report.runs, 1)
            XCTAssertTrue(report.description.contains("unavailable, because this build does not trace resources."))
        }
    #endif
}

// Used by one test, on one thread. A search does not always find the objects that a local variable holds.
nonisolated(unsafe) private var keptBags: [DisposeBag] = []
