import Dispatch
import Rx

/// The forms in which one object uses sequences, each separately.
@MainActor
final class Meter: ReactiveCompatible {
    var level = 0
    var label: Int? = 0
    private(set) var seen: [Int] = []
    private let bag = DisposeBag()

    func set(_ level: Int) {
        self.level = level
        seen.append(level)
    }

    func reading(_ level: Int) -> Single<Int> { .just(level + self.level) }

    /// Each form of `subscribe`, `bind`, `do` and operators that access the properties of this object.
    func watch(_ source: Observable<Int>) {
        source.subscribe { [weak self] event in if case .next(let level) = event { self?.set(level) } }.disposed(
            by: bag)
        source.subscribe(onNext: set).disposed(by: bag)
        source.subscribe(
            onNext: { self.level = $0 }, onError: { _ in self.level = -1 }, onCompleted: { self.level = 0 },
            onDisposed: { self.level = 0 }
        )
        .disposed(by: bag)
        source.subscribe(with: self, onNext: { meter, level in meter.set(level) }, onDisposed: { $0.level = 0 })
            .disposed(by: bag)
        source.subscribe(AnyObserver { [weak self] event in self?.level = event.element ?? 0 }).disposed(by: bag)
        source.withUnretained(self).subscribe(onNext: { meter, level in meter.set(level) }).disposed(by: bag)
        source.do(onNext: { self.level = $0 }).subscribe().disposed(by: bag)
        source.bind(onNext: set).disposed(by: bag)
        source.bind(to: rx.level).disposed(by: bag)
        source.bind(to: rx.label).disposed(by: bag)
        source.bind(to: Binder(self) { $0.set($1) }).disposed(by: bag)
        source.map { $0 + self.level }.filter { $0 > self.level }.bind(onNext: { self.level = $0 }).disposed(by: bag)
        source.scan(level) { $0 + $1 + self.level }.subscribe(onNext: set).disposed(by: bag)
        source.flatMapLatest { [unowned self] level in reading(level) }.bind(onNext: set).disposed(by: bag)
        source.flatMap { [weak self] level in self?.reading(level) ?? .just(level) }.bind(onNext: set).disposed(by: bag)
        Observable.combineLatest(source, source) { [unowned self] in $0 + $1 + level }.bind(onNext: set).disposed(
            by: bag)
        Observable<Int>.deferred { .just(self.level) }.bind(onNext: set).disposed(by: bag)
        Observable<Int>.create { observer in
            observer.onNext(self.level)
            return Disposables.create { self.level = 0 }
        }
        .bind(onNext: set).disposed(by: bag)
    }

    /// The same forms for the traits.
    func watch(_ single: Single<Int>, _ maybe: Maybe<Int>, _ completable: Completable, _ infallible: Infallible<Int>) {
        single.subscribe { [weak self] result in if case .success(let level) = result { self?.set(level) } }.disposed(
            by: bag)
        single.subscribe(onSuccess: set, onFailure: { _ in self.level = -1 }).disposed(by: bag)
        single.subscribe(with: self, onSuccess: { $0.set($1) }).disposed(by: bag)
        single.flatMap { [unowned self] level in reading(level) }.map { $0 + self.level }.subscribe(onSuccess: set)
            .disposed(by: bag)
        maybe.subscribe(onSuccess: { self.level = $0 }, onCompleted: { self.level = 0 }).disposed(by: bag)
        completable.subscribe(onCompleted: { self.level = 0 }).disposed(by: bag)
        infallible.subscribe(onNext: set).disposed(by: bag)
        infallible.bind(onNext: { self.level = $0 }).disposed(by: bag)
        infallible.asDriver().drive(onNext: set).disposed(by: bag)
    }

    /// The same forms for drivers and signals.
    func watch(_ driver: Driver<Int>, _ signal: Signal<Int>) {
        driver.drive(onNext: set, onCompleted: { self.level = 0 }).disposed(by: bag)
        driver.map { $0 + self.level }.drive(onNext: { self.level = $0 }).disposed(by: bag)
        driver.drive(rx.level).disposed(by: bag)
        driver.drive(rx.label).disposed(by: bag)
        driver.drive(with: self, onNext: { $0.set($1) }).disposed(by: bag)
        driver.drive(Binder(self) { $0.set($1) }).disposed(by: bag)
        signal.emit(onNext: { [weak self] in self?.level = $0 }).disposed(by: bag)
        signal.emit(to: rx.level).disposed(by: bag)
        signal.emit(with: self, onNext: { $0.set($1) }).disposed(by: bag)
        signal.withUnretained(self).emit(onNext: { $0.set($1) }).disposed(by: bag)
    }

    /// Each binding with a trailing closure, where several overloads could match.
    func bind(_ source: Observable<Int>, _ driver: Driver<Int>, _ signal: Signal<Int>, _ infallible: Infallible<Int>) {
        source.bind { [weak self] in self?.set($0) }.disposed(by: bag)
        source.bind { [weak self] level in
            guard let self else { return }
            set(level)
            self.level += 1
        }
        .disposed(by: bag)
        source.bind(with: self) { $0.set($1) }.disposed(by: bag)
        infallible.bind { [weak self] in self?.set($0) }.disposed(by: bag)
        driver.drive { [weak self] in self?.set($0) }.disposed(by: bag)
        driver.drive(with: self) { $0.set($1) }.disposed(by: bag)
        let doubled: Observable<Int> = driver.drive { $0.map { $0 * 2 } }
        doubled.bind { self.level = $0 }.disposed(by: bag)
        signal.emit { [weak self] in self?.set($0) }.disposed(by: bag)
        signal.emit(with: self) { $0.set($1) }.disposed(by: bag)
    }

    /// The same forms with tasks.
    func watch(values driver: Driver<Int>, of observable: Observable<Int>) -> [Task<Void, any Error>] {
        [
            Task { for await level in driver.values { set(level) } },
            Task { [weak self] in for try await level in observable.values { self?.level = level } },
        ]
    }

    func clear() { seen = [] }
}

/// Requests with asynchronous answers: each kind of `create`, with an observer that is passed to another queue.
enum Requests {
    static func single() -> Single<Int> {
        .create { single in
            DispatchQueue.global().async { single(.success(1)) }
            return Disposables.create()
        }
    }

    static func maybe() -> Maybe<Int> {
        .create { maybe in
            DispatchQueue.global().async { maybe(.success(1)) }
            return Disposables.create()
        }
    }

    static func completable() -> Completable {
        .create { completable in
            let task = Task { completable(.completed) }
            return Disposables.create { task.cancel() }
        }
    }

    static func infallible() -> Infallible<Int> {
        .create { observer in
            DispatchQueue.global().async {
                observer(.next(1))
                observer(.completed)
            }
            return Disposables.create()
        }
    }

    static func observable() -> Observable<Int> {
        .create { observer in
            let task = Task {
                for value in 1...3 { observer.onNext(value) }
                observer.onCompleted()
            }
            return Disposables.create { task.cancel() }
        }
    }

    /// Disposables that are classes of this package can be captured in a closure that may run on any thread.
    static func stream(of source: Observable<Int>) -> AsyncStream<Int> {
        AsyncStream { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.setDisposable(
                source.subscribe(onNext: { continuation.yield($0) }, onDisposed: { continuation.finish() }))
        }
    }
}
