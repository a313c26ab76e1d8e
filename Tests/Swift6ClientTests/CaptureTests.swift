import Foundation
import Rx
import XCTest

/// The package's types, captured in closures that may run on any thread, in both language modes and with `import Rx`
/// only. Half of the test is that this file compiles without a warning.
final class CaptureTests: XCTestCase {
    /// A model that is safe to share. Its reactive extension is then safe to share, too.
    private final class Thermostat: ReactiveCompatible, Sendable {
        let readings = PublishRelay<Int>()
    }

    private final class Screen: NSObject {
        var title = ""
    }

    /// A disposable that the client implements.
    private final class Request: Cancelable {
        private let state = BooleanDisposable()
        var isDisposed: Bool { state.isDisposed }
        func dispose() { state.dispose() }
    }

    private func run(_ work: @escaping @Sendable () -> Void) {
        let done = expectation(description: "done")
        DispatchQueue.global().async {
            work()
            done.fulfill()
        }
        wait(for: [done], timeout: 60)
    }

    func testDisposableAndCancelable_capturedByAClosureThatRunsAnywhere_areDisposed() {
        let subject = PublishSubject<Int>()
        let subscription: Disposable = subject.subscribe()
        let cancelable: Cancelable = Disposables.create {}
        let request = Request()
        run {
            subscription.dispose()
            cancelable.dispose()
            request.dispose()
        }
        XCTAssertFalse(subject.hasObservers)
        XCTAssertTrue(cancelable.isDisposed)
        XCTAssertTrue(request.isDisposed)
    }

    func testSubscription_capturedByAStreamsTermination_endsWithIt() async {
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        subject.onNext(1)
        let values = AsyncStream<Int> { continuation in
            let subscription = subject.subscribe(onNext: { continuation.yield($0) })
            continuation.onTermination = { _ in subscription.dispose() }
        }
        for await value in values {
            XCTAssertEqual(value, 1)
            break
        }
    }

    func testBinder_capturedByAClosureThatRunsAnywhere_binds() {
        let screen = Screen()
        let bound = expectation(description: "bound")
        let binder = Binder<String>(screen) { screen, title in
            screen.title = title
            bound.fulfill()
        }
        run { binder.onNext("Results") }
        wait(for: [bound], timeout: 60)
        XCTAssertEqual(screen.title, "Results")
    }

    func testReactiveSide_ofASendableBase_isSendable() {
        let thermostat = Thermostat()
        let rx = Thermostat().rx
        var seen: [Int] = []
        let subscriptions = [rx.base, thermostat].map { $0.readings.subscribe(onNext: { seen.append($0) }) }
        run {
            rx.base.readings.accept(1)
            thermostat.rx.base.readings.accept(2)
        }
        XCTAssertEqual(seen, [1, 2])
        subscriptions.forEach { $0.dispose() }
    }

    func testReactiveSide_ofAnNSObject_isThere() {
        let screen = Screen()
        let subscription = Observable.just("Title").bind(to: screen.rx.title)
        XCTAssertEqual(screen.title, "Title")
        XCTAssertTrue(type(of: screen).rx == Reactive<Screen>.self)
        subscription.dispose()
    }

    func testOperationQueueScheduler_isThere() {
        let queue = OperationQueue()
        let done = expectation(description: "done")
        queue.maxConcurrentOperationCount = 1
        let scheduler = OperationQueueScheduler(operationQueue: queue, queuePriority: .high)
        let subscription = Observable.just(1).observe(on: scheduler).subscribe(onCompleted: {
            XCTAssertTrue(OperationQueue.current === queue)
            done.fulfill()
        })
        wait(for: [done], timeout: 60)
        subscription.dispose()
    }

    @MainActor
    func testSignal_withTheLatestOfADriver_andTheOtherWayAround() {
        let taps = PublishRelay<Void>()
        let name = BehaviorRelay(value: "Ada")
        var seen: [String] = []
        let names: Signal<String> = taps.asSignal().withLatestFrom(name.asDriver())
        let driven: Driver<String> = taps.asDriver(onErrorDriveWith: .empty()).withLatestFrom(Signal.just("Grace"))
        let subscriptions = [names.emit(onNext: { seen.append($0) }), driven.drive(onNext: { seen.append($0) })]
        taps.accept(())
        name.accept("Bob")
        taps.accept(())
        XCTAssertEqual(seen, ["Ada", "Grace", "Bob", "Grace"])
        subscriptions.forEach { $0.dispose() }
    }
}
