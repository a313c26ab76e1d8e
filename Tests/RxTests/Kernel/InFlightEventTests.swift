import Foundation
import Rx
import XCTest

/// Events in flight on one thread while another thread disposes, ends or drops their path.
///
/// These tests look for memory that is used after it was freed: also run them with `--sanitize=address`. Elements are
/// objects, so that a missing retain shows; resources are counted, so that an excess retain shows.
final class InFlightEventTests: XCTestCase {
    private final class Value: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    // Ends are sent while values are in flight.
    override func setUp() { allowOverlappingEvents() }

    /// Runs `round` many times, and expects that no resources are left.
    private func stress(rounds: Int = 300, line: UInt = #line, _ round: (Int) -> Void) {
        let before = Resources.total
        for number in 0..<rounds { round(number) }
        let deadline = Date().addingTimeInterval(10)
        // Queues release their last items a little later.
        while Resources.total != before, Date() < deadline { Thread.sleep(forTimeInterval: 0.001) }
        assertResourcesBack(to: before, line: line)
    }

    /// Lets the disposing thread begin a little later in each round.
    private static func wait(_ round: Int) {
        for _ in 0..<(round % 50) * 20 { _ = Date.timeIntervalSinceReferenceDate }
    }

    /// Sends on one thread, disposes and drops on another.
    private func race(
        _ round: Int, _ subscription: consuming any Disposable, events: Int = 200,
        _ send: @escaping @Sendable (Int) -> Void
    ) {
        let box = DropBox(subscription)
        concurrently(
            { for number in 0..<events { send(number) } },
            {
                Self.wait(round)
                box.take()?.dispose()
            })
    }

    func testSubject_throughAChain_disposedMeanwhile() {
        stress { round in
            let subject = PublishSubject<Value>()
            let chain = subject.map { Value($0.number + 1) }.filter { $0.number >= 0 }.scan(Value(0)) {
                Value($0.number &+ $1.number)
            }
            race(round, chain.take(1_000).distinctUntilChanged(at: \.number).subscribe(onNext: { _ = $0.number })) {
                subject.onNext(Value($0))
            }
        }
    }

    func testSubject_throughARun_disposedMeanwhile() {
        stress { round in
            let subject = PublishSubject<Int>()
            let factor = round + 1
            let chain = subject.map { $0 &+ factor }.map { $0 &* factor }.filter { $0 != factor }.map { $0 &- factor }
            race(round, chain.subscribe(onNext: { _ = $0 })) { subject.onNext($0) }
        }
    }

    func testSubject_ofManyObservers_disposedMeanwhile() {
        stress { round in
            let subject = PublishSubject<Value>()
            let subscriptions = (0..<5).map { _ in subject.map { Value($0.number) }.subscribe(onNext: { _ = $0.number })
            }
            race(round, Disposables.create(subscriptions)) { subject.onNext(Value($0)) }
        }
    }

    func testCreate_throughAChain_disposedMeanwhile() {
        stress { round in
            let place = Place<AnyObserver<Value>>()
            let source = Observable<Value>.create { observer in
                place.fill(observer)
                return Disposables.create { place.empty() }
            }
            race(round, source.map { Value($0.number) }.filter { $0.number >= 0 }.subscribe(onNext: { _ = $0.number }))
            {
                place.content?.onNext(Value($0))
            }
        }
    }

    func testCreate_thatEnds_disposedMeanwhile() {
        stress { round in
            let place = Place<AnyObserver<Value>>()
            let source = Observable<Value>.create { observer in
                place.fill(observer)
                return Disposables.create { place.empty() }
            }
            race(round, source.toArray().subscribe { _ in }) {
                if $0 == 100 { place.content?.onCompleted() } else { place.content?.onNext(Value($0)) }
            }
        }
    }

    func testFlatMap_ofInnersOnAnotherThread_disposedMeanwhile() {
        stress { round in
            let outer = PublishSubject<Value>()
            let inners = (0..<4).map { _ in PublishSubject<Value>() }
            let box = DropBox(
                outer.flatMap { inners[$0.number % 4] }.map { Value($0.number) }.subscribe(onNext: { _ = $0.number }))
            concurrently(
                { for number in 0..<40 { outer.onNext(Value(number)) } },
                { for number in 0..<100 { inners[number % 4].onNext(Value(number)) } },
                {
                    Self.wait(round)
                    box.take()?.dispose()
                })
        }
    }

    func testFlatMapLatest_ofInnersOnAnotherThread_disposedMeanwhile() {
        stress { round in
            let outer = PublishSubject<Value>()
            let inners = (0..<4).map { _ in PublishSubject<Value>() }
            let box = DropBox(outer.flatMapLatest { inners[$0.number % 4] }.subscribe(onNext: { _ = $0.number }))
            concurrently(
                { for number in 0..<40 { outer.onNext(Value(number)) } },
                { for number in 0..<100 { inners[number % 4].onNext(Value(number)) } },
                {
                    Self.wait(round)
                    box.take()?.dispose()
                })
        }
    }

