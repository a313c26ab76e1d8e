import Dispatch
import Rx
import XCTest

/// Calls that return while an observer is held inside an event on another thread, as in the reference.
///
/// Calls that block in the reference may return here; the tests do not make those calls.
final class ReferenceHeldTests: XCTestCase {
    private typealias Subject = PublishSubject<Int>

    private struct Scene: @unchecked Sendable {
        // @unchecked: its functions use only their arguments.
        let name: String
        let make: (Subject, Subject) -> Observable<Int>
        let feed: (Subject, Subject) -> Void
        /// Whether to send again until an element arrives, because a timer has to open the gate.
        let untilItPasses: Bool

        init(
            _ name: String, _ feed: @escaping (Subject, Subject) -> Void = { source, _ in source.onNext(1) },
            untilItPasses: Bool = false, _ make: @escaping (Subject, Subject) -> Observable<Int>
        ) {
            self.name = name
            self.untilItPasses = untilItPasses
            self.make = make
            self.feed = feed
        }
    }

    private let calls: [(name: String, make: @Sendable (Subject, Subject) -> Void)] = [
        ("s.next", { source, _ in source.onNext(5) }),
        ("s.error", { source, _ in source.onError(Planted.fault) }),
        ("s.completed", { source, _ in source.onCompleted() }),
        ("o.next", { _, other in other.onNext(5) }),
        ("o.error", { _, other in other.onError(Planted.fault) }),
        ("o.completed", { _, other in other.onCompleted() }),
    ]

    private func coordinators() -> [Scene] {
        let both: (Subject, Subject) -> Void = { source, other in
            source.onNext(1)
            other.onNext(1)
        }
        let otherFirst: (Subject, Subject) -> Void = { source, other in
            other.onNext(1)
            source.onNext(1)
        }
        return [
            Scene("sample", both) { $0.sample($1) },
            Scene("withLatestFrom", otherFirst) { $0.withLatestFrom($1) { a, _ in a } },
            Scene("merge") { Observable.merge($0.asObservable(), $1.asObservable()) },
            Scene("zip", both) { Observable.zip($0, $1) { a, _ in a } },
            Scene("combineLatest", both) { Observable.combineLatest($0, $1) { a, _ in a } },
            Scene("takeUntil") { $0.take(until: $1) },
            Scene("skipUntil", otherFirst) { $0.skip(until: $1) },
            Scene("amb") { $0.amb($1) },
            Scene("concat") { $0.concat($1) },
            Scene("switchLatest") { source, _ in
                Observable.of(source.asObservable()).concat(Observable.never()).switchLatest()
            },
            Scene("flatMap", both) { source, other in source.flatMap { _ in other } },
            Scene("flatMapLatest") { source, other in source.flatMapLatest { _ in other.startWith(0) } },
            Scene("ifEmpty switch") { $0.ifEmpty(switchTo: $1.asObservable()) },
            Scene("retryWhen") { source, _ in
                source.retry(when: { (errors: Observable<any Error>) in errors.flatMap { Observable<Int>.error($0) } })
            },
        ]
    }

    private func linear() -> [Scene] {
        [
            Scene("catch") { source, _ in source.catch { .error($0) } },
            Scene("retry") { source, _ in source.retry(1) },
            Scene("share") { source, _ in source.share() },
            Scene("share replay") { source, _ in source.share(replay: 1) },
            Scene("share forever") { source, _ in source.share(replay: 1, scope: .forever) },
            Scene("map") { source, _ in source.map { $0 } },
            Scene("take") { source, _ in source.take(5) },
            Scene("groupBy") { source, _ in source.groupBy { $0 }.flatMap { $0 } },
            Scene("do dispose") { source, _ in source.do(onDispose: {}) },
            Scene("multicast") { source, _ in source.publish().refCount() },
        ]
    }

