import Rx
import RxTest
import SignUp
import XCTest

final class SignUpViewModelTests: XCTestCase {
    private typealias Hint = SignUpViewModel.Hint
    private typealias Outcome = SignUpViewModel.Outcome
    private struct Offline: Error {}

    /// Answers in virtual time, and records the names it was asked for.
    private final class PlannedAccounts: Accounts {
        let scheduler: TestScheduler
        var answer: Result<Bool, Offline> = .success(true)
        var signsUp = true
        var asked: [String] = []
        var signedUp: [String] = []

        init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

        func isFree(_ name: String) -> Single<Bool> {
            .deferred {
                self.asked.append(name)
                return try Single.just(self.answer.get()).delay(.milliseconds(50), scheduler: self.scheduler)
            }
        }

        func signUp(_ name: String, password: String) -> Completable {
            .deferred {
                self.signedUp.append(name)
                guard self.signsUp else { throw Offline() }
                return Completable.empty().delay(.milliseconds(100), scheduler: self.scheduler)
            }
        }
    }

    /// One tick is one millisecond.
    private let scheduler = TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)

    /// Runs a view model with the given typing and taps, and passes it to a closure that observes it.
    private func run<Element>(
        names: [Recorded<Event<String>>], passwords: [Recorded<Event<String>>] = [.next(0, "long enough")],
        taps: [Recorded<Event<Void>>] = [], accounts: PlannedAccounts,
        _ output: (SignUpViewModel) -> Observable<Element>
    ) -> [Recorded<Event<Element>>] {
        let observer = scheduler.createObserver(Element.self)
        SharingScheduler.mock(scheduler: scheduler) {
            let model = SignUpViewModel(
                name: scheduler.createColdObservable(names).asDriver(onErrorJustReturn: ""),
                password: scheduler.createColdObservable(passwords).asDriver(onErrorJustReturn: ""),
                submit: scheduler.createColdObservable(taps).asSignal(onErrorSignalWith: .empty()),
                accounts: accounts, scheduler: scheduler)
            let subscription = output(model).subscribe(observer)
            scheduler.advanceTo(10_000)
            subscription.dispose()
        }
        return observer.events
    }

    func testHint_asksOnceTypingRests() {
        let accounts = PlannedAccounts(scheduler)
        let events = run(names: [.next(10, "a"), .next(100, "ad"), .next(200, "ada")], accounts: accounts) {
            $0.hint.asObservable()
        }
        XCTAssertEqual(accounts.asked, ["ada"])
        XCTAssertEqual(events, [.next(10, .checking), .next(100, .checking), .next(200, .checking), .next(550, .free)])
    }

    func testHint_whenTheNetworkFails_answersTheNextName() {
        let accounts = PlannedAccounts(scheduler)
        accounts.answer = .failure(Offline())
        scheduler.scheduleAt(1_000) { accounts.answer = .success(false) }
        let events = run(names: [.next(0, "ada"), .next(2_000, "alan")], accounts: accounts) { $0.hint.asObservable() }
        XCTAssertEqual(
            events.map(\.value), [.next(.checking), .next(.unknown), .next(.checking), .next(.taken)] as [Event<Hint>])
    }

    func testHint_ofTwoViews_asksOnce() {
        let accounts = PlannedAccounts(scheduler)
        _ = run(names: [.next(0, "ada")], accounts: accounts) { model in
            Observable.merge(model.hint.asObservable(), model.hint.asObservable())
        }
        XCTAssertEqual(accounts.asked, ["ada"])
    }

    func testSubmit_isEnabledWithAFreeNameAndALongPassword() {
        let passwords: [Recorded<Event<String>>] = [.next(0, "short"), .next(1_000, "long enough")]
        let events = run(names: [.next(0, "ada")], passwords: passwords, accounts: PlannedAccounts(scheduler)) {
            $0.isSubmitEnabled.asObservable()
        }
        XCTAssertEqual(events, [.next(0, false), .next(1_000, true)])
    }

    func testSubmit_tappedTwice_signsUpOnce() {
        let accounts = PlannedAccounts(scheduler)
        let taps: [Recorded<Event<Void>>] = [.next(1_000, ()), .next(1_050, ())]
        let events = run(names: [.next(0, "ada")], taps: taps, accounts: accounts) { $0.outcome.asObservable() }
        XCTAssertEqual(events, [.next(1_100, .done(name: "ada"))])
        XCTAssertEqual(accounts.signedUp, ["ada"])
    }

    func testSubmit_thatFails_canBeRepeated() {
        let accounts = PlannedAccounts(scheduler)
        accounts.signsUp = false
        scheduler.scheduleAt(1_500) { accounts.signsUp = true }
        let taps: [Recorded<Event<Void>>] = [.next(1_000, ()), .next(2_000, ())]
        let events = run(names: [.next(0, "ada")], taps: taps, accounts: accounts) { $0.outcome.asObservable() }
        XCTAssertEqual(events, [.next(1_000, .failed), .next(2_100, .done(name: "ada"))])
    }

    func testWorking_isShownFromTapToEnd() {
        let events = run(
            names: [.next(0, "ada")], taps: [.next(1_000, ())], accounts: PlannedAccounts(scheduler)
        ) { $0.isWorking.asObservable() }
        XCTAssertEqual(events, [.next(0, false), .next(1_000, true), .next(1_100, false)])
    }

    func testDisposing_leavesNothingBehind() {
        let before = Resources.total
        _ = run(names: [.next(0, "ada")], taps: [.next(1_000, ())], accounts: PlannedAccounts(scheduler)) {
            Observable.merge($0.hint.asObservable().map { _ in }, $0.outcome.asObservable().map { _ in })
        }
        XCTAssertEqual(Resources.total, before)
    }
}
