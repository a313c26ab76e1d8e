import Rx
import XCTest

/// Known patterns of deadlocks in reactive libraries: user code on which another thread's progress depends is called
/// under a lock.
///
/// A function for each pattern returns whether the other thread was able to continue. It is applied to our code, and to
/// a twin that holds a lock, for which it must return `false`.
final class DeadlockTests: XCTestCase {
    private let patience = 20.0
    private let twinPatience = 0.05

    // MARK: Disposed while it emits

    /// Another thread disposes while an observer is inside an event.
    private func comesThroughDisposing(
        _ patience: Double, _ subscribe: (@escaping () -> Void) -> any Disposable, send: () -> Void
    ) -> Bool {
        let place = Box<(any Disposable)?>(nil)
        var outcomes: [Bool] = []
        place.value = subscribe {
            let subscription = Sent(place.value)
            outcomes.append(returnsElsewhere(within: patience) { subscription.value?.dispose() })
        }
        send()
        awaitStragglers()
        send()
        place.value?.dispose()
        return outcomes == [true]
    }

    func testZipOfACollection_disposedWhileItEmits_doesNotDeadlock() {
        let sources = (0..<3).map { _ in PublishSubject<Int>() }
        XCTAssertTrue(
            comesThroughDisposing(
                patience,
                { react in
                    Observable<Int>.zip(sources.map { $0.asObservable() }).subscribe(onNext: { _ in react() })
                }, send: { for source in sources { source.onNext(1) } }))
        XCTAssertFalse(sources.contains(where: \.hasObservers))
    }

    func testMerge_disposedFromInsideAnInner_doesNotDeadlock() {
        let outer = PublishSubject<Int>()
        let inners = [PublishSubject<Int>(), PublishSubject<Int>()]
        XCTAssertTrue(
            comesThroughDisposing(
                patience,
                { react in
                    let subscription = outer.flatMap { inners[$0] }.subscribe(onNext: { _ in react() })
                    for index in inners.indices { outer.onNext(index) }
                    return subscription
                }, send: { for inner in inners { inner.onNext(1) } }))
        XCTAssertFalse(outer.hasObservers || inners.contains(where: \.hasObservers))
    }

    func testOtherCoordinators_disposedWhileTheyEmit_doNotDeadlock() {
        typealias Sources = (PublishSubject<Int>, PublishSubject<Int>)
        let forms: [(name: String, make: (Sources) -> Observable<Int>)] = [
            ("combineLatest", { Observable.combineLatest($0.0, $0.1) { $0 + $1 } }),
            ("zip", { Observable.zip($0.0, $0.1) { $0 + $1 } }),
            ("merge", { Observable.merge($0.0, $0.1) }),
            ("flatMapLatest", { sources in sources.0.flatMapLatest { _ in sources.1 } }),
            ("concatMap", { sources in sources.0.concatMap { _ in sources.1 } }),
            ("withLatestFrom", { $0.1.withLatestFrom($0.0) }),
            ("sample", { $0.0.sample($0.1) }),
            ("take until", { $0.0.take(until: PublishSubject<Int>()) }),
            ("share", { $0.0.share() }),
            ("share replay", { $0.0.share(replay: 1) }),
            ("ref count", { $0.0.publish().refCount() }),
            ("amb", { $0.0.amb($0.1) }),
        ]
        for form in forms {
            let sources = (PublishSubject<Int>(), PublishSubject<Int>())
            XCTAssertTrue(
                comesThroughDisposing(
                    patience,
                    { react in
                        form.make(sources).subscribe(onNext: { _ in react() })
                    },
                    send: {
                        sources.0.onNext(1)
                        sources.1.onNext(1)
                    }), form.name)
            XCTAssertFalse(sources.0.hasObservers || sources.1.hasObservers, form.name)
        }
    }

    func testTwinThatEmitsAndDisposesUnderOneLock_isFound() {
        let lock = TwinLock()
        var react: () -> Void = {}
        XCTAssertFalse(
            comesThroughDisposing(
                twinPatience,
                {
                    react = $0
                    return Disposables.create { lock.withLock { react = {} } }
                }, send: { lock.withLock { react() } }))
    }

    // MARK: Two connections

    /// Two connections, each of which disposes the other one when it is disposed. The second is on another thread.
    private func comesThroughTwoConnections(
        _ patience: Double, _ connect: (@escaping () -> Void) -> any Disposable
    ) -> Bool {
        let second = Box<(any Disposable)?>(nil)
        let first = Box<(any Disposable)?>(nil)
        var outcomes: [Bool] = []
        first.value = connect { outcomes.append(returnsElsewhere(within: patience) { second.value?.dispose() }) }
        second.value = connect { first.value?.dispose() }
        first.value?.dispose()
        awaitStragglers()
        return outcomes == [true]
    }

