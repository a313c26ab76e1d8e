import Rx
import Synchronization
import XCTest

final class ShareTests: XCTestCase {
    private let allForms: [(replay: Int, scope: SubjectLifetimeScope)] = [
        (0, .whileConnected), (1, .whileConnected), (2, .whileConnected), (0, .forever), (1, .forever), (2, .forever),
    ]

    /// A source that counts its subscriptions and disposals.
    private final class Source {
        var subject = PublishSubject<Int>()
        var subscriptions = 0
        var disposals = 0
        var observable: Observable<Int> {
            Observable.deferredSubject { [self] in
                subscriptions += 1
                return (subject, { [self] in disposals += 1 })
            }
        }
    }

    func testSubscribe_twice_subscribesToTheSourceOnce() {
        for form in allForms {
            let source = Source()
            let shared = source.observable.share(replay: form.replay, scope: form.scope)
            var first: [Int] = []
            var second: [Int] = []
            let a = shared.subscribe(onNext: { first.append($0) })
            source.subject.onNext(1)
            let b = shared.subscribe(onNext: { second.append($0) })
            source.subject.onNext(2)
            XCTAssertEqual(source.subscriptions, 1)
            XCTAssertEqual(first, [1, 2])
            XCTAssertEqual(second, form.replay > 0 ? [1, 2] : [2])
            a.dispose()
            XCTAssertEqual(source.disposals, 0)
            b.dispose()
            XCTAssertEqual(source.disposals, 1)
        }
    }

    func testSubscribe_afterTheLastHasLeft_replaysOnlyForever() {
        for form in allForms {
            let source = Source()
            let shared = source.observable.share(replay: form.replay, scope: form.scope)
            let first = shared.subscribe()
            (1...3).forEach(source.subject.onNext)
            first.dispose()
            var seen: [Int] = []
            let second = shared.subscribe(onNext: { seen.append($0) })
            XCTAssertEqual(seen, form.scope == .forever ? Array([1, 2, 3].suffix(form.replay)) : [], "\(form)")
            XCTAssertEqual(source.subscriptions, 2)
            second.dispose()
        }
    }

    func testSubscribe_afterAnError_reconnectsWhileConnectedAndReplaysTheErrorForever() {
        for form in allForms {
            let source = Source()
            let shared = source.observable.share(replay: form.replay, scope: form.scope)
            _ = shared.subscribe(onError: { _ in })
            source.subject.onNext(1)
            let failed = source.subject
            source.subject = PublishSubject()
            failed.onError(TestError())
            var seen: [String] = []
            let second = shared.subscribe { seen.append($0.debugDescription) }
            source.subject.onNext(2)
            if form.scope == .forever {
                XCTAssertEqual(seen, (form.replay > 0 ? ["next(1)"] : []) + ["error(TestError())"])
                XCTAssertEqual(source.subscriptions, 1)
            } else {
                XCTAssertEqual(seen, ["next(2)"])
                XCTAssertEqual(source.subscriptions, 2)
            }
            second.dispose()
        }
    }

    func testResubscribe_fromInsideTheEnd_makesANewConnection() {
        for (replay, fails) in [(0, false), (0, true), (1, false), (1, true), (2, true)] {
            let source = Source()
            let shared = source.observable.share(replay: replay)
            var seen: [Int] = []
            let again = { _ = shared.subscribe(onNext: { seen.append($0) }) }
            _ = shared.subscribe(onError: { _ in again() }, onCompleted: again)
            let ended = source.subject
            source.subject = PublishSubject()
            ended.onNext(1)
            if fails { ended.onError(TestError()) } else { ended.onCompleted() }
            source.subject.onNext(2)
            XCTAssertEqual(seen, [2])
            XCTAssertEqual(source.subscriptions, 2)
        }
    }

    func testSubscribe_toSynchronousSource_getsEverythingAndLeavesNoConnection() {
        for form in allForms {
            let connections = Resources.count(of: .connection)
            let shared = Observable.range(start: 1, count: 3).share(replay: form.replay, scope: form.scope)
            var seen: [String] = []
            _ = shared.subscribe { seen.append($0.debugDescription) }
            XCTAssertEqual(seen, ["next(1)", "next(2)", "next(3)", "completed"])
            XCTAssertEqual(Resources.count(of: .connection), connections, "\(form)")
        }
    }

    func testSubscribe_toJust_endsAtOnceEachTime() {
        for replay in 0...2 {
            let shared = Observable.just(7).share(replay: replay)
            var seen: [String] = []
            for _ in 0..<2 { _ = shared.subscribe { seen.append($0.debugDescription) } }
            XCTAssertEqual(seen, ["next(7)", "completed", "next(7)", "completed"])
        }
    }

