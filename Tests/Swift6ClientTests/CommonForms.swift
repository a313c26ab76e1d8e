import Foundation
import Rx

private struct User: Decodable {
    let id: Int
    var name: String
}

private enum Failure: Error { case named(String) }

// Typical code of RxSwift users: each form separately, and without hints to the type checker. The test is that this
// file compiles without a warning.
private final class Controller {
    let bag = DisposeBag()
    let subject = PublishSubject<Int>()
    let relay = BehaviorRelay<[Int]>(value: [])
    let count = BehaviorRelay<Int>(value: 0)
    var text = ""
    var title: Binder<String> { Binder(self) { $0.text = $1 } }

    func load(_ n: Int) -> Single<User> { .just(User(id: n, name: "")) }
    func loadPage(_ n: Int) -> Observable<User> { .just(User(id: n, name: "")) }
    func handle(_ n: Int) {}
    func fail(_ e: Error) {}
    func done() {}

    /// Subscribing, and inner sequences that need the owner.
    func subscriptions() {
        subject.subscribe(onNext: handle, onError: fail, onCompleted: done).disposed(by: bag)
        subject.subscribe(onNext: { [weak self] in self?.handle($0) }).disposed(by: bag)
        subject.subscribe(
            onNext: { [weak self] value in
                guard let self = self else { return }
                self.handle(value)
            }, onError: { [weak self] in self?.fail($0) }
        ).disposed(by: bag)
        subject.subscribe(with: self) { owner, value in owner.handle(value) }.disposed(by: bag)
        subject.subscribe(with: self, onNext: { $0.handle($1) }, onError: { $0.fail($1) }).disposed(by: bag)
        subject.flatMap { [weak self] n -> Observable<User> in
            guard let self else { return .empty() }
            return self.loadPage(n)
        }.subscribe().disposed(by: bag)
        subject.flatMap { [weak self] n -> Single<User> in
            guard let self else { return .never() }
            return self.load(n)
        }.subscribe().disposed(by: bag)
        subject.flatMapLatest { [unowned self] in self.load($0) }.map(\.name).bind(onNext: { print($0) }).disposed(
            by: bag)
        subject.flatMapLatest(load).map { $0.id }.filter { $0 > 0 }.bind(onNext: handle).disposed(by: bag)
        subject.withUnretained(self).flatMapLatest { owner, n in owner.load(n) }.subscribe(onNext: { _ in }).disposed(
            by: bag)
        subject.withUnretained(self).subscribe { owner, n in owner.handle(n) }.disposed(by: bag)
    }

