import Rx
import XCTest

/// Subscribers are notified in the order in which they subscribed, even if they subscribe inside a replay.
final class SubscriptionOrderTests: XCTestCase {
    private let log = ReferenceLog()

    private func check(_ expected: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(log.text, expected, file: file, line: line)
    }

    func testBehaviorRelay_switchedToItself_disposesTheInnerSubscriptionBeforeItIsNotified() {
        let mode = BehaviorRelay(value: 1)
        let subscription = mode.flatMapLatest { m in mode.map { "\(m):\($0)" } }.subscribe(onNext: { self.log.add($0) })
        mode.accept(2)
        mode.accept(3)
        check("1:1 2:2 3:3")
        subscription.dispose()
    }

    /// Sources that replay 1, each with a function that sends another value.
    private func replaying() -> [(name: String, source: Observable<Int>, send: (Int) -> Void)] {
        func shared(_ share: (Observable<Int>) -> Observable<Int>) -> (Observable<Int>, (Int) -> Void) {
            let subject = PublishSubject<Int>()
            let source = share(subject)
            // The subject keeps this subscription until the end of the test.
            _ = source.subscribe()
            subject.onNext(1)
            return (source, subject.onNext)
        }
        let behaviorSubject = BehaviorSubject(value: 1)
        let replaySubject = ReplaySubject<Int>.create(bufferSize: 2)
        replaySubject.onNext(1)
        let unbounded = ReplaySubject<Int>.createUnbounded()
        unbounded.onNext(1)
        let behaviorRelay = BehaviorRelay(value: 1)
        let replayRelay = ReplayRelay<Int>.create(bufferSize: 1)
        replayRelay.accept(1)
        var all: [(name: String, source: Observable<Int>, send: (Int) -> Void)] = [
            ("BehaviorSubject", behaviorSubject, behaviorSubject.onNext),
            ("ReplaySubject", replaySubject, replaySubject.onNext),
            ("unbounded ReplaySubject", unbounded, unbounded.onNext),
            ("BehaviorRelay", behaviorRelay.asObservable(), behaviorRelay.accept),
            ("ReplayRelay", replayRelay.asObservable(), replayRelay.accept),
        ]
        let forms: [(String, (Observable<Int>) -> Observable<Int>)] = [
            ("share(replay: 1)", { $0.share(replay: 1) }),
            ("share(replay: 2)", { $0.share(replay: 2) }),
            ("share(replay: 1, scope: .forever)", { $0.share(replay: 1, scope: .forever) }),
            ("share(replay: 3, scope: .forever)", { $0.share(replay: 3, scope: .forever) }),
            ("replay(1).refCount()", { $0.replay(1).refCount() }),
            ("replayAll().refCount()", { $0.replayAll().refCount() }),
        ]
        for (name, share) in forms {
            let (source, send) = shared(share)
            all.append((name, source, send))
        }
        return all
    }

    func testObservers_thatLeaveInsideTheirReplay_leaveTheOrderOfOthers() {
        for (name, source, send) in replaying() {
            var lines: [String] = []
            let bag = DisposeBag()
            func subscribe(_ number: Int, to source: Observable<Int>, inside: @escaping () -> Void = {}) {
                source.subscribe(onNext: {
                    lines.append("\(number):\($0)")
                    if $0 == 1 { inside() }
                }).disposed(by: bag)
            }
            subscribe(0, to: source.take(1)) { subscribe(1, to: source) }
            subscribe(2, to: source.take(1))
            subscribe(3, to: source) { subscribe(4, to: source.take(1)) { subscribe(5, to: source) } }
            XCTAssertEqual(lines, ["0:1", "1:1", "2:1", "3:1", "4:1", "5:1"], name)
            lines = []
            send(2)
            XCTAssertEqual(lines, ["1:2", "3:2", "5:2"], name)
        }
    }

