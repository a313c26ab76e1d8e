import Rx
import XCTest

final class RefCountTests: XCTestCase {
    func testSubscribe_toEndedSubject_doesNotConnect() {
        var connects = 0
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        let source = Observable<Int>.deferredSubject { connects += 1; return (PublishSubject(), {}) }
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
        let shared = Observable<Int>.deferredSubject { connects += 1; return (source, {}) }.publish().refCount()
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
            return (source, { let action = resubscribe; resubscribe = nil; action?() })
        }.publish().refCount()
        var seen: [Int] = []
        resubscribe = { _ = shared.subscribe(onNext: { seen.append($0) }) }
        shared.subscribe().dispose()
        source.onNext(1)
        XCTAssertEqual(seen, [1])
        XCTAssertEqual(connects, 2)
    }
}