    func testConnection_isCountedWhileItLasts() {
        for form in allForms {
            let before = Resources.count(of: .connection)
            let subscription = PublishSubject<Int>().share(replay: form.replay, scope: form.scope).subscribe()
            XCTAssertEqual(Resources.count(of: .connection), before + 1)
            subscription.dispose()
            XCTAssertEqual(Resources.count(of: .connection), before)
        }
    }

    func testSend_fromInsideTheReplay_followsIt() {
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 2)
        let first = shared.subscribe()
        (1...2).forEach(subject.onNext)
        var seen: [Int] = []
        let second = shared.subscribe(onNext: {
            seen.append($0)
            if $0 < 3 { subject.onNext($0 * 10) }
        })
        XCTAssertEqual(seen, [1, 2, 10, 20])
        first.dispose()
        second.dispose()
    }

    func testSend_fromAnotherThreadDuringTheReplay_doesNotBlock() {
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 1)
        let first = shared.subscribe()
        subject.onNext(1)
        var seen: [Int] = []
        let second = shared.subscribe(onNext: { value in
            if value == 1 { concurrently({ subject.onNext(2) }, { shared.subscribe().dispose() }) }
            seen.append(value)
        })
        XCTAssertEqual(seen, [1, 2])
        first.dispose()
        second.dispose()
    }

    func testRelease_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for form in allForms {
            for end in ["completed", "error", "dispose"] {
                let subject = PublishSubject<Int>()
                let shared = subject.map { $0 }.share(replay: form.replay, scope: form.scope)
                let a = shared.map { $0 }.subscribe(onError: { _ in })
                let b = shared.subscribe(onError: { _ in })
                subject.onNext(1)
                switch end {
                case "completed": subject.onCompleted()
                case "error": subject.onError(TestError())
                default:
                    a.dispose()
                    b.dispose()
                }
            }
        }
        assertResourcesBack(to: before)
    }

    // MARK: Threads

    func testSubscribe_firstOnManyThreads_connectsOnce() {
        for form in allForms {
            for _ in 0..<200 {
                let connects = Atomic<Int>(0)
                let shared = Observable<Int>.create { _ in
                    connects.wrappingAdd(1, ordering: .relaxed)
                    return Disposables.create()
                }.share(replay: form.replay, scope: form.scope)
                let subscribe: @Sendable () -> Void = { _ = shared.subscribe() }
                concurrently(subscribe, subscribe, subscribe)
                XCTAssertEqual(connects.load(ordering: .relaxed), 1, "\(form)")
            }
        }
    }

    func testSubscribeAndDispose_onManyThreads_endsWithoutConnection() {
        allowOverlappingEvents()
        let before = Resources.total
        for form in allForms {
            let open = Atomic<Int>(0)
            do {
                let subject = PublishSubject<Int>()
                let shared = Observable<Int>.create { observer in
                    open.wrappingAdd(1, ordering: .relaxed)
                    let inner = subject.subscribe(observer)
                    return ActionDisposable {
                        inner.dispose()
                        open.wrappingSubtract(1, ordering: .relaxed)
                    }
                }.share(replay: form.replay, scope: form.scope)
                let churn: @Sendable () -> Void = {
                    for _ in 0..<500 {
                        let subscription = shared.subscribe(onNext: { _ in })
                        subject.onNext(1)
                        subscription.dispose()
                    }
                }
                concurrently(churn, churn, churn)
                XCTAssertEqual(open.load(ordering: .relaxed), 0, "\(form)")
            }
        }
        assertResourcesBack(to: before)
    }
}

/// A disposable that runs a function, once.
final class ActionDisposable: Disposable, @unchecked Sendable {
    // @unchecked: `isDone` decides which thread runs the action.
    private let isDone = Atomic<Bool>(false)
    private let action: () -> Void
    init(_ action: @escaping () -> Void) { self.action = action }
    func dispose() { if !isDone.exchange(true, ordering: .relaxed) { action() } }
}

extension Observable {
    /// `make` chooses a subject for each subscriber, and an action for its disposal.
    static func deferredSubject(_ make: @escaping () -> (PublishSubject<Element>, () -> Void)) -> Observable<Element> {
        create { observer in
            let (subject, onDispose) = make()
            let subscription = subject.subscribe(observer)
            return ActionDisposable {
                subscription.dispose()
                onDispose()
            }
        }
    }
}
