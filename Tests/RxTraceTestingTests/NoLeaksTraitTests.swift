#if TRACE_RESOURCES
    import Rx
    import RxTraceTesting
    import Synchronization
    import Testing

    /// What planted leaks keep, and how often tests have run.
    private enum Store {
        static let kept = DisposeBag()
        static let runs = Atomic(0)
        static let runsOfSuite = Atomic(0)
    }

    @Suite("Trait noLeaks", .serialized) struct NoLeaksTraitTests {
        @Test(.noLeaks) func `a clean test passes and is repeated`() async {
            Store.runs.wrappingAdd(1, ordering: .relaxed)
            await Task.yield()
            Observable<Int>.never().subscribe(onNext: { _ in }).dispose()
        }

        @Test func `the clean test ran more than twenty times`() {
            // Tests of a serialized suite run in the order in which they stand here.
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
                return text.contains("Each run leaves more behind.\n") && text.contains("growing by 1 a run [1 1]  #")
                    && issue.sourceLocation == test.sourceLocation
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
