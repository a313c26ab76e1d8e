import Foundation
import Rx
import XCTest

/// Values whose deinitialisers access their container on another thread while this thread waits: no value is released
/// under a lock.
final class DeinitialiserTests: XCTestCase {
    private let patience = 20.0
    private var outcomes: [Bool] = []

    override func setUp() { allowOverlappingEvents() }

    /// A value whose deinitialiser runs `use` on another thread and waits for it.
    private func value(_ use: @escaping () -> Void) -> Dying {
        Dying { [self] in outcomes.append(returnsElsewhere(within: patience, use)) }
    }

    private func expect(_ count: Int, _ name: String = "", line: UInt = #line) {
        XCTAssertEqual(outcomes, Array(repeating: true, count: count), name, line: line)
        outcomes = []
    }

    func testSubjects_thatForgetAValue_areFreeMeanwhile() {
        typealias Subject = (observable: Observable<Dying?>, send: (Dying?) -> Void)
        let behavior = BehaviorSubject<Dying?>(value: nil)
        let replay = ReplaySubject<Dying?>.create(bufferSize: 1)
        let two = ReplaySubject<Dying?>.create(bufferSize: 2)
        let async = AsyncSubject<Dying?>()
        let source = PublishSubject<Dying?>()
        let shared = source.share(replay: 1)
        let sharedTwo = source.share(replay: 2)
        let connections = Disposables.create(shared.subscribe(), sharedTwo.subscribe())
        let subjects: [(String, Subject)] = [
            ("behavior", (behavior, { behavior.onNext($0) })), ("replay 1", (replay, { replay.onNext($0) })),
            ("replay 2", (two, { two.onNext($0) })), ("async", (async, { async.onNext($0) })),
            ("share", (shared, { source.onNext($0) })), ("share 2", (sharedTwo, { source.onNext($0) })),
        ]
        for (name, subject) in subjects {
            subject.send(
                value {
                    subject.send(nil)
                    subject.observable.subscribe().dispose()
                })
            for _ in 0..<3 { subject.send(nil) }
            expect(1, name)
        }
        connections.dispose()
    }

    func testSubjects_thatAreDisposed_areFreeMeanwhile() {
        let behavior = BehaviorSubject<Dying?>(value: nil)
        behavior.onNext(value { behavior.onNext(nil) })
        behavior.dispose()
        expect(1, "behavior")
        let replay = ReplaySubject<Dying?>.createUnbounded()
        for _ in 0..<3 { replay.onNext(value { replay.subscribe(onError: { _ in }).dispose() }) }
        replay.dispose()
        expect(3, "replay")
    }

    func testReplayGate_thatIsDisposedWithValuesWaiting_isFreeMeanwhile() {
        let replay = ReplaySubject<Dying?>.create(bufferSize: 1)
        replay.onNext(nil)
        let subscription = replay.take(1).subscribe(onNext: { [self] _ in
            // The value waits at the gate, where no thread requests it.
            replay.onNext(value { replay.onNext(nil) })
            replay.onNext(nil)
        })
        subscription.dispose()
        expect(1)
    }

    func testOperators_thatKeepTheLatestValue_areFreeWhenANewerOneComes() {
        let scheduler = HistoricalScheduler()
        let forms: [(name: String, apply: (Observable<Dying?>, Observable<Int>) -> Observable<Dying?>)] = [
            ("combineLatest", { Observable.combineLatest($0, $1) { value, _ in value } }),
            (
                "combineLatest of a collection",
                { source, other in Observable.combineLatest([source, other.map { _ in nil }]) { $0[0] } }
            ),
            ("withLatestFrom", { $1.withLatestFrom($0) }), ("sample", { $0.sample($1) }),
            ("debounce", { source, _ in source.debounce(.seconds(1), scheduler: scheduler) }),
            ("throttle", { source, _ in source.throttle(.seconds(1), scheduler: scheduler) }),
        ]
        for form in forms {
            let source = PublishSubject<Dying?>()
            let other = PublishSubject<Int>()
            let subscription = form.apply(source, other).subscribe { _ in }
            source.onNext(nil)
            // Both calls need the lock that guards the latest value. (An element would need a timer, and a virtual
            // clock belongs to one thread.)
            source.onNext(
                value {
                    other.onNext(1)
                    source.onError(TestError())
                })
            source.onNext(nil)
            expect(1, form.name)
            subscription.dispose()
        }
    }

    func testHook_thatIsReplaced_isFreeMeanwhile() {
        let capture = Hooks.customCaptureSubscriptionCallstack
        // Only the hook keeps the value alive.
        func install() {
            let kept = value { _ = Hooks.customCaptureSubscriptionCallstack }
            Hooks.customCaptureSubscriptionCallstack = { withExtendedLifetime(kept) { [] } }
        }
        install()
        Hooks.customCaptureSubscriptionCallstack = capture
        expect(1)
    }

    func testRecursion_whoseWaitingStatesGo_isFreeMeanwhile() {
        let place = Box<((Dying?) -> Void)?>(nil)
        var turns = 0
        let recursion = InlineScheduler().scheduleRecursive(nil as Dying?) { [self] _, recurse in
            turns += 1
            guard turns == 1 else { return }
            place.value = recurse
            // Two states wait for their turns at the same time. Each state is released when its turn has ended.
            recurse(value { place.value?(nil) })
            recurse(value { place.value?(nil) })
        }
        recursion.dispose()
        place.value = nil
        XCTAssertEqual(outcomes.filter { !$0 }, [])
        XCTAssertGreaterThanOrEqual(outcomes.count, 2)
    }

    func testDisposables_whoseContentGoes_areFreeMeanwhile() {
        let serial = SerialDisposable()
        func fill() {
            let kept = value { serial.disposable = Disposables.create() }
            serial.disposable = Disposables.create { withExtendedLifetime(kept) {} }
        }
        fill()
        serial.disposable = Disposables.create()
        expect(1, "serial")

        let composite = CompositeDisposable()
        func insert() -> CompositeDisposable.DisposeKey? {
            let kept = value { composite.insert(Disposables.create()) }
            return composite.insert(Disposables.create { withExtendedLifetime(kept) {} })
        }
        if let key = insert() { composite.remove(for: key) }
        expect(1, "composite, removed")
        _ = insert()
        composite.dispose()
        expect(1, "composite, disposed")
    }

    func testTwinThatForgetsUnderItsLock_isFound() {
        let lock = TwinLock()
        var latest: Dying?
        latest = Dying { [self] in outcomes.append(returnsElsewhere(within: 0.05) { lock.withLock {} }) }
        lock.withLock { latest = nil }
        XCTAssertNil(latest)
        XCTAssertEqual(outcomes, [false])
    }
}
