import Rx

/// Runs an operator on a subject twice, to an error and to a disposal midway, and lets go of everything: for what stays
/// open when the subject completes.
func runToErrorAndDisposal<Result: ObservableConvertibleType>(_ apply: (Observable<Int>) -> Result) {
    let failing = PublishSubject<Int>()
    let failed = apply(failing).asObservable().subscribe { _ in }
    for value in 1...3 { failing.onNext(value) }
    failing.onError(Planted.fault)
    withExtendedLifetime(failed) {}

    let subject = PublishSubject<Int>()
    let subscription = apply(subject).asObservable().subscribe { _ in }
    subject.onNext(1)
    subscription.dispose()
    subject.onNext(2)
}
