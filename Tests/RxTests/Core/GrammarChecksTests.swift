#if DEBUG
    import CRx
    import Foundation
    import Rx
    import Testing
    import XCTest

    /// Planted overlapping events, which are found, and correct events that resemble them.
    final class GrammarChecksTests: XCTestCase {
        private let found = Recorder()
        private var before: (checks: Hooks.GrammarChecks, handler: Hooks.GrammarViolationHandler)?

        /// Records events from any thread.
        private final class Recorder: @unchecked Sendable {
            // @unchecked: guarded by `lock`.
            private let lock = NSLock()
            private var violations: [GrammarViolation] = []

            var all: [GrammarViolation] { lock.withLock { violations } }

            func add(_ violation: GrammarViolation) { lock.withLock { violations.append(violation) } }
        }

        override func setUp() {
            before = (Hooks.grammarChecks, Hooks.grammarViolationHandler)
            Hooks.grammarChecks = .report
            Hooks.grammarViolationHandler = { [found] in found.add($0) }
        }

        override func tearDown() {
            guard let before else { return }
            Hooks.grammarChecks = before.checks
            Hooks.grammarViolationHandler = before.handler
        }

        // MARK: Planted

        @inline(never)
        private func sendFirst(_ send: (Int) -> Void) { send(1) }

        @inline(never)
        private func sendMeanwhile(_ send: @escaping (Int) -> Void) -> Bool { returnsElsewhere { sendSecond(send) } }

        /// Sends on this thread, and on another thread from inside the observer.
        private func overlap(_ observable: Observable<Int>, _ send: @escaping (Int) -> Void) {
            var isFirst = true
            var received: [Int] = []
            let subscription = observable.subscribe(onNext: { [self] value in
                received.append(value)
                guard isFirst else { return }
                isFirst = false
                XCTAssertTrue(sendMeanwhile(send))
            })
            sendFirst(send)
            subscription.dispose()
            XCTAssertEqual(received, [1, 2], "the behaviour is that of a release build")
        }

        private func expectOne(_ observer: String, line: UInt = #line) {
            XCTAssertEqual(found.all.map(\.observer), [observer], line: line)
            guard let violation = found.all.first else { return }
            let first = violation.firstCallStack.joined(separator: "\n")
            let second = violation.secondCallStack.joined(separator: "\n")
            XCTAssertTrue(first.contains("sendFirst"), first, line: line)
            XCTAssertFalse(first.contains("sendSecond"), first, line: line)
            XCTAssertTrue(second.contains("sendSecond"), second, line: line)
            XCTAssertFalse(second.contains("sendFirst"), second, line: line)
        }

        func testPublishSubject_overlappingEvents_areReportedWithBothStacks() {
            let subject = PublishSubject<Int>()
            overlap(subject) { subject.onNext($0) }
            expectOne("PublishSubject<Int>")
        }

        /// A program that does not link `RxTrace` has no reader of lines. `Runtime` names the calls then.
        func testOverlappingEvents_withoutAReaderOfLines_areReportedWithBothStacksAndTheirLines() {
            let reader = rx_image_reader_link(nil)
            defer { _ = rx_image_reader_link(reader) }
            let subject = PublishSubject<Int>()
            overlap(subject) { subject.onNext($0) }
            expectOne("PublishSubject<Int>")
            #if os(Linux) && canImport(Runtime)
                XCTAssertTrue(
                    found.all.first?.firstCallStack.contains { $0.contains("GrammarChecksTests.swift:") } ?? false)
            #endif
        }

        func testReport_ofTwoThreads_saysWhatItMeansAndWhatToDo() throws {
            let subject = PublishSubject<Int>()
            overlap(subject) { subject.onNext($0) }
            let text = try XCTUnwrap(found.all.first).description
            let lines = text.split(separator: "\n").map(String.init)
            XCTAssertEqual(
                Array(lines.prefix(4)),
                [
                    "Two threads sent events to one observer at the same time: 'PublishSubject<Int>'.",
                    """
                    The events of an observer come one after the other. Of overlapping ones, some are delivered \
                    out of order or after the end, 
                    """
                        + "and operators that keep something, such as 'scan', lose some.",
                    """
                    Send from one thread, hold a lock around each send, or give each thread a subject of its own \
                    and join them with 'merge'.
                    """,
                    "------ Inside the observer was:",
                ])
            XCTAssertTrue(lines.contains("------ At the same time, on another thread:"))
        }

        func testBehaviorSubject_overlappingEvents_areReported() {
            let subject = BehaviorSubject(value: 0)
            overlap(subject.skip(1)) { subject.onNext($0) }
            expectOne("BehaviorSubject<Int>")
        }

        func testReplaySubject_overlappingEvents_areReported() {
            let subject = ReplaySubject<Int>.create(bufferSize: 1)
            overlap(subject) { subject.onNext($0) }
            expectOne("ReplaySubject<Int>")
        }

        func testAsyncSubject_sendingWhileItCompletes_isSilent() {
            // No value is delivered before the end, and values after the end do not count: only the subject's own lock
            // could detect two threads.
            let subject = AsyncSubject<Int>()
            let subscription = subject.subscribe(onNext: { _ in XCTAssertTrue(returnsElsewhere { subject.onNext(2) }) })
            subject.onNext(1)
            subject.onCompleted()
            subscription.dispose()
            XCTAssertEqual(found.all.count, 0)
        }

        func testCreate_overlappingEvents_areReported() {
            let place = Box<AnyObserver<Int>?>(nil)
            let source = Observable<Int>.create { observer in
                place.value = observer
                return Disposables.create()
            }
            overlap(source) { place.value?.onNext($0) }
            place.value = nil
            expectOne("AnyObserver<Int>")
        }

        func testRelays_overlappingValues_areReported() {
            let publish = PublishRelay<Int>()
            let behavior = BehaviorRelay(value: 0)
            let replay = ReplayRelay<Int>.create(bufferSize: 1)
            overlap(publish.asObservable()) { publish.accept($0) }
            overlap(behavior.skip(1)) { behavior.accept($0) }
            overlap(replay.asObservable()) { replay.accept($0) }
            XCTAssertEqual(found.all.map(\.observer), ["PublishRelay<Int>", "BehaviorRelay<Int>", "ReplayRelay<Int>"])
        }

        func testReport_ofTheSamePlaces_comesOnce() {
            for _ in 0..<10 {
                let subject = PublishSubject<Int>()
                overlap(subject) { subject.onNext($0) }
            }
            XCTAssertEqual(found.all.count, 1)
        }

        func testReport_ofEventsThatOverlapFurtherDownToo_comesOnce() {
            let subject = PublishSubject<Int>()
            let second = BehaviorSubject(value: 0)
            let link = subject.map { $0 }.subscribe(second)
            overlap(second.skip(1)) { subject.onNext($0) }
            link.dispose()
            XCTAssertEqual(found.all.count, 1)
        }

        func testReport_ofAnotherPlace_comesToo() {
            let subject = PublishSubject<Int>()
            overlap(subject) { subject.onNext($0) }
            var isFirst = true
            let subscription = subject.subscribe(onNext: { _ in
                guard isFirst else { return }
                isFirst = false
                XCTAssertTrue(returnsElsewhere { subject.onNext(4) })
            })
            subject.onNext(3)
            subscription.dispose()
            XCTAssertEqual(found.all.count, 2)
        }

        func testReport_whenTheEndComesBetween_isMade() {
            let subject = PublishSubject<Int>()
            var subscription: (any Disposable)?
            subscription = subject.subscribe(onNext: { _ in XCTAssertTrue(returnsElsewhere { subject.onCompleted() }) })
            subject.onNext(1)
            subscription?.dispose()
            XCTAssertEqual(found.all.count, 1)
        }

        func testReport_whileItIsMade_mayUseTheSubject() {
            let subject = PublishSubject<Int>()
            let handler = Hooks.grammarViolationHandler
            Hooks.grammarViolationHandler = { violation in
                handler(violation)
                subject.onNext(9)
            }
            var received: [Int] = []
            let subscription = subject.subscribe(onNext: { value in
                received.append(value)
                if value == 1 { XCTAssertTrue(returnsElsewhere { subject.onNext(2) }) }
            })
            subject.onNext(1)
            subscription.dispose()
            XCTAssertEqual(received, [1, 2, 9])
            XCTAssertEqual(found.all.count, 1)
        }

        func testSilent_overlappingEvents_areNotLookedAt() {
            Hooks.grammarChecks = .silent
            let subject = PublishSubject<Int>()
            overlap(subject) { subject.onNext($0) }
            XCTAssertEqual(found.all.count, 0)
        }

        func testThreads_thatSendWithoutOrder_areFoundUnderLoad() {
            let subject = PublishSubject<Int>()
            let subscription = subject.subscribe(onNext: { _ in })
            // Repeats until a finding: nothing is gated, and on one core threads overlap only if one is interrupted
            // inside the observer. The limit is a number of events instead of a time, because on a busy machine it
            // takes ten seconds just to name the stacks.
            onThreads(2) { [found] index in
                for _ in 0..<20_000 where found.all.isEmpty { for _ in 0..<1_000 { subject.onNext(index) } }
            }
            subscription.dispose()
            XCTAssertGreaterThanOrEqual(found.all.count, 1)
        }

        // MARK: Clean twins

        func testSameThread_reEntering_isSilent() {
            let subject = PublishSubject<Int>()
            let subscription = subject.subscribe(onNext: { if $0 < 10 { subject.onNext($0 + 1) } })
            subject.onNext(0)
            subscription.dispose()
            XCTAssertEqual(found.all.count, 0)
        }

        func testThreads_thatTakeTurnsUnderALock_areSilent() {
            let subject = PublishSubject<Int>()
            let behavior = BehaviorSubject(value: 0)
            let subscription = Disposables.create(
                subject.subscribe(onNext: { _ in }), behavior.subscribe(onNext: { _ in }))
            let lock = NSLock()
            onThreads(4) { index in
                for _ in 0..<2_000 {
                    lock.withLock {
                        subject.onNext(index)
                        behavior.onNext(index)
                    }
                }
            }
            subscription.dispose()
            XCTAssertEqual(found.all.count, 0)
        }

        func testObserveOn_handingOverToAnotherThread_isSilent() {
            let subject = PublishSubject<Int>()
            let result = PublishSubject<Int>()
            let done = DispatchSemaphore(value: 0)
            let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "hand over")
            let subscription = Disposables.create(
                result.subscribe(onNext: { if $0 == 2_000 { done.signal() } }),
                subject.observe(on: scheduler).subscribe(result))
            for number in 1...2_000 { subject.onNext(number) }
            XCTAssertEqual(done.wait(timeout: .now() + 20), .success)
            subscription.dispose()
            XCTAssertEqual(found.all.count, 0)
        }

        func testTwoSubjects_mergedDownstream_areSilent() {
            let subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
            let result = PublishSubject<Int>()
            let tally = Tally()
            let subscription = Disposables.create(
                result.subscribe(onNext: { _ in tally.add() }),
                Observable.merge(subjects.map { $0.asObservable() }).subscribe(result))
            onThreads(2) { index in for number in 0..<2_000 { subjects[index].onNext(number) } }
            subscription.dispose()
            XCTAssertEqual(tally.value, 4_000)
            XCTAssertEqual(found.all.count, 0)
        }

        func testEvents_afterTheEnd_areSilent() {
            let subject = PublishSubject<Int>()
            let place = Box<AnyObserver<Int>?>(nil)
            let source = Observable<Int>.create { observer in
                place.value = observer
                return Disposables.create()
            }
            // The second thread sends while the first thread delivers the end.
            let subscription = Disposables.create(
                subject.subscribe(onCompleted: { XCTAssertTrue(returnsElsewhere { subject.onNext(1) }) }),
                source.subscribe(onCompleted: { XCTAssertTrue(returnsElsewhere { place.value?.onNext(1) }) }))
            subject.onCompleted()
            place.value?.onCompleted()
            place.value = nil
            subscription.dispose()
            XCTAssertEqual(found.all.count, 0)
        }

        func testEvents_afterDisposal_areSilent() {
            let place = Box<AnyObserver<Int>?>(nil)
            let source = Observable<Int>.create { observer in
                place.value = observer
                return Disposables.create()
            }
            var subscription: (any Disposable)?
            subscription = source.subscribe(onNext: { _ in
                subscription?.dispose()
                XCTAssertTrue(returnsElsewhere { place.value?.onNext(2) })
            })
            place.value?.onNext(1)
            place.value = nil
            XCTAssertEqual(found.all.count, 0)
        }

        func testOneObserverFunction_ofTwoSequences_isSilent() {
            // Several sequences may be bound to a function, which handles overlapping events itself.
            let place = Box<AnyObserver<Int>?>(nil)
            let observer = AnyObserver<Int> { event in
                if event.element == 1 { XCTAssertTrue(returnsElsewhere { place.value?.onNext(2) }) }
            }
            place.value = observer
            observer.onNext(1)
            place.value = nil
            XCTAssertEqual(found.all.count, 0)
        }
    }

    // Outside the class, so that only the function's own name appears in the stack.
    @inline(never)
    private func sendSecond(_ send: (Int) -> Void) { send(2) }

    /// The tests that end the program run in a separate process.
    @Suite struct GrammarFatalTests {
        @Test func overlappingEventsAreFatalWhereThatIsAskedFor() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Hooks.grammarChecks = .fatal
                Hooks.grammarViolationHandler = { _ in }
                let subject = PublishSubject<Int>()
                _ = subject.subscribe(onNext: { value in
                    if value == 1 { _ = returnsElsewhere { subject.onNext(2) } }
                })
                subject.onNext(1)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Two threads sent events to one observer at the same time: 'PublishSubject<Int>'."))
            #expect(text.contains("returnsElsewhere"))
        }
    }
#endif