    /// Relays, timers and sequences of a few values.
    func relays() {
        relay.accept(relay.value + [1])
        relay.map { $0.count }.map { "\($0)" }.bind(to: title).disposed(by: bag)
        relay.asObservable().skip(1).take(1).subscribe().disposed(by: bag)
        relay.filter { !$0.isEmpty }.map { $0.first! }.distinctUntilChanged().bind(to: subject).disposed(by: bag)
        Observable.just([1, 2]).bind(to: relay).disposed(by: bag)
        Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance).take(3).subscribe().disposed(by: bag)
        Observable<Void>.just(()).delay(.milliseconds(1), scheduler: MainScheduler.asyncInstance).subscribe().disposed(
            by: bag)
        Observable.just(()).throttle(.milliseconds(300), scheduler: MainScheduler.instance).subscribe().disposed(
            by: bag)
        Observable.just(()).throttle(.milliseconds(300), latest: false, scheduler: MainScheduler.instance).subscribe()
            .disposed(by: bag)
        Observable.from(optional: Optional(1)).subscribe().disposed(by: bag)
        Observable.of(1, 2, 3).toArray().subscribe(onSuccess: { print($0) }).disposed(by: bag)
        Observable.of([1], [2]).flatMap { Observable.from($0) }.subscribe().disposed(by: bag)
        Observable.of(1).ignoreElements().asCompletable().subscribe(onCompleted: done, onError: fail).disposed(by: bag)
        Observable.of("a", "b").map(Int.init).compactMap { $0 }.subscribe(onNext: handle).disposed(by: bag)
        Observable.of("a", "b").compactMap(Int.init).subscribe(onNext: handle).disposed(by: bag)
        Observable.of("a", "b").compactMap { Int($0) }.subscribe(onNext: handle).disposed(by: bag)
    }

    /// Several sources.
    func combinations() {
        Observable.combineLatest(subject, relay).subscribe(onNext: { n, list in print(n, list) }).disposed(by: bag)
        Observable.combineLatest(subject, relay, resultSelector: { n, list in n + list.count }).subscribe().disposed(
            by: bag)
        Observable.combineLatest(subject.startWith(0), relay) { ($0, $1) }.map { $0.0 + $0.1.count }.subscribe()
            .disposed(by: bag)
        Observable.combineLatest([subject.asObservable(), subject.map { $0 + 1 }]).map { $0.reduce(0, +) }.subscribe()
            .disposed(by: bag)
        Observable.zip(subject, relay) { ($0, $1) }.subscribe().disposed(by: bag)
        Observable.merge([subject.asObservable(), .just(1)]).subscribe().disposed(by: bag)
        Observable.merge(subject, .just(2)).subscribe().disposed(by: bag)
        Observable.merge(subject.map { _ in }, relay.map { _ in () }).subscribe().disposed(by: bag)
        subject.amb(Observable.just(1)).subscribe().disposed(by: bag)
    }

    /// Side effects, and recovery from errors.
    func recoveries() {
        subject.materialize().dematerialize().subscribe().disposed(by: bag)
        subject.do(onNext: { _ in }).do(onError: { _ in }).do(onDispose: {}).subscribe().disposed(by: bag)
        subject.catch { _ in .just(1) }.subscribe().disposed(by: bag)
        subject.catch { error -> Observable<Int> in
            if case Failure.named = error { return .empty() }
            throw error
        }.subscribe().disposed(by: bag)
        subject.catchAndReturn(0).subscribe().disposed(by: bag)
        subject.retry(3).subscribe().disposed(by: bag)
        subject.retry { $0.flatMap { e -> Observable<Int> in .error(e) } }.subscribe().disposed(by: bag)
        subject.retry(when: { e in e.delay(.seconds(1), scheduler: MainScheduler.instance) }).subscribe().disposed(
            by: bag)
        subject.retry { errors in
            errors.enumerated().flatMap { i, e in
                i < 3 ? Observable<Int>.timer(.seconds(i), scheduler: MainScheduler.instance) : .error(e)
            }
        }.subscribe().disposed(by: bag)
    }

    /// Running results, collections and single elements.
    func collections() {
        subject.scan([]) { (acc: [Int], n) in acc + [n] }.subscribe().disposed(by: bag)
        subject.scan([Int]()) { acc, n in acc + [n] }.bind(to: relay).disposed(by: bag)
        subject.scan(into: [Int]()) { $0.append($1) }.bind(to: relay).disposed(by: bag)
        subject.buffer(timeSpan: .seconds(1), count: 3, scheduler: MainScheduler.instance).filter { !$0.isEmpty }
            .subscribe().disposed(by: bag)
        subject.window(timeSpan: .seconds(1), count: 3, scheduler: MainScheduler.instance).flatMap { $0 }.subscribe()
            .disposed(by: bag)
        subject.window(timeSpan: .seconds(1), count: 3, scheduler: MainScheduler.instance).flatMap { $0.toArray() }
            .subscribe().disposed(by: bag)
        subject.groupBy { $0 % 2 == 0 }.flatMap { g in g.map { (g.key, $0) } }.subscribe().disposed(by: bag)
        subject.sample(Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)).subscribe().disposed(
            by: bag)
        subject.element(at: 1).subscribe().disposed(by: bag)
        subject.first().subscribe(onSuccess: { print($0 as Any) }).disposed(by: bag)
        subject.single { $0 > 1 }.subscribe().disposed(by: bag)
        subject.asSingle().flatMap { .just($0 + 1) }.subscribe().disposed(by: bag)
        subject.asSingle().flatMapCompletable { _ in .empty() }.subscribe().disposed(by: bag)
        subject.asSingle().map { $0 + 1 }.asObservable().subscribe().disposed(by: bag)
        subject.asMaybe().ifEmpty(default: 1).subscribe().disposed(by: bag)
        subject.debug("x").subscribe().disposed(by: bag)
        subject.debug().subscribe().disposed(by: bag)
        subject.share().subscribe().disposed(by: bag)
    }

    /// Drivers and signals.
    func drivers() {
        subject.asDriver(onErrorJustReturn: 0).drive(onNext: handle).disposed(by: bag)
        subject.asDriver(onErrorRecover: { _ in .empty() }).drive().disposed(by: bag)
        subject.asDriver(onErrorDriveWith: .empty()).drive(count).disposed(by: bag)
        subject.asSignal(onErrorJustReturn: 0).emit(to: count).disposed(by: bag)
        subject.asSignal(onErrorJustReturn: 0).emit(with: self) { $0.handle($1) }.disposed(by: bag)
        relay.asDriver().drive(with: self) { owner, list in owner.text = "\(list)" }.disposed(by: bag)
        relay.asDriver().map { $0.count }.distinctUntilChanged().drive(onNext: { [weak self] in self?.handle($0) })
            .disposed(by: bag)
        relay.asDriver()
            .flatMapLatest { [weak self] l in self?.load(l.count).asDriver(onErrorDriveWith: .empty()) ?? .empty() }
            .drive().disposed(by: bag)
        relay.asDriver().asObservable().withLatestFrom(subject).subscribe().disposed(by: bag)
        Driver.merge(relay.asDriver().map { _ in 1 }, subject.asDriver(onErrorJustReturn: 1)).drive().disposed(by: bag)
        Driver.combineLatest(relay.asDriver(), count.asDriver()).drive(onNext: { a, b in print(a, b) }).disposed(
            by: bag)
        Driver.zip(relay.asDriver(), count.asDriver()) { $0.count + $1 }.drive().disposed(by: bag)
        Driver<Int>.interval(.seconds(1)).drive().disposed(by: bag)
        Driver.just(1).delay(.seconds(1)).drive(onNext: handle).disposed(by: bag)
        Driver.of(1, 2).scan(0, accumulator: +).drive().disposed(by: bag)
    }

    /// Singles, maybes and completables.
    func traits() {
        Single.zip(load(1), load(2)).map { a, b in a.id + b.id }.subscribe(onSuccess: handle).disposed(by: bag)
        Single.zip(load(1), load(2)) { $0.id + $1.id }.subscribe(onSuccess: handle, onFailure: fail).disposed(by: bag)
        Single.zip([load(1), load(2)]).subscribe(onSuccess: { print($0.count) }).disposed(by: bag)
        Single<User>.error(Failure.named("")).catch { _ in .just(User(id: 1, name: "")) }.subscribe().disposed(by: bag)
        load(1).subscribe(onSuccess: { [weak self] user in self?.text = user.name }, onFailure: { print($0) }).disposed(
            by: bag)
        load(1).subscribe(
            with: self, onSuccess: { owner, user in owner.text = user.name }, onFailure: { _, e in print(e) }
        ).disposed(by: bag)
        load(1).do(onSuccess: { _ in }, onError: { _ in }, onSubscribe: {}, onDispose: {}).subscribe().disposed(by: bag)
        load(1).retry(2).timeout(.seconds(1), scheduler: MainScheduler.instance)
            .delay(.seconds(1), scheduler: MainScheduler.instance).subscribe().disposed(by: bag)
        load(1).asCompletable().andThen(load(2)).asMaybe().subscribe(
            onSuccess: { _ in }, onError: { _ in }, onCompleted: {}
        ).disposed(by: bag)
        load(1).asObservable().asInfallible(onErrorJustReturn: User(id: 0, name: "")).bind(onNext: { print($0) })
            .disposed(by: bag)
        Completable.create { c in
            c(.completed)
            return Disposables.create()
        }.subscribe { event in
            switch event {
            case .completed: break
            case .error(let e): print(e)
            }
        }.disposed(by: bag)
        Completable.concat([.empty(), .empty()]).andThen(.just(3) as Observable<Int>).subscribe().disposed(by: bag)
        Completable.empty().andThen(Single.just(1)).subscribe().disposed(by: bag)
        Completable.empty().andThen(Completable.empty()).subscribe().disposed(by: bag)
    }

    /// Disposables, schedulers and sources.
    func creations() {
        let d = Disposables.create { print("x") }
        d.disposed(by: bag)
        bag.insert(d, d)
        _ = MainScheduler.instance.schedule(()) { _ in Disposables.create() }
        _ = SerialDispatchQueueScheduler(qos: .background)
        _ = ConcurrentDispatchQueueScheduler(queue: .global())
        _ = Observable<Int>.create { o in
            let t = Timer(timeInterval: 1, repeats: true) { _ in o.onNext(1) }
            return Disposables.create { t.invalidate() }
        }
        _ = Observable<Int>.deferred { [weak self] in self?.subject.asObservable() ?? .empty() }
        _ = Observable.generate(initialState: 0, condition: { $0 < 3 }, iterate: { $0 + 1 })
        _ = Observable.range(start: 0, count: 3).concatMap {
            Observable.just($0).delay(.seconds(1), scheduler: MainScheduler.instance)
        }
        _ = Observable.repeatElement(1).take(3)
        _ = Observable<Int>.error(Failure.named("x"))
        let results = subject.flatMapLatest { n in
            self.loadPage(n).map(Result<User, Error>.success).catch { .just(.failure($0)) }
        }.share()
        _ = results.compactMap { try? $0.get() }
        _ = results.compactMap { r -> Error? in
            if case .failure(let e) = r { return e }
            return nil
        }
    }

    /// Uses of a field and its text.
    func texts() {
        let text: Observable<String> = .just("x")
        _ = text.map { $0.count >= 5 }.share(replay: 1)
        _ = text.debounce(.milliseconds(300), scheduler: MainScheduler.instance).distinctUntilChanged()
            .flatMapLatest { q -> Observable<[String]> in q.isEmpty ? .just([]) : .just([q]) }
        _ = text.startWith("").scan("") { $1.isEmpty ? $0 : $1 }
        _ = text.distinctUntilChanged { $0 == $1 }
        _ = text.distinctUntilChanged { $0.count }
        _ = text.distinctUntilChanged(\.count)
        _ = text.distinctUntilChanged(at: \.count)
        _ = text.withLatestFrom(subject) { ($0, $1) }.filter { $0.1 > 0 }
        _ = text.withLatestFrom(Observable.combineLatest(subject, relay)) { ($0, $1.0, $1.1) }
        _ = text.withLatestFrom(Observable.combineLatest(subject, relay)).map { n, l in l.contains(n) }
        _ = text.flatMap { _ in Infallible.just(1) }
        _ = text.flatMapLatest { _ in Infallible.just(1) }.map { $0 + 1 }
        _ = text.flatMapLatest { _ in Observable.just(1) }.map { $0 + 1 }
        _ = text.take(while: { $0 != "" }).skip(while: { $0 == "a" }).takeLast(1).take(
            for: .seconds(1), scheduler: MainScheduler.instance)
        _ = text.concat(Single.just("d"))
        _ = text.ifEmpty(default: "a").ifEmpty(switchTo: .just("b"))
        _ = text.reduce("", accumulator: +)
        _ = text.reduce(0) { $0 + $1.count }
        _ = text.map { URL(string: $0) }.compactMap { $0 }
        _ = text.asObservable().map { _ in () }.bind(to: PublishRelay<Void>())
        _ = text.bind(to: AnyObserver<String> { _ in })
        _ = text.bind(to: Binder(self) { $0.text = $1 })
        _ = text.bind { [weak self] in self?.text = $0 }
        _ = text.bind(with: self) { $0.text = $1 }
        _ = text.subscribe { print($0) }
        _ = text.subscribe { event in print(event.element ?? "") }
        _ = text.subscribe {
            print("next", $0)
        } onError: {
            print($0)
        } onCompleted: {
        }
        _ = load(1).subscribe {
            print($0)
        } onFailure: {
            print($0)
        }
        _ = text.do { print($0) }
        _ = text.observe(on: MainScheduler.instance).subscribe(on: ConcurrentDispatchQueueScheduler(qos: .background))
    }
}
