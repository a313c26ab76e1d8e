import Rx
import XCTest

/// Runs an operator on a `Single` three times, to its value, to an error and to a disposal before both, and releases
/// everything.
///
/// The subscriptions that ended by themselves are not disposed.
func runSingleToEveryEnd<Result: ObservableConvertibleType>(_ apply: (Single<Int>) -> Result) {
    for event in [Event<Int>.next(1), .error(Planted.fault)] {
        let subject = PublishSubject<Int>()
        let subscription = apply(subject.take(1).asSingle()).asObservable().subscribe { _ in }
        subject.on(event)
        withExtendedLifetime(subscription) {}
    }
    let subject = PublishSubject<Int>()
    let subscription = apply(subject.take(1).asSingle()).asObservable().subscribe { _ in }
    subscription.dispose()
    subject.onNext(2)
}

/// Like `runSingleToEveryEnd`, for a `Maybe`, and also to its completion without a value.
func runMaybeToEveryEnd<Result: ObservableConvertibleType>(_ apply: (Maybe<Int>) -> Result) {
    runSingleToEveryEnd { apply($0.asMaybe()) }
    let subject = PublishSubject<Int>()
    let subscription = apply(subject.asMaybe()).asObservable().subscribe { _ in }
    subject.onCompleted()
    withExtendedLifetime(subscription) {}
}

/// Like `runSingleToEveryEnd`, for a `Completable`: to completion, to an error and to a disposal before both.
func runCompletableToEveryEnd<Result: ObservableConvertibleType>(_ apply: (Completable) -> Result) {
    runSingleToEveryEnd { apply($0.asCompletable()) }
}

extension XCTestCase {
    /// Calls `body` with a default error handler that notes what it receives: `unhandled fault`.
    func notingUnhandledErrors(in notes: Notes, _ body: () -> Void) {
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        Hooks.defaultErrorHandler = { _, error in notes.add("unhandled \(error)") }
        body()
    }
}