    private func timed() -> [Scene] {
        let concurrent = ConcurrentDispatchQueueScheduler(qos: .default)
        let serial = SerialDispatchQueueScheduler(qos: .default)
        let short = RxTimeInterval.milliseconds(5)
        let long = RxTimeInterval.seconds(50)
        let twice: (Subject, Subject) -> Void = { source, _ in
            source.onNext(1)
            source.onNext(2)
        }
        return [
            Scene("delay") { source, _ in source.delay(short, scheduler: concurrent) },
            Scene("delay serial") { source, _ in source.delay(short, scheduler: serial) },
            Scene("debounce") { source, _ in source.debounce(short, scheduler: concurrent) },
            Scene("throttle 1st") { source, _ in source.throttle(short, scheduler: concurrent) },
            Scene("throttle late", twice) { source, _ in source.throttle(short, scheduler: concurrent).skip(1) },
            Scene("timeout") { source, _ in source.timeout(long, scheduler: concurrent) },
            Scene("buffer time") { source, _ in
                source.buffer(timeSpan: short, count: 100, scheduler: concurrent).map(\.count)
            },
            Scene("buffer count") { source, _ in
                source.buffer(timeSpan: long, count: 1, scheduler: concurrent).map(\.count)
            },
            Scene("window") { source, _ in source.window(timeSpan: long, count: 10, scheduler: concurrent).merge() },
            Scene("observeOn conc") { source, _ in source.observe(on: concurrent) },
            Scene("observeOn serial") { source, _ in source.observe(on: serial) },
            Scene("take for") { source, _ in source.take(for: long, scheduler: concurrent) },
            Scene("skip for", untilItPasses: true) { source, _ in source.skip(.milliseconds(0), scheduler: concurrent)
            },
            Scene("delaySubscription", untilItPasses: true) { source, _ in
                source.delaySubscription(.milliseconds(0), scheduler: concurrent)
            },
        ]
    }

    /// Holds the observer inside its first event on a separate thread. Returns whether `call` returns in this time.
    private func returnsWhileHeld(_ scene: Scene, _ call: @escaping (Subject, Subject, any Disposable) -> Void) -> Bool
    {
        let source = Subject()
        let other = Subject()
        let inside = DispatchSemaphore(value: 0)
        let release = DispatchSemaphore(value: 0)
        let visits = ReferenceLog()
        let subscription = scene.make(source, other).subscribe(
            onNext: { _ in
                if visits.isFirst() {
                    inside.signal()
                    release.wait()
                }
            },
            onError: { _ in })
        let feeder = JoinedThread {
            repeat { scene.feed(source, other) } while scene.untilItPasses && !visits.isBegun
        }
        inside.wait()
        let returns = returnsElsewhere { call(source, other, subscription) }
        release.signal()
        feeder.join()
        awaitStragglers()
        subscription.dispose()
        return returns
    }

    private func check(_ scenes: [Scene]) {
        for scene in scenes {
            for call in calls {
                let name = "held \(scene.name) \(call.name)"
                guard Reference.lines[name] == "returns" else { continue }
                XCTAssertTrue(returnsWhileHeld(scene) { source, other, _ in call.make(source, other) }, name)
            }
            XCTAssertEqual(Reference.lines["held \(scene.name) dispose"], "returns")
            XCTAssertTrue(returnsWhileHeld(scene) { $2.dispose() }, "held \(scene.name) dispose")
        }
    }

    func testCoordinators_withTheirObserverHeld_blockNobodyWhomTheReferenceLetsPass() { check(coordinators()) }

    func testOperators_withTheirObserverHeld_blockNobody() { check(linear()) }

    func testOperatorsThatWait_withTheirObserverHeld_blockNobodyWhomTheReferenceLetsPass() { check(timed()) }

    func testScenes_areThoseOfTheReference() {
        let held = Reference.lines.keys.compactMap { $0.firstMatch(of: /held (.*) [so]?\.?\w+/).map { String($0.1) } }
        XCTAssertEqual(Set(held), Set((coordinators() + linear() + timed()).map(\.name)))
    }
}