    func testSubject_thatEndsInsideAReplay_isHeardAfterIt() {
        for inner in [false, true] {
            let subject = ReplaySubject<Int>.createUnbounded()
            subject.onNext(1)
            subject.onNext(2)
            var lines: [String] = []
            let bag = DisposeBag()
            func subscribe(_ number: Int, inside: @escaping () -> Void) {
                subject.subscribe(
                    onNext: {
                        lines.append("\(number):\($0)")
                        if $0 == 1 { inside() }
                    }, onCompleted: { lines.append("\(number):|") }
                ).disposed(by: bag)
            }
            func end() {
                subject.onCompleted()
                XCTAssertFalse(subject.hasObservers)
            }
            subscribe(0) { if inner { subscribe(1, inside: end) } else { end() } }
            let expected = ["0:1"] + (inner ? ["1:1", "1:2", "1:|"] : []) + ["0:2", "0:|"]
            XCTAssertEqual(lines, expected)
        }
    }

    func testSubscribers_insideTheReplayOfOthers_areNotifiedInTheOrderOfTheirSubscriptions() {
        for (name, source, send) in replaying() {
            var lines: [String] = []
            let bag = DisposeBag()
            var inner = 0
            func subscribe(_ number: Int) {
                source.subscribe(onNext: { value in
                    lines.append("\(number):\(value)")
                    if value == 1, inner < 3 {
                        inner += 1
                        subscribe(inner)
                    }
                }).disposed(by: bag)
            }
            subscribe(0)
            XCTAssertEqual(lines, ["0:1", "1:1", "2:1", "3:1"], name)
            lines = []
            send(2)
            XCTAssertEqual(lines, ["0:2", "1:2", "2:2", "3:2"], name)
        }
    }

    func testDriver_subscribedToInsideItsReplay_notifiesInOrder() {
        let mode = BehaviorRelay(value: 1)
        let driver = mode.asDriver()
        let bag = DisposeBag()
        driver.drive(onNext: { outer in
            self.log.add("a\(outer)")
            if outer == 1 { driver.drive(onNext: { self.log.add("b\($0)") }).disposed(by: bag) }
        }).disposed(by: bag)
        mode.accept(2)
        check("a1 b1 a2 b2")
    }

    func testElement_sentInsideAReplay_isDeliveredAfterIt() {
        let subject = BehaviorSubject(value: 0)
        let subscription = subject.subscribe(onNext: {
            if $0 < 3 { subject.onNext($0 + 1) }
            self.log.add("\($0)")
        })
        check("0 1 2 3")
        subscription.dispose()
    }

    func testEnd_sentInsideAReplay_comesAfterIt() {
        let subject = ReplaySubject<Int>.createUnbounded()
        for value in 1...3 { subject.onNext(value) }
        let subscription = subject.subscribe(
            onNext: {
                if $0 == 1 {
                    subject.onNext(4)
                    subject.onCompleted()
                    subject.onNext(5)
                }
                self.log.add("\($0)")
            }, onCompleted: { self.log.add("|") }, onDisposed: { self.log.add("disposed") })
        check("1 2 3 4 | disposed")
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testSubscriber_thatEndsInsideItsReplay_hearsNothingMore_andTheOthersDo() {
        let subject = BehaviorSubject(value: 0)
        let first = subject.take(1).subscribe(onNext: {
            self.log.add("a\($0)")
            subject.onNext(1)
        })
        let second = subject.subscribe(onNext: { self.log.add("b\($0)") })
        subject.onNext(2)
        check("a0 b1 b2")
        second.dispose()
        XCTAssertFalse(subject.hasObservers)
        first.dispose()
    }

    func testReplays_onOneThread_whileAnotherSends_deliverEachValueOnceAndInOrder() {
        for _ in 0..<50 {
            let subject = BehaviorSubject(value: 0)
            let received = (0..<4).map { _ in Box<[Int]>([]) }
            let bag = Box<[any Disposable]>([])
            concurrently(
                { for value in 1...200 { subject.onNext(value) } },
                {
                    for box in received {
                        bag.value.append(subject.subscribe(onNext: { box.value.append($0) }))
                    }
                })
            for box in received {
                guard let first = box.value.first else { return XCTFail("Nothing was replayed.") }
                XCTAssertEqual(box.value, Array(first...200))
            }
            bag.value.forEach { $0.dispose() }
        }
    }
}
