import Rx

/// The network requests for signing up.
public protocol Accounts {
    /// Returns whether the name is available.
    func isFree(_ name: String) -> Single<Bool>
    /// Creates the account.
    func signUp(_ name: String, password: String) -> Completable
}

/// Turns text input and taps into the state that the screen shows.
public struct SignUpViewModel {
    /// The message next to the name.
    public enum Hint: Equatable, Sendable {
        case none, checking, free, taken
        /// The request failed. The next name sends a new request.
        case unknown
    }

    /// The result of signing up.
    public enum Outcome: Equatable, Sendable {
        case done(name: String)
        case failed
    }

    public let hint: Driver<Hint>
    public let isSubmitEnabled: Driver<Bool>
    public let isWorking: Driver<Bool>
    public let outcome: Signal<Outcome>

    /// - Parameters:
    ///   - scheduler: Provides the time for detecting a pause in typing.
    public init(
        name: Driver<String>, password: Driver<String>, submit: Signal<Void>, accounts: any Accounts,
        scheduler: any SchedulerType
    ) {
        let hint = name.asObservable().distinctUntilChanged()
            .flatMapLatest { name -> Observable<Hint> in
                guard !name.isEmpty else { return .just(.none) }
                // The request waits for a pause, but the hint does not. The next name disposes both.
                return Single<Int>.timer(.milliseconds(300), scheduler: scheduler)
                    .flatMap { _ in accounts.isFree(name) }
                    .map { $0 ? .free : .taken }
                    .catchAndReturn(.unknown)
                    .asObservable()
                    .startWith(.checking)
            }
            .asDriver(onErrorDriveWith: .empty())
        let form = Driver.combineLatest(name, password)
        let work = submit.asObservable().withLatestFrom(form)
            .flatMapFirst { name, password -> Observable<Outcome?> in
                // 'nil' while the request runs. A second tap during the request is ignored.
                accounts.signUp(name, password: password)
                    .andThen(Observable<Outcome?>.just(.done(name: name)))
                    .catchAndReturn(.failed)
                    .startWith(nil)
            }
            .asDriver(onErrorDriveWith: .empty())
        let isWorking = work.map { $0 == nil }.startWith(false).distinctUntilChanged()

        self.hint = hint
        self.isWorking = isWorking
        isSubmitEnabled = Driver.combineLatest(hint, password, isWorking) { hint, password, isWorking in
            hint == .free && password.count >= 8 && !isWorking
        }.distinctUntilChanged()
        outcome = work.compactMap(\.self).asObservable().asSignal(onErrorSignalWith: .empty())
    }
}