    func testConnections_disposedFromEachOthersCallbacks_doNotDeadlock() {
        let forms: [(name: String, make: (Observable<Int>) -> any Disposable)] = [
            ("publish", { $0.publish().connect() }), ("replay", { $0.replay(1).connect() }),
            ("share", { $0.share().subscribe() }), ("share replay", { $0.share(replay: 1).subscribe() }),
            ("share forever", { $0.share(replay: 1, scope: .forever).subscribe() }),
        ]
        for form in forms {
            XCTAssertTrue(
                comesThroughTwoConnections(patience) { disposed in
                    form.make(Observable.create { _ in Disposables.create(with: disposed) })
                }, form.name)
        }
    }

    func testTwinConnectionsThatDisposeUnderALock_areFound() {
        XCTAssertFalse(
            comesThroughTwoConnections(twinPatience) { disposed in
                let lock = TwinLock()
                return Disposables.create(with: disposed).underLock(lock)
            })
    }

    // MARK: Connecting

    /// While the source is being subscribed to for the first subscriber, another thread adds a second one. `nil` if
    /// there were two connections.
    private func comesThroughConnecting(_ patience: Double, _ share: (Observable<Int>) -> Observable<Int>) -> Bool? {
        let place = Box<Observable<Int>?>(nil)
        let second = Box<(any Disposable)?>(nil)
        var outcomes: [Bool] = []
        let shared = share(
            Observable.create { _ in
                if outcomes.isEmpty {
                    outcomes.append(returnsElsewhere(within: patience) { second.value = place.value?.subscribe() })
                } else {
                    outcomes.append(false)
                }
                return Disposables.create()
            })
        place.value = shared
        let first = shared.subscribe()
        awaitStragglers()
        first.dispose()
        second.value?.dispose()
        place.value = nil
        return outcomes.count == 1 ? outcomes[0] : nil
    }

    private let sharings: [(name: String, share: (Observable<Int>) -> Observable<Int>)] = [
        ("share", { $0.share() }), ("share replay 1", { $0.share(replay: 1) }),
        ("share replay 2", { $0.share(replay: 2) }),
        ("forever", { $0.share(scope: .forever) }), ("forever, replay", { $0.share(replay: 1, scope: .forever) }),
        ("publish", { $0.publish().refCount() }), ("replay", { $0.replay(1).refCount() }),
    ]

    func testFirstSubscribersOfShare_onTwoThreads_connectOnceAndDoNotDeadlock() {
        for form in sharings { XCTAssertEqual(comesThroughConnecting(patience, form.share), true, form.name) }
    }

    func testTwinThatConnectsUnderItsLock_isFound() {
        let lock = TwinLock()
        XCTAssertEqual(
            comesThroughConnecting(twinPatience) { source in
                var isConnected = false
                return Observable.create { observer in
                    lock.withLock {
                        if isConnected { return Disposables.create() }
                        isConnected = true
                        return source.subscribe(observer)
                    }
                }
            }, false)
    }

    func testRefCount_connectingReentrantly_doesNotDeadlock() {
        for form in sharings {
            var connects = 0
            var received: [Int] = []
            let place = Box<Observable<Int>?>(nil)
            let inner = Box<[any Disposable]>([])
            let shared = form.share(
                Observable.create { observer in
                    connects += 1
                    inner.value.append(place.value!.subscribe(onNext: { received.append($0) }))
                    observer.onNext(1)
                    return Disposables.create()
                })
            place.value = shared
            XCTAssertTrue(
                returnsElsewhere { inner.value.append(shared.subscribe(onNext: { received.append($0 * 10) })) },
                form.name)
            XCTAssertEqual(connects, 1, form.name)
            XCTAssertEqual(received.sorted(), [1, 10], form.name)
            for subscription in inner.value { subscription.dispose() }
            place.value = nil
        }
    }

    // MARK: Replaying

    /// While elements are replayed to an observer, another thread sends, subscribes and disposes.
    private func comesThroughReplaying(
        _ patience: Double, _ subscribe: @escaping (@escaping (Int) -> Void) -> any Disposable,
        _ send: @escaping (Int) -> Void
    ) -> (outcomes: [Bool], received: [Int]) {
        send(1)
        var outcomes: [Bool] = []
        var received: [Int] = []
        let subscription = subscribe { value in
            received.append(value)
            guard value == 1 else { return }
            outcomes.append(returnsElsewhere(within: patience) { send(2) })
            outcomes.append(returnsElsewhere(within: patience) { subscribe { _ in }.dispose() })
        }
        awaitStragglers()
        subscription.dispose()
        return (outcomes, received)
    }

