import Rx
import Testing
import XCTest

final class BindToRelayTests: XCTestCase {
    private let source = PublishSubject<Int>()

    func testBind_toPublishRelays_sendsIntoEach() {
        let first = PublishRelay<Int>()
        let second = PublishRelay<Int>()
        let optional = PublishRelay<Int?>()
        let notes = Notes()
        let recordings = [first.record(in: notes), second.record(in: notes), optional.record(in: notes)]
        let bindings = [source.bind(to: first, second), source.bind(to: optional)]
        source.onNext(1)
        XCTAssertEqual(notes.lines, ["next(1)", "next(1)", "next(Optional(1))"])
        (recordings + bindings).forEach { $0.dispose() }
    }

    func testBind_toBehaviorRelays_setsEach() {
        let first = BehaviorRelay(value: 0)
        let second = BehaviorRelay(value: 0)
        let optional = BehaviorRelay<Int?>(value: nil)
        let bindings = [source.bind(to: first, second), source.bind(to: optional)]
        source.onNext(1)
        XCTAssertEqual([first.value, second.value, optional.value], [1, 1, 1])
        bindings.forEach { $0.dispose() }
        source.onNext(2)
        XCTAssertEqual([first.value, second.value, optional.value], [1, 1, 1])
    }

    func testBind_toReplayRelays_fillsEach() {
        let first = ReplayRelay<Int>.createUnbound()
        let second = ReplayRelay<Int>.createUnbound()
        let optional = ReplayRelay<Int?>.createUnbound()
        _ = source.bind(to: first, second)
        _ = source.bind(to: optional)
        source.onNext(1)
        source.onNext(2)
        XCTAssertEqual(first.synchronousEvents, ["next(1)", "next(2)"])
        XCTAssertEqual(second.synchronousEvents, ["next(1)", "next(2)"])
        XCTAssertEqual(optional.synchronousEvents, ["next(Optional(1))", "next(Optional(2))"])
    }

    func testBind_ofOptionals_findsTheRelayOfOptionals() {
        let source = PublishSubject<Int?>()
        let relay = BehaviorRelay<Int?>(value: 0)
        _ = source.bind(to: relay)
        source.onNext(nil)
        XCTAssertNil(relay.value)
    }

    func testBind_atCompletion_leavesTheRelayOpen() {
        let relay = BehaviorRelay(value: 0)
        _ = source.bind(to: relay)
        source.onCompleted()
        relay.accept(2)
        XCTAssertEqual(relay.value, 2)
    }

    func testBind_whenCompletedOrDisposed_returnsEveryResource() {
        let before = Resources.total
        for completes in [true, false] {
            let source = PublishSubject<Int>()
            let publish = PublishRelay<Int>()
            let behavior = BehaviorRelay(value: 0)
            let replay = ReplayRelay<Int>.create(bufferSize: 1)
            let bindings = [source.bind(to: publish), source.bind(to: behavior, behavior), source.bind(to: replay)]
            source.onNext(1)
            XCTAssertEqual(behavior.value, 1)
            if completes { source.onCompleted() } else { bindings.forEach { $0.dispose() } }
        }
        assertResourcesBack(to: before)
    }
}

/// Each runs in a separate process, because it ends the program.
@Suite struct ErrorInBindingTests {
    #if DEBUG
        @Test func errorThatReachesARelayIsFatalInDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                _ = Observable<Int>.error(RxError.unknown).bind(to: BehaviorRelay(value: 0))
            }
        }

        @Test func errorThatReachesAFunctionIsFatalInDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                _ = Observable<Int>.error(RxError.unknown).bind(onNext: { _ in })
            }
        }
    #else
        @Test func errorThatReachesARelayIsSurvivedInReleaseBuilds() {
            let relay = BehaviorRelay(value: 0)
            _ = Observable.just(1).concat(Observable.error(RxError.unknown)).bind(to: relay)
            #expect(relay.value == 1)
        }
    #endif
}
