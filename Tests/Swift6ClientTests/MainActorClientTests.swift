import Foundation
import Rx
import XCTest

@MainActor
final class MainActorClientTests: XCTestCase {
    /// Returns a source that sends its events on a background queue, one after the other.
    private func background(_ values: [Int]) -> Observable<Int> {
        Observable.from(values, scheduler: SerialDispatchQueueScheduler(qos: .userInitiated))
    }

    /// Lets the main queue run until the expectation is fulfilled.
    private func until(_ done: XCTestExpectation) async { await fulfillment(of: [done], timeout: 20) }

    /// Lets the main queue run until the condition holds.
    private func until(_ condition: () -> Bool, line: UInt = #line) async {
        let deadline = ContinuousClock.now + .seconds(20)
        while !condition(), ContinuousClock.now < deadline { await Task.yield() }
        XCTAssertTrue(condition(), line: line)
    }

    // MARK: A screen

    /// Types a text, and waits until the screen shows the result. The answer to the empty query may arrive first,
    /// because work on the main queue is delivered in order.
    private func typing(_ text: String, until isShown: (SearchScreen) -> Bool) async -> SearchScreen {
        let screen = SearchScreen(model: SearchModel(service: SearchService()))
        screen.bind()
        screen.field.type(text)
        await until { isShown(screen) }
        return screen
    }

    func testScreen_whoseAnswerComesFromTheBackground_showsIt() async {
        let screen = await typing("swift") { $0.rows.first == "swift 1" && $0.status.text == "swift" }
        XCTAssertEqual(screen.rows, ["swift 1", "swift 2"])
        XCTAssertEqual(screen.title.text, "swift")
        XCTAssertEqual(screen.status.text, "swift")
        XCTAssertEqual(screen.model.count.value, 2)
        XCTAssertTrue(screen.log.contains("query "))
        XCTAssertEqual(screen.model.requests, 1)
    }

    func testScreen_whoseRequestFails_showsTheFailure() async {
        // The rows are emptied in a later turn of the main queue than the failure.
        let screen = await typing("fail") { $0.status.text == "Failure()" && $0.rows.isEmpty }
        XCTAssertEqual(screen.rows, [])
        XCTAssertEqual(screen.status.text, "Failure()")
        XCTAssertTrue(screen.log.contains("Failure()"))
    }

    func testWork_onABackgroundScheduler_endsOnTheScreen() async {
        let screen = SearchScreen(model: SearchModel(service: SearchService()))
        let done = expectation(description: "done")
        screen.count(to: 4) {
            MainActor.assertIsolated()
            done.fulfill()
        }
        await until(done)
        XCTAssertEqual(screen.log, ["1", "4", "9", "16"])
    }

    func testRequest_answeredFromTheBackground_endsOnTheScreen() async throws {
        let screen = SearchScreen(model: SearchModel(service: SearchService()))
        let loaded = expectation(description: "loaded")
        let failed = expectation(description: "failed")
        screen.load("a") { loaded.fulfill() }
        await until(loaded)
        XCTAssertEqual(screen.rows, ["a 1", "a 2"])
        screen.load("fail") { failed.fulfill() }
        await until(failed)
        XCTAssertEqual(screen.status.text, "Failure()")
        try await screen.load("b")
        XCTAssertEqual(screen.rows, ["b 1", "b 2"])
    }

    // MARK: Forms

    func testEveryForm_withEventsFromTheBackground_runsOnTheMainActor() async {
        let meter = Meter()
        let done = expectation(description: "done")
        let source = background([1, 2, 3]).observe(on: MainScheduler.instance).share()
        meter.watch(source)
        let end = source.subscribe(onCompleted: {
            MainActor.assertIsolated()
            done.fulfill()
        })
        await until(done)
        XCTAssertTrue(meter.seen.contains(3))
        end.dispose()
    }

    func testEveryFormOfTraits_withEventsFromTheBackground_runsOnTheMainActor() async {
        let meter = Meter()
        let done = expectation(description: "done")
        let main = MainScheduler.instance
        meter.watch(
            Requests.single().observe(on: main), Requests.maybe().observe(on: main),
            Requests.completable().observe(on: main),
            Requests.infallible().asDriver().asInfallible())
        let end = Requests.observable().observe(on: main).subscribe(onCompleted: { done.fulfill() })
        await until(done)
        // The other forms subscribed before this one, but on other threads. Their events reach the main queue sooner or
        // later.
        await until { meter.seen.count >= 6 }
        end.dispose()
    }