    func testReplay_whileAnotherThreadSends_doesNotDeadlockAndKeepsTheOrder() {
        let replay = ReplaySubject<Int>.create(bufferSize: 2)
        let unbounded = ReplaySubject<Int>.createUnbounded()
        let behavior = BehaviorSubject(value: 0)
        let source = PublishSubject<Int>()
        let shared = source.share(replay: 1)
        let connection = shared.subscribe()
        let forms: [(String, Observable<Int>, (Int) -> Void)] = [
            ("replay", replay, { replay.onNext($0) }), ("unbounded", unbounded, { unbounded.onNext($0) }),
            ("behavior", behavior, { behavior.onNext($0) }), ("share", shared, { source.onNext($0) }),
        ]
        for (name, observable, send) in forms {
            let (outcomes, received) = comesThroughReplaying(patience, { observable.subscribe(onNext: $0) }, send)
            XCTAssertEqual(outcomes, [true, true], name)
            XCTAssertEqual(received, [1, 2], name)
        }
        connection.dispose()
    }

    func testTwinThatReplaysUnderItsLock_isFound() {
        let lock = TwinLock()
        var values: [Int] = []
        let (outcomes, _) = comesThroughReplaying(
            twinPatience,
            { observer in
                lock.withLock { for value in values { observer(value) } }
                return Disposables.create()
            }, { value in lock.withLock { values.append(value) } })
        XCTAssertEqual(outcomes, [false, false])
    }

    // MARK: take(1), share and zip

    /// A zip that takes one element of a shared sequence receives it live. While it forms its result, another thread
    /// adds a zip, to which the element is replayed. Both therefore leave the shared sequence at the same time.
    private func comesThroughTakeShareZip(_ patience: Double, _ share: (Observable<Int>) -> Observable<Int>) -> Bool {
        let source = PublishSubject<Int>()
        let shared = share(source)
        let lives = shared.subscribe()
        var results = 0
        var outcomes: [Bool] = []
        func zipped(_ select: @escaping () -> Void) -> any Disposable {
            Observable.zip(shared.take(1), shared.take(1)) { _, _ in select() }.subscribe(onNext: { results += 1 })
        }
        let first = zipped {
            outcomes.append(returnsElsewhere(within: patience) { zipped {}.dispose() })
            outcomes.append(returnsElsewhere(within: patience) { lives.dispose() })
        }
        source.onNext(1)
        awaitStragglers()
        first.dispose()
        return outcomes == [true, true] && results == 2
    }

    func testTake1OfSharedReplay_zippedOnTwoThreads_doesNotDeadlock() {
        XCTAssertTrue(comesThroughTakeShareZip(patience) { $0.share(replay: 1) })
        XCTAssertTrue(comesThroughTakeShareZip(patience) { $0.share(replay: 1, scope: .forever) })
        XCTAssertTrue(comesThroughTakeShareZip(patience) { $0.replay(1).refCount() })
    }

    func testTwinThatSharesUnderItsLock_isFound() {
        let lock = TwinLock()
        XCTAssertFalse(
            comesThroughTakeShareZip(twinPatience) { source in
                let inside = Box(false)
                var observers: [AnyObserver<Int>] = []
                _ = source.subscribe(onNext: { value in
                    lock.withLock {
                        inside.value = true
                        for observer in observers { observer.onNext(value) }
                        inside.value = false
                    }
                })
                return Observable.create { observer in
                    // The delivering thread may enter, as with a recursive lock.
                    observers.append(observer)
                    return Disposables.create { if !Thread.isSender { lock.withLock {} } }
                }
            })
    }
}

extension Thread {
    /// Whether this is the test's own thread, and not a thread that `returnsElsewhere` has started.
    fileprivate static var isSender: Bool { Thread.current.isMainThread }
}

extension Disposable {
    /// Returns a twin of this disposable, which disposes under a lock.
    fileprivate func underLock(_ lock: TwinLock) -> any Disposable { LockedDisposable(inner: self, lock: lock) }
}

private struct LockedDisposable: Disposable {
    let inner: any Disposable
    let lock: TwinLock

    func dispose() { lock.withLock { inner.dispose() } }
}
