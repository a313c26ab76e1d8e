import Rx
import Synchronization
import XCTest

final class ConnectableObservableTests: XCTestCase {
    func testConnect_startsTheSourceForAll() {
        let source = PublishSubject<Int>()
        let published = source.publish()
        var seen: [String] = []
        _ = published.subscribe(onNext: { seen.append("a\($0)") })
        source.onNext(0)
        let connection = published.connect()
        source.onNext(1)
        _ = published.subscribe(onNext: { seen.append("b\($0)") })
        source.onNext(2)
        connection.dispose()
        source.onNext(3)
        XCTAssertEqual(seen, ["a1", "a2", "b2"])
        XCTAssertFalse(source.hasObservers)
    }

    func testConnect_whileConnected_returnsTheSameConnection() {
        let source = PublishSubject<Int>()
        let published = source.publish()
        let first = published.connect() as AnyObject
        let second = published.connect() as AnyObject
        XCTAssertTrue(first === second)
        (first as? any Disposable)?.dispose()
        XCTAssertFalse(published.connect() as AnyObject === first)
    }

    func testConnect_afterCompletion_takesAFreshSubjectIfOneIsMade() {
        var source = PublishSubject<Int>()
        let deferred = Observable<Int>.deferredSubject { (source, {}) }
        let fresh = deferred.publish()
        let kept = deferred.multicast(PublishSubject<Int>())
        _ = fresh.connect()
        _ = kept.connect()
        let ended = source
        source = PublishSubject()
        ended.onCompleted()
        var seen: [String] = []
        _ = fresh.subscribe { seen.append("fresh \($0.debugDescription)") }
        _ = kept.subscribe { seen.append("kept \($0.debugDescription)") }
        _ = fresh.connect()
        _ = kept.connect()
        source.onNext(1)
        XCTAssertEqual(seen, ["kept completed", "fresh next(1)"])
    }

    func testReplay_toLateSubscriber_givesTheLastElements() {
        var two: [Int] = []
        var all: [Int] = []
        let source = PublishSubject<Int>()
        let replayed = source.replay(2)
        let everything = source.replayAll()
        let connections = [replayed.connect(), everything.connect()]
        (1...4).forEach(source.onNext)
        _ = replayed.subscribe(onNext: { two.append($0) })
        _ = everything.subscribe(onNext: { all.append($0) })
        XCTAssertEqual(two, [3, 4])
        XCTAssertEqual(all, [1, 2, 3, 4])
        connections.forEach { $0.dispose() }
    }

    func testConnect_toSynchronousSource_leavesNoConnection() {
        let before = Resources.count(of: .connection)
        let published = Observable.range(start: 1, count: 3).publish()
        var seen: [String] = []
        _ = published.subscribe { seen.append($0.debugDescription) }
        published.connect().dispose()
        XCTAssertEqual(seen, ["next(1)", "next(2)", "next(3)", "completed"])
        XCTAssertEqual(Resources.count(of: .connection), before)
    }

    func testRelease_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for end in ["completed", "error", "dispose"] {
            let subject = PublishSubject<Int>()
            let published = subject.replay(1)
            let subscription = published.map { $0 }.subscribe(onError: { _ in })
            let connection = published.connect()
            subject.onNext(1)
            switch end {
            case "completed": subject.onCompleted()
            case "error": subject.onError(TestError())
            default:
                connection.dispose()
                subscription.dispose()
            }
        }
        assertResourcesBack(to: before)
    }

    // MARK: Deadlock patterns

    func testDispose_ofTwoConnectionsFromEachOthersCallbacks_doesNotDeadlock() {
        for _ in 0..<200 {
            let left = PublishSubject<Int>()
            let right = PublishSubject<Int>()
            let leftPublished = left.publish()
            let rightPublished = right.publish()
            let leftConnection = SendableBox(leftPublished.connect())
            let rightConnection = SendableBox(rightPublished.connect())
            _ = leftPublished.subscribe(onNext: { _ in rightConnection.value.dispose() })
            _ = rightPublished.subscribe(onNext: { _ in leftConnection.value.dispose() })
            concurrently({ left.onNext(1) }, { right.onNext(1) })
        }
    }

    func testConnect_onManyThreads_connectsOnce() {
        for _ in 0..<300 {
            let connects = Atomic<Int>(0)
            let published = Observable<Int>.create { _ in
                connects.wrappingAdd(1, ordering: .relaxed)
                return Disposables.create()
            }.publish()
            let connect: @Sendable () -> Void = { _ = published.connect() }
            concurrently(connect, connect, connect)
            XCTAssertEqual(connects.load(ordering: .relaxed), 1)
        }
    }
}

struct SendableBox<Value>: @unchecked Sendable {
    // @unchecked: tests store only values that any thread may use.
    let value: Value
    init(_ value: Value) { self.value = value }
}