    func testMergeOfInnersThatEnd_disposedMeanwhile() {
        stress { round in
            let inners = (0..<6).map { _ in PublishSubject<Value>() }
            let box = DropBox(Observable.merge(inners.map { $0.asObservable() }).subscribe(onNext: { _ = $0.number }))
            concurrently(
                {
                    for inner in inners {
                        inner.onNext(Value(1))
                        inner.onCompleted()
                    }
                },
                { for inner in inners.reversed() { inner.onCompleted() } },
                {
                    Self.wait(round)
                    box.take()?.dispose()
                })
        }
    }

    func testCombineLatestAndTakeUntil_endedMeanwhile() {
        stress { round in
            let first = PublishSubject<Value>()
            let second = PublishSubject<Value>()
            let stop = PublishSubject<Value>()
            let both = Observable.combineLatest(first, second) { Value($0.number &+ $1.number) }.take(until: stop)
            let box = DropBox(both.subscribe(onNext: { _ = $0.number }))
            concurrently(
                { for number in 0..<100 { first.onNext(Value(number)) } },
                { for number in 0..<100 { second.onNext(Value(number)) } },
                {
                    Self.wait(round)
                    if round.isMultiple(of: 2) { stop.onNext(Value(0)) } else { box.take()?.dispose() }
                })
            box.take()?.dispose()
        }
    }

    func testShare_joinedAndLeftMeanwhile() {
        for replay in [0, 1, 3] {
            stress(rounds: 150) { round in
                let subject = PublishSubject<Value>()
                let shared = subject.share(replay: replay)
                let first = DropBox(shared.subscribe(onNext: { _ = $0.number }))
                concurrently(
                    { for number in 0..<100 { subject.onNext(Value(number)) } },
                    {
                        for _ in 0..<10 {
                            shared.map { Value($0.number) }.subscribe(onNext: { _ = $0.number }).dispose()
                        }
                    },
                    {
                        Self.wait(round)
                        first.take()?.dispose()
                    })
            }
        }
    }

    func testRefCount_joinedAndLeftMeanwhile() {
        stress(rounds: 150) { round in
            let subject = PublishSubject<Value>()
            let shared = subject.replay(2).refCount()
            let first = DropBox(shared.subscribe(onNext: { _ = $0.number }))
            concurrently(
                { for number in 0..<100 { subject.onNext(Value(number)) } },
                { for _ in 0..<10 { shared.subscribe(onNext: { _ = $0.number }).dispose() } },
                {
                    Self.wait(round)
                    first.take()?.dispose()
                })
        }
    }

    func testReplaySubject_replayingWhileOthersSend_disposedMeanwhile() {
        stress(rounds: 150) { round in
            let subject = ReplaySubject<Value>.create(bufferSize: 8)
            for number in 0..<8 { subject.onNext(Value(number)) }
            let place = Place<any Disposable>()
            concurrently(
                { for number in 0..<100 { subject.onNext(Value(number)) } },
                {
                    for _ in 0..<10 {
                        let subscription = SingleAssignmentDisposable()
                        place.fill(subscription)
                        subscription.setDisposable(
                            subject.map { Value($0.number) }.subscribe(onNext: { _ = $0.number }))
                    }
                },
                {
                    Self.wait(round)
                    for _ in 0..<20 { place.content?.dispose() }
                })
            place.content?.dispose()
            subject.dispose()
        }
    }

    func testObserveOn_disposedMeanwhile() {
        let serial = SerialDispatchQueueScheduler(qos: .userInitiated)
        let concurrent = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
        for scheduler in [serial as any ImmediateSchedulerType, concurrent] {
            stress(rounds: 150) { round in
                let subject = PublishSubject<Value>()
                race(
                    round, subject.observe(on: scheduler).map { Value($0.number) }.subscribe(onNext: { _ = $0.number })
                ) {
                    if $0 == 150 { subject.onCompleted() } else { subject.onNext(Value($0)) }
                }
            }
        }
    }

    func testRetryWhen_failingMeanwhile_disposed() {
        struct Failure: Error {}
        stress { round in
            let place = Place<AnyObserver<Value>>()
            let source = Observable<Value>.create { observer in
                place.fill(observer)
                return Disposables.create()
            }
            race(round, source.retry { (errors: Observable<any Error>) in errors }.subscribe(onNext: { _ = $0.number }))
            {
                if $0.isMultiple(of: 3) { place.content?.onError(Failure()) } else { place.content?.onNext(Value($0)) }
            }
            place.empty()
        }
    }

    /// A value that threads hand to each other.
    private final class Place<Content>: @unchecked Sendable {
        // @unchecked: guarded by `lock`.
        private let lock = NSLock()
        private var held: Content?
        var content: Content? { lock.withLock { held } }
        func fill(_ content: Content) { exchange(content) }
        func empty() { exchange(nil) }

        private func exchange(_ content: Content?) {
            let before = lock.withLock {
                defer { held = content }
                return held
            }
            withExtendedLifetime(before) {}
        }
    }
}
