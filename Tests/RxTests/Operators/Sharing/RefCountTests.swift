import Foundation
import Rx
import Synchronization
import XCTest

final class RefCountTests: XCTestCase {
    func testSubscribe_toEndedSubject_doesNotConnect() {
        var connects = 0
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        let source = Observable<Int>.deferredSubject {
            connects += 1
            return (PublishSubject(), {})
        }
        var seen: [String] = []
        _ = source.multicast(subject).refCount().subscribe { seen.append($0.debugDescription) }
        XCTAssertEqual(seen, ["completed"])
        XCTAssertEqual(connects, 0)
    }

    func testSubscribe_toSynchronousSource_connectsOnceAndDisconnects() {
        var connects = 0
        let before = Resources.count(of: .connection)
        let shared = Observable<Int>.create { observer in
            connects += 1
            observer.onNext(connects)
            observer.onCompleted()
            return Disposables.create()
        }.publish().refCount()
        var seen: [String] = []
        _ = shared.subscribe { seen.append($0.debugDescription) }
        XCTAssertEqual(seen, ["next(1)", "completed"])
        XCTAssertEqual(connects, 1)
        XCTAssertEqual(Resources.count(of: .connection), before)
    }

    func testResubscribe_fromInsideTheEndDuringConnect_connectsAnew() {
        var connects = 0
        let shared = Observable<Int>.create { observer in
            connects += 1
            observer.onNext(connects)
            observer.onCompleted()
            return Disposables.create()
        }.publish().refCount()
        var seen: [Int] = []
        func subscribe() {
            _ = shared.subscribe(onNext: { seen.append($0) }, onCompleted: { if connects < 1_000 { subscribe() } })
        }
        subscribe()
        XCTAssertEqual(seen, Array(1...1_000))
    }

    func testResubscribe_fromInsideAnError_makesANewConnection() {
        var source = PublishSubject<Int>()
        var connects = 0
        let shared = Observable<Int>.deferredSubject {
            connects += 1
            return (source, {})
        }.publish().refCount()
        var seen: [Int] = []
        _ = shared.subscribe(onError: { _ in _ = shared.subscribe(onNext: { seen.append($0) }) })
        _ = shared.subscribe(onError: { _ in _ = shared.subscribe(onNext: { seen.append($0 * 10) }) })
        let ended = source
        source = PublishSubject()
        ended.onError(TestError())
        source.onNext(1)
        XCTAssertEqual(seen, [1, 10])
        XCTAssertEqual(connects, 2)
    }

    func testDispose_insideFirstElement_disconnects() {
        let source = PublishSubject<Int>()
        var subscription: (any Disposable)?
        subscription = source.publish().refCount().subscribe(onNext: { _ in subscription?.dispose() })
        source.onNext(1)
        XCTAssertFalse(source.hasObservers)
    }

    func testSubscribe_fromInsideDisconnection_connectsAnew() {
        var resubscribe: (() -> Void)?
        var connects = 0
        let source = PublishSubject<Int>()
        let shared = Observable<Int>.deferredSubject {
            connects += 1
            return (
                source,
                {
                    let action = resubscribe
                    resubscribe = nil
                    action?()
                }
            )
        }.publish().refCount()
        var seen: [Int] = []
        resubscribe = { _ = shared.subscribe(onNext: { seen.append($0) }) }
        shared.subscribe().dispose()
        source.onNext(1)
        XCTAssertEqual(seen, [1])
        XCTAssertEqual(connects, 2)
    }

    // The connection has ended, but its subscribers are not notified yet: a new subscriber belongs to the next one.
    func testSubscribe_asTheEndedSourceIsReleased_connectsAnew() {
        var source = PublishSubject<Int>()
        var comeIn: (() -> Void)?
        let shared = Observable<Int>.deferredSubject {
            (
                source,
                {
                    let action = comeIn
                    comeIn = nil
                    action?()
                }
            )
        }.publish().refCount()
        var seen: [Int] = []
        comeIn = {
            source = PublishSubject()
            _ = shared.subscribe(onNext: { seen.append($0) })
        }
        _ = shared.subscribe()
        source.onCompleted()
        source.onNext(5)
        XCTAssertEqual(seen, [5])
    }

    func testSubscribe_asTheSourceEndsDuringConnect_connectsAnew() {
        var connects = 0
        var comeIn: (() -> Void)?
        let shared = Observable<Int>.create { observer in
            connects += 1
            if connects == 1 { observer.onCompleted() } else { observer.onNext(5) }
            return Disposables.create()
        }.multicast {
            SubjectThatTells {
                let action = comeIn
                comeIn = nil
                action?()
            }
        }.refCount()
        var seen: [Int] = []
        comeIn = { _ = shared.subscribe(onNext: { seen.append($0) }) }
        _ = shared.subscribe()
        XCTAssertEqual(seen, [5])
        XCTAssertEqual(connects, 2)
    }

    func testRelease_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for end in ["completed", "error", "dispose"] {
            let subject = PublishSubject<Int>()
            let shared = subject.replay(1).refCount()
            let a = shared.subscribe(onError: { _ in })
            let b = shared.map { $0 }.subscribe(onError: { _ in })
            subject.onNext(1)
            switch end {
            case "completed": subject.onCompleted()
            case "error": subject.onError(TestError())
            default:
                a.dispose()
                b.dispose()
            }
        }
        assertResourcesBack(to: before)
    }

    func testSubscribeAndDispose_onManyThreads_connectsOneAtATimeAndNobodyStarves() {
        let before = Resources.total
        do {
            let open = Atomic<Int>(0)
            let overlaps = Atomic<Int>(0)
            let starved = Atomic<Int>(0)
            // Each connection begins with a value, so that every connected subscriber gets it through the replay.
            let shared = Observable<Int>.create { observer in
                if open.wrappingAdd(1, ordering: .relaxed).oldValue != 0 { overlaps.wrappingAdd(1, ordering: .relaxed) }
                observer.onNext(1)
                return ActionDisposable { open.wrappingSubtract(1, ordering: .relaxed) }
            }.replay(1).refCount()
            let churn: @Sendable () -> Void = {
                for _ in 0..<2_000 {
                    let got = Atomic<Bool>(false)
                    let subscription = shared.subscribe(onNext: { _ in got.store(true, ordering: .relaxed) })
                    // A worker on another thread may still be making our connection: wait for it, with a limit.
                    let deadline = Date(timeIntervalSinceNow: 10)
                    while !got.load(ordering: .relaxed), Date() < deadline {}
                    if !got.load(ordering: .relaxed) { starved.wrappingAdd(1, ordering: .relaxed) }
                    subscription.dispose()
                }
            }
            concurrently(churn, churn, churn)
            XCTAssertEqual(starved.load(ordering: .relaxed), 0)
            XCTAssertEqual(overlaps.load(ordering: .relaxed), 0)
            XCTAssertEqual(open.load(ordering: .relaxed), 0)
        }
        assertResourcesBack(to: before)
    }
}

/// A subject that reports its end before any subscriber is notified.
private final class SubjectThatTells: SubjectType {
    private let inner = PublishSubject<Int>()
    private let willEnd: () -> Void

    init(_ willEnd: @escaping () -> Void) { self.willEnd = willEnd }

    func asObserver() -> AnyObserver<Int> {
        AnyObserver { [inner, willEnd] event in
            if event.isStopEvent { willEnd() }
            inner.on(event)
        }
    }

    func asObservable() -> Observable<Int> { inner.asObservable() }

    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
        inner.subscribe(observer)
    }
}
