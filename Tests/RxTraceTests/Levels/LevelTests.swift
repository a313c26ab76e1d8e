#if TRACE_RESOURCES
    import CRx
    import Rx
    import RxTrace
    import XCTest

    final class LevelTests: XCTestCase {
        override func tearDown() { RxTrace.setLevel(.counts, samplingRate: 1) }

        private func alive() -> Int { ResourceSnapshot().total ?? .min }

        func testLevel_isThatWhichWasSet() {
            for level in RxTrace.Level.allCases {
                RxTrace.level = level
                XCTAssertEqual(RxTrace.level, level)
            }
            RxTrace.setLevel(.stacks, samplingRate: 0.25)
            XCTAssertEqual(RxTrace.samplingRate, 0.25)
            RxTrace.level = .counts
            XCTAssertEqual(RxTrace.samplingRate, 0.25)
        }

        /// Makes each kind of resource at one level, uses it at a second level, and releases it at a third. No count is
        /// left, and no count is below zero.
        func testEveryChangeOfLevel_leavesCountsRight() {
            for made in RxTrace.Level.allCases {
                for used in RxTrace.Level.allCases {
                    for dropped in RxTrace.Level.allCases {
                        let before = alive()
                        RxTrace.level = made
                        var subject: PublishSubject<Int>? = PublishSubject()
                        var bag: DisposeBag? = DisposeBag()
                        let shared = subject?.map { $0 + 1 }.flatMap { Observable.just($0).concat(Observable.never()) }
                            .share()
                        RxTrace.level = used
                        shared?.subscribe().disposed(by: bag!)
                        subject?.onNext(1)
                        XCTAssertGreaterThanOrEqual(alive(), before)
                        if made > .off { XCTAssertGreaterThan(alive(), before) }
                        RxTrace.level = dropped
                        bag = nil
                        subject = nil
                        withExtendedLifetime(shared) {}
                        _ = consume shared
                        XCTAssertEqual(alive(), before, "\(made) \(used) \(dropped)")
                        XCTAssertTrue(
                            ResourceSnapshot().types.values.allSatisfy { $0 >= 0 }, "\(ResourceSnapshot().types)")
                    }
                }
            }
        }

        func testWhatIsMadeWhileOff_isNotCounted() {
            let before = alive()
            RxTrace.level = .off
            let held = Observable.just(1)
            XCTAssertEqual(alive(), before)
            withExtendedLifetime(held) {}
        }

        func testStacks_registerWhatIsAliveAndWhereItWasMade() throws {
            let earlier = ResourceSnapshot()
            RxTrace.level = .stacks
            let held = makeHeld()
            let change = ResourceSnapshot().difference(from: earlier)
            let origins = change.origins.filter { $0.origin.type.name == "map<Int, Bool>" }
            XCTAssertEqual(origins.map(\.change), [3])
            let stack = try XCTUnwrap(origins.first?.origin.stack)
            let frames = stack.framesOfYours
            XCTAssertTrue(frames[0].function.contains("makeHeld"), "\(stack)")
            #if DEBUG
                XCTAssertEqual(frames[0].place, "LevelTests.swift:\(heldLine)")
            #endif
            XCTAssertTrue(change.details().contains("+3 made by\n        \(frames[0])"), change.details())
            withExtendedLifetime(held) {}
        }

        private let heldLine = #line + 2
        @inline(never) private func makeHeld() -> [Observable<Bool>] {
            (1...3).map { _ in Observable<Int>.never().map { $0 > 1 } }
        }

        func testRegistered_leaveWithTheirResources() {
            RxTrace.level = .stacks
            let before = ResourceSnapshot().origins.values.reduce(0, +)
            for _ in 0..<1_000 { _ = Observable.just(1).map { $0 }.subscribe() }
            XCTAssertEqual(ResourceSnapshot().origins.values.reduce(0, +), before)
        }

        func testSamplingRate_isTheShareThatIsRegistered() {
            let before = ResourceSnapshot().origins.values.reduce(0, +)
            for (rate, expected) in [(0.0, 0...0), (0.1, 800...1_200), (1.0, 10_000...10_000)] {
                RxTrace.setLevel(.stacks, samplingRate: rate)
                let held = (0..<10_000).map { _ in DisposeBag() }
                // 0.1 of 10,000: the standard deviation is 30.
                XCTAssertTrue(expected.contains(ResourceSnapshot().origins.values.reduce(0, +) - before), "\(rate)")
                withExtendedLifetime(held) {}
            }
            RxTrace.setLevel(.paranoid, samplingRate: 0)
            let held = DisposeBag()
            XCTAssertEqual(ResourceSnapshot().origins.values.reduce(0, +) - before, 1)
            withExtendedLifetime(held) {}
        }

        func testRegistry_underEightThreads_endsWhereItBegan() {
            RxTrace.level = .stacks
            let before = ResourceSnapshot()
            DispatchQueue.concurrentPerform(iterations: 8) { index in
                var held: [Observable<Int>] = []
                for round in 0..<5_000 {
                    held.append(Observable.just(round).map { $0 + index })
                    if held.count > 100 { held.removeFirst(50) }
                    if round % 500 == 0 { RxTrace.level = [.stacks, .counts, .off][round / 500 % 3] }
                }
            }
            RxTrace.level = .stacks
            let difference = ResourceSnapshot().difference(from: before)
            XCTAssertEqual(difference.description, "total 0")
            XCTAssertEqual(difference.origins.map(\.change), [])
        }
    }
#endif
