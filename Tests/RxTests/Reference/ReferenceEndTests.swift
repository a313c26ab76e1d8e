import Rx
import RxTest
import XCTest

/// The order in which the subscriber receives the end, and in which the source and its surroundings are released.
final class ReferenceEndTests: XCTestCase {
    /// A source of 1, 2 and an end. `COMP` or `ERR` is the end at the subscriber, `DISP` its `onDisposed`, `SRC` the
    /// source's disposal, and `|` the return of `subscribe` or the moment after the end was sent.
    private func order(_ item: ReferenceOperator, completes: Bool, later: Bool) -> String {
        let log = ReferenceLog()
        var observer: AnyObserver<Int>?
        func send(_ observer: AnyObserver<Int>) {
            observer.onNext(1)
            observer.onNext(2)
            if completes { observer.onCompleted() } else { observer.onError(Planted.fault) }
        }
        let source = Observable<Int>.create { subscribed in
            if later { observer = subscribed } else { send(subscribed) }
            return Disposables.create { log.add("SRC") }
        }
        let subscription = item.apply(source).subscribe(
            onNext: { log.add("\($0)") }, onError: { _ in log.add("ERR") }, onCompleted: { log.add("COMP") },
            onDisposed: { log.add("DISP") })
        if let observer { send(observer) }
        log.add("|")
        subscription.dispose()
        return log.text
    }

    func testEnd_ofEveryOperator_isToldAndReleasedInTheOrderOfTheReference() {
        var names: [String] = []
        for completes in [true, false] {
            for later in [true, false] {
                for item in ReferenceOperator.all {
                    let name = "order \(completes ? "completed" : "error")\(later ? " async" : "") \(item.name)"
                    names.append(name)
                    Reference.check(name, order(item, completes: completes, later: later))
                }
            }
        }
        Reference.checkAll(names, of: ["order "])
    }

    // MARK: Nested side effects

    private enum How: String, CaseIterable { case completed, error, dispose }

    func testDo_nested_callsItsFunctionsInTheOrderOfTheReference() {
        for how in How.allCases {
            let log = ReferenceLog()
            var observer: AnyObserver<Int>?
            let source = Observable<Int>.create { subscribed in
                observer = subscribed
                return Disposables.create { log.add("SRC") }
            }
            func logged(_ name: String, _ source: Observable<Int>) -> Observable<Int> {
                source.do(
                    onError: { _ in log.add("\(name):e") }, afterError: { _ in log.add("\(name):ae") },
                    onCompleted: { log.add("\(name):c") }, afterCompleted: { log.add("\(name):ac") },
                    onSubscribe: { log.add("\(name):+") }, onSubscribed: { log.add("\(name):++") },
                    onDispose: { log.add("\(name):-") })
            }
            let subscription = logged("B", logged("A", source).map { $0 }).subscribe(
                onError: { _ in log.add("ERR") }, onCompleted: { log.add("COMP") }, onDisposed: { log.add("DISP") })
            switch how {
            case .completed: observer?.onCompleted()
            case .error: observer?.onError(Planted.fault)
            case .dispose: break
            }
            log.add("|")
            subscription.dispose()
            Reference.check("do order \(how)", log.text)
        }
    }

    func testUsing_releasesItsResourceAfterItsSequence() {
        for how in How.allCases {
            let log = ReferenceLog()
            let subject = PublishSubject<Int>()
            let sequence = Observable<Int>.using({
                log.add("+")
                return BooleanDisposable()
            }) { resource in
                subject.do(onDispose: { log.add("r\(resource.isDisposed)") })
            }
            let subscription = sequence.subscribe(
                onError: { _ in log.add("ERR") }, onCompleted: { log.add("COMP") }, onDisposed: { log.add("DISP") })
            switch how {
            case .completed: subject.onCompleted()
            case .error: subject.onError(Planted.fault)
            case .dispose: break
            }
            log.add("|")
            subscription.dispose()
            Reference.check("using order \(how)", log.text)
        }
    }

    // MARK: Around another attempt

    /// `+n` and `-n` are the subscriptions of an inner source, around a failure of the source that made it.
    func testAnotherAttempt_beginsAfterTheFailedChainWasReleasedAsInTheReference() {
        typealias Make = (Observable<Int>, PublishSubject<Int>) -> Observable<Int>
        func failing(_ trigger: some ObservableType<Int>) -> Observable<Int> {
            trigger.map { value in
                if value == 2 { throw Planted.fault }
                return value
            }
        }
        let alone: (PublishSubject<Int>) -> Observable<Int> = { failing($0.filter { $0 == 2 }) }
        let forms: [(String, Make)] = [
            (
                "flatMap retry",
                { inner, trigger in
                    Observable.merge(
                        alone(trigger), Observable.just(0).concat(Observable.never()).flatMap { _ in inner }
                    ).retry(2)
                }
            ),
            ("merge(flatMap) retry", { inner, trigger in Observable.merge(inner, alone(trigger)).retry(2) }),
            (
                "merge(never, flatMap(src fails, inner)) retry",
                { inner, trigger in
                    Observable.merge(.never(), failing(trigger).flatMap { _ in inner }).retry(2)
                }
            ),
            ("flatMap alone retry", { inner, trigger in failing(trigger).flatMap { _ in inner }.retry(2) }),
            (
                "combineLatest(flatMap) retry",
                { inner, trigger in
                    Observable.combineLatest(Observable.just(1), failing(trigger).flatMap { _ in inner }) { $1 }.retry(
                        2)
                }
            ),
            (
                "flatMap.flatMap catch",
                { inner, trigger in
                    Observable.just(1).flatMap { _ in failing(trigger).flatMap { _ in inner } }.catch { _ in inner }
                }
            ),
            (
                "merge(flatMap) catch",
                { inner, trigger in
                    Observable.merge(.never(), failing(trigger).flatMap { _ in inner }).catch { _ in inner }
                }
            ),
            (
                "switch in merge concat",
                { inner, trigger in
                    let switching = trigger.take(1).flatMapLatest { _ in inner }.take(until: trigger.filter { $0 == 2 })
                    return Observable.merge(.empty(), switching).concat(inner)
                }
            ),
            (
                "zip flatMap catch",
                { inner, trigger in
                    Observable.zip(Observable.just(1), failing(trigger).flatMap { _ in inner }) { $1 }.catch { _ in
                        inner
                    }
                }
            ),
            (
                "using in flatMap retryWhen",
                { inner, trigger in
                    Observable.merge(.never(), failing(trigger).flatMap { _ in inner })
                        .retry(when: { (errors: Observable<any Error>) in errors.take(1) })
                }
            ),
        ]
        for (name, make) in forms {
            let log = ReferenceLog()
            let trigger = PublishSubject<Int>()
            var count = 0
            let inner = Observable<Int>.create { _ in
                count += 1
                let number = count
                log.add("+\(number)")
                return Disposables.create { log.add("-\(number)") }
            }
            let subscription = make(inner, trigger).subscribe(
                onError: { _ in log.add("ERR") }, onCompleted: { log.add("COMP") }, onDisposed: { log.add("DISP") })
            trigger.onNext(1)
            trigger.onNext(2)
            log.add("|")
            subscription.dispose()
            Reference.check("overlap \(name)", log.text)
        }
        Reference.checkAll(forms.map { "overlap \($0.0)" }, of: ["overlap "])
    }
}
