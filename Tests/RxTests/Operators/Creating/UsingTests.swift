import Rx
import RxTest
import XCTest

final class UsingTests: XCTestCase {
    /// A resource that notes the tick at which it is disposed.
    private final class Resource: Disposable, @unchecked Sendable {
        // @unchecked: virtual time has one thread.
        let scheduler: TestScheduler
        private(set) var disposedAt: [Int] = []

        init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

        func dispose() { disposedAt.append(scheduler.clock) }
    }

    private let scheduler = TestScheduler(initialClock: 0)
    private lazy var resource = Resource(scheduler)

    func testUsing_atCompletion_disposesTheResource() {
        let source = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let result = scheduler.start {
            Observable.using({ self.resource }, observableFactory: { _ in source.asObservable() })
        }
        XCTAssertEqual(result.events, [.next(210, 1), .completed(220)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
        XCTAssertEqual(resource.disposedAt, [220])
    }

    func testUsing_atError_disposesTheResource() {
        let source = scheduler.createColdObservable([.next(10, 1), .error(20, Planted.fault)])
        let result = scheduler.start {
            Observable.using({ self.resource }, observableFactory: { _ in source.asObservable() })
        }
        XCTAssertEqual(result.events, [.next(210, 1), .error(220, Planted.fault)])
        XCTAssertEqual(resource.disposedAt, [220])
    }

    func testUsing_disposedMidway_disposesTheResource() {
        let source = scheduler.createColdObservable([.next(10, 1), .completed(90)])
        let result = scheduler.start(disposed: 250) {
            Observable.using({ self.resource }, observableFactory: { _ in source.asObservable() })
        }
        XCTAssertEqual(result.events, [.next(210, 1)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
        XCTAssertEqual(resource.disposedAt, [250])
    }

    func testUsing_whenResourceFactoryThrows_failsWithoutTheOther() {
        var made = 0
        let result = scheduler.start {
            Observable<Int>.using(
                { () throws -> Resource in throw Planted.other },
                observableFactory: { _ in
                    made += 1
                    return .never()
                })
        }
        XCTAssertEqual(result.events, [.error(200, Planted.other)])
        XCTAssertEqual(made, 0)
    }

    func testUsing_whenObservableFactoryThrows_failsAndDisposesTheResource() {
        let result = scheduler.start {
            Observable<Int>.using({ self.resource }, observableFactory: { _ in throw Planted.other })
        }
        XCTAssertEqual(result.events, [.error(200, Planted.other)])
        XCTAssertEqual(resource.disposedAt, [200])
    }

    func testUsing_disposedWhileTheResourceIsMade_disposesIt() {
        let subject = PublishSubject<Int>()
        let subscription = SerialDisposable()
        let other = PublishSubject<Int>()
        let source = Observable<Int>.using(
            {
                subscription.dispose()
                return self.resource
            }, observableFactory: { _ in other.asObservable() })
        subscription.disposable = subject.concat(source).subscribe { _ in }
        subject.onCompleted()
        XCTAssertEqual(resource.disposedAt, [0])
        XCTAssertFalse(other.hasObservers)
    }

    func testUsing_endedWhileItIsSubscribedTo_disposesTheResourceAfterThat() {
        var isOpen = false
        let source = Observable<Int>.using(
            { self.resource },
            observableFactory: { resource in
                .create { observer in
                    observer.onNext(1)
                    isOpen = resource.disposedAt.isEmpty
                    return Disposables.create()
                }
            })
        _ = source.take(1).subscribe { _ in }
        XCTAssertTrue(isOpen, "The function that feeds the sequence may go on using it.")
        XCTAssertEqual(resource.disposedAt, [0])
    }

    func testUsing_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { source in Observable.using({ BooleanDisposable() }, observableFactory: { _ in source }) }
        _ = Observable<Int>.using({ BooleanDisposable() }, observableFactory: { _ in throw Planted.other }).subscribe {
            _ in
        }
        assertResourcesBack(to: before)
    }
}
