#if TRACE_RESOURCES
    import Rx
    import Synchronization
    import Testing

    @testable import RxTraceTesting

    /// The objects that planted leaks keep, and the number of times that each test has run.
    private enum Store {
        static let kept = DisposeBag()
        static let ofOthers = Mutex<[any Disposable]>([])
        static let runs = Atomic(0)
        static let runsOfSuite = Atomic(0)
    }

    @Suite("Trait noLeaks", .serialized) struct NoLeaksTraitTests {
        @Test(.noLeaks) func `a clean test passes and is repeated`() async {
            Store.runs.wrappingAdd(1, ordering: .relaxed)
            await Task.yield()
            Observable<Int>.never().subscribe(onNext: { _ in }).dispose()
        }

        @Test(.noLeaks) func `a test that throws errors and catches them is clean`() async {
            // Otherwise Swift Testing would store the stack of each of these errors until the test ends.
            struct Caught: Error { let number: Int }
            do { throw Caught(number: Store.runs.load(ordering: .relaxed)) } catch {}
            let sleeping = Task { try await Task.sleep(for: .seconds(3_600)) }
            sleeping.cancel()
            _ = await sleeping.result
        }

        @Test func `the clean test ran more than twenty times`() {
            // The tests of a serialized suite run in the order of the source file.
            #expect(Store.runs.load(ordering: .relaxed) >= 23)
        }

        @Test func `a test that keeps a subscription fails at its own line with the whole report`() async throws {
            let test = try #require(Test.current)
            try await withKnownIssue {
                try await NoLeaksTrait.noLeaks(maximumRuns: 20).provideScope(for: test, testCase: nil) {
                    Observable<Int>.never().subscribe(onNext: { _ in }).disposed(by: Store.kept)
                }
            } matching: { issue in
                let text = issue.comments.map(\.rawValue).joined()
                return text.contains("Each run leaves more behind.\n") && text.contains("growing by 1 a run [1 1]")
                    && issue.sourceLocation == test.sourceLocation
            }
        }

        @Test func `a leak that others hide by what they drop is found once they have come to rest`() async throws {
            let test = try #require(Test.current)
            Store.ofOthers.withLock { $0 = (0..<100).map { _ in Observable<Int>.never().subscribe() } }
            let trait = NoLeaksTrait(runs: 20, maximumRuns: 20, allowances: .none) {
                Store.ofOthers.withLock { $0 = [] }
                return .afterWaiting
            }
            try await withKnownIssue {
                try await trait.provideScope(for: test, testCase: nil) {
                    for _ in 0..<2 { Store.ofOthers.withLock { $0.popLast()?.dispose() } }
                    Observable<Int>.never().subscribe().disposed(by: Store.kept)
                }
            } matching: { issue in
                issue.comments.map(\.rawValue).joined().contains("growing by 1 a run [1 1]")
            }
        }

        @Test func `an error of the test is thrown on, once`() async throws {
            struct Planted: Error {}
            let test = try #require(Test.current)
            let runs = Atomic(0)
            await #expect(throws: Planted.self) {
                try await NoLeaksTrait.noLeaks.provideScope(for: test, testCase: nil) {
                    runs.wrappingAdd(1, ordering: .relaxed)
                    throw Planted()
                }
            }
            #expect(runs.load(ordering: .relaxed) == 1)
        }

        @Suite(".noLeaks on a suite", .noLeaks, .serialized) struct Inherited {
            @Test func `repeats each of its tests`() { Store.runsOfSuite.wrappingAdd(1, ordering: .relaxed) }
        }

        @Test func `the test of that suite ran as often`() {
            #expect(Store.runsOfSuite.load(ordering: .relaxed) >= 23)
        }
    }
#endif