    func testDrivers_withEventsFromTheBackground_runOnTheMainActor() async {
        let meter = Meter()
        let done = expectation(description: "done")
        let subject = PublishSubject<Int>()
        meter.watch(subject.asDriver(onErrorJustReturn: 0), subject.asSignal(onErrorJustReturn: 0))
        let end = subject.asDriver(onErrorJustReturn: 0).drive(onNext: {
            MainActor.assertIsolated()
            if $0 == 3 { done.fulfill() }
        })
        _ = background([1, 2, 3]).concat(Observable.never()).subscribe(subject)
        await until(done)
        XCTAssertTrue(meter.seen.contains(3))
        XCTAssertEqual(meter.level, 3)
        end.dispose()
    }

    func testClosuresBehindTheCall_bindValues() {
        let meter = Meter()
        let relay = BehaviorRelay(value: 1)
        let taps = PublishRelay<Int>()
        meter.bind(relay.asObservable(), relay.asDriver(), taps.asSignal(), .never())
        taps.accept(4)
        XCTAssertEqual(meter.seen, [1, 1, 1, 1, 1, 4, 4])
    }

    func testBinder_withEventsFromTheBackground_bindsOnTheMainActor() async {
        let label = Label()
        let done = expectation(description: "done")
        let binder = Binder<Int>(label) { label, value in
            MainActor.assertIsolated()
            label.text = "\(value)"
            if value == 3 { done.fulfill() }
        }
        let binding = background([1, 2, 3]).bind(to: binder)
        await until(done)
        XCTAssertEqual(label.text, "3")
        binding.dispose()
    }

    func testDynamicMember_withEventsFromTheBackground_isSetOnTheMainQueue() async {
        let label = Label()
        let binding = background([1, 2, 3]).map { "\($0)" }.bind(to: label.rx.text)
        await until { label.text == "3" }
        binding.dispose()
    }

    /// Would be a race if it touched the object. Shows that there is no check that could end a program.
    func testClosureOfTheMainActor_calledElsewhere_doesNotTrap() async {
        let seen = Seen()
        let subject = PublishSubject<Int>()
        let subscription = subject.map { $0 + 1 }.subscribe(onNext: { seen.add($0, isMain: Thread.isMainThread) })
        let binding = subject.bind(onNext: Forwarder(seen).add)
        let sender = Task.detached { subject.onNext(1) }
        await sender.value
        XCTAssertEqual(seen.values, [1, 2])
        XCTAssertEqual(seen.mains, [false])
        subscription.dispose()
        binding.dispose()
    }

    func testValues_ofADriver_areReadOnTheMainActor() async {
        let relay = BehaviorRelay(value: 1)
        var seen: [Int] = []
        for await value in relay.asDriver().values {
            MainActor.assertIsolated()
            seen.append(value)
            if value == 3 { break }
            relay.accept(value + 1)
        }
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testTasks_thatGoThroughValues_reachTheObject() async throws {
        let meter = Meter()
        let relay = BehaviorRelay(value: 7)
        let tasks = meter.watch(values: relay.asDriver(), of: Observable.just(8))
        await until { meter.seen == [7] }
        try await tasks[1].value
        tasks[0].cancel()
        try await tasks[0].value
        XCTAssertEqual(meter.seen, [7])
    }

    func testStream_thatHandsADisposableOn_ends() async {
        var seen: [Int] = []
        for await value in Requests.stream(of: background([1, 2])) { seen.append(value) }
        XCTAssertEqual(seen, [1, 2])
    }
}

/// Forwards values through a method of the main actor that is called on another thread.
@MainActor
private final class Forwarder {
    private let seen: Seen

    init(_ seen: Seen) { self.seen = seen }

    func add(_ value: Int) { seen.add(value) }
}

/// The values that have arrived, and whether they arrived on the main thread.
private final class Seen: @unchecked Sendable {
    // @unchecked: guarded by `lock`.
    private let lock = NSLock()
    private var all: [Int] = []
    private var threads: Set<Bool> = []

    var values: [Int] { lock.withLock { all.sorted() } }
    var mains: Set<Bool> { lock.withLock { threads } }

    func add(_ value: Int, isMain: Bool) {
        lock.withLock {
            all.append(value)
            threads.insert(isMain)
        }
    }

    func add(_ value: Int) { lock.withLock { all.append(value) } }
}
