import Foundation
import Rx
import RxLegacy
import XCTest

/// The code in guides of 2015 to 2019.
final class GuideTests: XCTestCase {
    fileprivate enum Planted: Error { case fault }

    fileprivate let scheduler = HistoricalScheduler()
    fileprivate var seen: [String] = []

    fileprivate func advance(to seconds: Double) { scheduler.advanceTo(Date(timeIntervalSince1970: seconds)) }
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension GuideTests {
    func testOwnInterval_madeWithCreate_stopsWhenDisposed() {
        let scheduler = scheduler
        func myInterval(_ period: TimeInterval) -> Observable<Int> {
            create { observer in
                var ticks: (any Disposable)?
                let cancel = AnonymousDisposable { ticks?.dispose() }
                ticks = scheduler.schedulePeriodic(0, startAfter: period, period: period) { next in
                    if cancel.disposed { return next }
                    observer.on(.Next(next))
                    return next + 1
                }
                return cancel
            }
        }
        let subscription = myInterval(0.1).subscribeNext { self.seen.append("\($0)") }
        advance(to: 0.35)
        subscription.dispose()
        advance(to: 1)
        XCTAssertEqual(seen, ["0", "1", "2"])
    }

    func testOwnOperator_withASingleAssignmentDisposable_endsItsSource() {
        func firstOnly(_ source: Observable<Int>) -> Observable<Int> {
            create { observer in
                let subscription = SingleAssignmentDisposable()
                subscription.disposable = source.subscribe { event in
                    observer.on(event)
                    if case .Completed = event { return }
                    observer.on(.Completed)
                    subscription.dispose()
                }
                return subscription
            }
        }
        let subject = PublishSubject<Int>()
        let subscription = firstOnly(subject).subscribe { self.seen.append($0.debugDescription) }
        subject.onNext(1)
        XCTAssertEqual(seen, ["next(1)", "completed"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testRetryWithGrowingPauses_attemptsAndGivesUp() {
        var attempts = 0
        let scheduler = scheduler
        let request = Observable<Int>.create { observer in
            attempts += 1
            observer.onError(Planted.fault)
            return NopDisposable.instance
        }
        let subscription =
            request
            .retryWhen { (errors: Observable<Error>) in
                errors.flatMapWithIndex { error, attempt -> Observable<Int64> in
                    if attempt >= 2 { return Observable.error(error) }
                    return Observable<Int64>.timer(RxTimeInterval(attempt + 1), scheduler: scheduler)
                }
            }
            .subscribeError { self.seen.append("gave up after \(attempts): \($0)") }
        XCTAssertEqual(attempts, 1)
        advance(to: 1.5)
        XCTAssertEqual(attempts, 2)
        advance(to: 2.9)
        XCTAssertEqual(attempts, 2)
        advance(to: 3.5)
        XCTAssertEqual(seen, ["gave up after 3: fault"])
        subscription.dispose()
    }

    func testArraysOfSequences_combineThemselves() {
        func events<Element>(of sequence: Observable<Element>) -> [String] {
            var events: [String] = []
            _ = sequence.subscribe { events.append($0.debugDescription) }
            return events
        }
        let first = Observable.just(1)
        let second = Observable.just(2)
        let failing = Observable<Int>.failWith(Planted.fault)
        XCTAssertEqual(events(of: [first, second].concat()), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: [first, second].combineLatest { $0.reduce(0, +) }), ["next(3)", "completed"])
        XCTAssertEqual(events(of: [first, second].toObservable().merge()), ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(events(of: [Observable<Int>.never(), second].amb()), ["next(2)", "completed"])
        XCTAssertEqual(events(of: [failing, second].catchError()), ["next(2)", "completed"])
        XCTAssertEqual(events(of: [first, second].combineLatest { _ -> Int in throw Planted.fault }), ["error(fault)"])
    }

    func testTimeIntervals_madeOfNumbers_areSeconds() {
        let attempt = 3
        XCTAssertEqual(RxTimeInterval(0.25), .milliseconds(250))
        XCTAssertEqual(RxTimeInterval(attempt), .seconds(3))
        XCTAssertEqual(RxTimeInterval(-0.5), .milliseconds(-500))
        XCTAssertEqual(RxTimeInterval(Double.infinity), .never)
        XCTAssertEqual(RxTimeInterval(Double.nan), .never)
    }

    func testSchedulers_takeNumbersOfSeconds() {
        let once = scheduler.scheduleRelative("once", dueTime: 0.5) { text in
            self.seen.append(text)
            return NopDisposable.instance
        }
        let again = scheduler.schedulePeriodic(1, startAfter: 0.25, period: 0.5) { count in
            self.seen.append("\(count)")
            return count + 1
        }
        advance(to: 1)
        XCTAssertEqual(seen, ["1", "once", "2"])
        once.dispose()
        again.dispose()
        advance(to: 2)
        XCTAssertEqual(seen.count, 3)
    }

    func testLoginScreen_enablesItsButton() {
        final class LoginScreen {
            let name = Variable(""), password = Variable("")
            let button = Variable(false)
            let bag = DisposeBag()

            init() {
                let hasName = name.asObservable().map { $0.count >= 5 }.shareReplay(1)
                let hasPassword = password.asObservable().map { $0.count >= 5 }.shareReplay(1)
                Observable.combineLatest(hasName, hasPassword) { $0 && $1 }
                    .shareReplay(1)
                    .bindTo(button)
                    .addDisposableTo(bag)
            }
        }
        weak var weakly: LoginScreen?
        do {
            let screen = LoginScreen()
            weakly = screen
            screen.name.value = "ada.l"
            XCTAssertFalse(screen.button.value)
            screen.password.value = "secret"
            XCTAssertTrue(screen.button.value)
        }
        XCTAssertNil(weakly)
    }
}
