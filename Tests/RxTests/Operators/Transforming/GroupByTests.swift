import Rx
import RxTest
import XCTest

final class GroupByTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    private func numbers(end: Recorded<Event<Int>> = .completed(300)) -> TestableObservable<Int> {
        scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .next(240, 4), end])
    }

    func testGroupBy_ofNewKey_sendsTheGroupBeforeTheElement() {
        let notes = Notes()
        let subscription = PublishSubject<Int>.fed([1, 2, 3]) { source in
            source.groupBy { $0 % 2 }.subscribe(onNext: { group in
                notes.add("group \(group.key)")
                _ = group.record(in: notes)
            })
        }
        XCTAssertEqual(notes.lines, ["group 1", "next(1)", "group 0", "next(2)", "next(3)"])
        subscription.dispose()
    }

    func testGroupBy_ofAnyNumberOfKeys_findsEachGroupAgain() {
        func groups<Key: Hashable>(_ key: @escaping (Int) -> Key) -> [Key: [Int]] {
            var groups: [Key: [Int]] = [:]
            let subscription = PublishSubject<Int>.fed(Array(0..<100)) { source in
                source.groupBy(keySelector: key).subscribe(onNext: { group in
                    XCTAssertNil(groups.updateValue([], forKey: group.key), "\(group.key) began twice")
                    _ = group.subscribe(onNext: { groups[group.key]?.append($0) })
                })
            }
            subscription.dispose()
            return groups
        }
        // The number of keys that are compared, one more, and keys that are hashed from the first one.
        for count in [1, 15, 16, 17, 33] {
            let expected = Dictionary(grouping: 0..<100) { $0 % count }
            XCTAssertEqual(groups { $0 % count }, expected)
            XCTAssertEqual(
                groups { "\($0 % count)" }.values.map(\.self).sorted { $0[0] < $1[0] },
                expected.values.map(\.self).sorted { $0[0] < $1[0] })
        }
    }

    func testGroupBy_atCompletion_completesTheGroupsInOrderAndThenItself() {
        let source = numbers()
        let notes = Notes()
        let result = scheduler.start {
            source.groupBy { $0 % 2 }.do(
                onNext: { group in _ = group.subscribe(onCompleted: { notes.add("\(group.key) completed") }) },
                onCompleted: { notes.add("all completed") }
            )
            .map { $0.key }
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 0), .completed(300)])
        XCTAssertEqual(notes.lines, ["1 completed", "0 completed", "all completed"])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
    }

    func testGroupBy_atAnError_failsTheGroupsAndItself() {
        let source = numbers(end: .error(300, Planted.fault))
        let result = scheduler.start { source.groupBy { $0 % 2 }.flatMap { $0.materialize() } }
        XCTAssertEqual(
            result.events.map { "\($0)" },
            [
                "next(next(1)) @ 210", "next(next(2)) @ 220", "next(next(3)) @ 230", "next(next(4)) @ 240",
                "next(error(fault)) @ 300", "next(error(fault)) @ 300", "error(fault) @ 300",
            ])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
        let groups = scheduler.createObserver(String.self)
        let failing = PublishSubject<Int>()
        let subscription = failing.groupBy { $0 }.subscribe(
            onNext: { _ = $0.materialize().map { "\($0)" }.subscribe(groups) }, onError: { _ in groups.onNext("outer") }
        )
        failing.onNext(7)
        failing.onError(Planted.fault)
        XCTAssertEqual(
            groups.events.map(\.value), [.next("next(7)"), .next("error(fault)"), .completed, .next("outer")])
        subscription.dispose()
    }

    func testGroupBy_ofSelectorThatThrows_failsTheGroupsAndItselfAtThatTick() {
        let source = numbers()
        var groups: [TestableObserver<Int>] = []
        let result = scheduler.start {
            source.groupBy { value -> Int in
                if value == 3 { throw Planted.fault }
                return value
            }.do(onNext: { group in
                let observer = self.scheduler.createObserver(Int.self)
                groups.append(observer)
                _ = group.subscribe(observer)
            }).map { $0.key }
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 2), .error(230, Planted.fault)])
        XCTAssertEqual(
            groups.map(\.events),
            [
                [.next(210, 1), .error(230, Planted.fault)], [.next(220, 2), .error(230, Planted.fault)],
            ])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230)])
    }

    func testGroupBy_disposedWhileAGroupIsInUse_keepsTheSourceForTheGroup() {
        let source = numbers()
        let group = scheduler.createObserver(Int.self)
        var inner: (any Disposable)?
        let result = scheduler.start(disposed: 225) {
            source.groupBy { $0 % 2 }.do(onNext: { if $0.key == 1 { inner = $0.subscribe(group) } }).map { $0.key }
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 0)])
        XCTAssertEqual(group.events, [.next(210, 1), .next(230, 3), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
        inner?.dispose()
    }

    func testGroupBy_whoseLastGroupIsDisposed_endsTheSourceAtThatTick() {
        let source = numbers()
        var inner: (any Disposable)?
        scheduler.scheduleAt(235) { inner?.dispose() }
        _ = scheduler.start(disposed: 225) {
            source.groupBy { $0 % 2 }.do(onNext: { if $0.key == 1 { inner = $0.subscribe() } }).map { $0.key }
        }
        XCTAssertEqual(source.subscriptions, [Subscription(200, 235)])
    }

    func testGroupBy_withoutAnyGroupInUse_endsTheSourceWhenDisposed() {
        let source = numbers()
        _ = scheduler.start(disposed: 225) { source.groupBy { $0 % 2 }.map { $0.key } }
        XCTAssertEqual(source.subscriptions, [Subscription(200, 225)])
    }

    func testGroup_subscribedLate_missesWhatWasSent() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        var groups: [GroupedObservable<Int, Int>] = []
        let subscription = subject.groupBy { _ in 0 }.subscribe(onNext: { groups.append($0) })
        subject.onNext(1)
        _ = groups[0].record(in: notes)
        subject.onNext(2)
        subject.onCompleted()
        _ = groups[0].record(in: notes)
        XCTAssertEqual(notes.lines, ["next(2)", "completed", "completed"])
        subscription.dispose()
    }

    func testGroupBy_ofElementSentFromInsideTheGroup_doesNotSendTheGroupAgain() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.groupBy { _ in 0 }.subscribe(onNext: { group in
            notes.add("group")
            _ = group.subscribe(onNext: { value in
                notes.add("\(value)")
                if value < 3 { subject.onNext(value + 1) }
            })
        })
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["group", "1", "2", "3"])
        subscription.dispose()
    }

    func testGroupedObservable_madeByHand_passesItsSourceOn() {
        let group = GroupedObservable(key: "a", source: Observable.of(1, 2))
        XCTAssertEqual(group.key, "a")
        XCTAssertEqual(group.synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    #if TRACE_RESOURCES
        func testGroupBy_atEveryEnd_releasesEverything() {
            let before = Resources.total
            runToEveryEnd { $0.groupBy { $0 % 2 } }
            runToEveryEnd { $0.groupBy { $0 % 2 }.flatMap { $0 } }
            runToEveryEnd { $0.groupBy { _ -> Int in throw Planted.fault } }
            assertResourcesBack(to: before)
        }

        func testGroup_keptAfterTheEnd_keepsNeitherSourceNorSubscriber() {
            let before = Resources.total
            var groups: [GroupedObservable<Int, Int>] = []
            do {
                let subject = PublishSubject<Int>()
                let subscription = subject.groupBy { $0 % 2 }.subscribe(onNext: { groups.append($0) })
                subject.onNext(1)
                let inner = groups[0].subscribe()
                subscription.dispose()
                inner.dispose()
            }
            // The group, its subject, and the count of its uses.
            XCTAssertEqual(Resources.total, before + 3)
            groups = []
            assertResourcesBack(to: before)
        }
    #endif
}

extension PublishSubject {
    /// Applies `body` to a subject and sends the values.
    fileprivate static func fed(
        _ values: [Element], _ body: (PublishSubject<Element>) -> any Disposable
    ) -> any Disposable {
        let subject = PublishSubject()
        let result = body(subject)
        values.forEach(subject.onNext)
        return result
    }
}
