import Foundation
import Rx
import RxFoundation
import RxLegacy

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Each old spelling that takes no closure.

func disposing() {
    let bag = DisposeBag()
    Observable.of(1).subscribe(onNext: { show("addDisposableTo", $0) }).addDisposableTo(bag)
    let disposable = AnonymousDisposable { show("disposed") }
    show("disposed", disposable.disposed)
    disposable.dispose()
    show("disposed", disposable.disposed)
    NopDisposable.instance.dispose()
    let nop: any Disposable = NopDisposable.instance
    nop.dispose()
    func note(_ name: String) -> any Disposable { Disposables.create { show(name) } }
    StableCompositeDisposable.create(note("first"), note("second")).dispose()
    StableCompositeDisposable.create(note("first"), note("second"), note("third")).dispose()
    StableCompositeDisposable.create([note("first"), note("second")]).dispose()
    let group = CompositeDisposable()
    let key = group.addDisposable(note("removed"))
    _ = group.addDisposable(note("with the group"))
    group.removeDisposable(key!)
    group.dispose()
    let single = SingleAssignmentDisposable()
    single.disposable = note("single")
    single.dispose()
    note("scope").scopedDispose().dispose()
    ScopedDisposable(disposable: note("scope")).dispose()
    show("resourceCount", resourceCount == Resources.total)
}

func variables() {
    let name = Variable("ada")
    let copy = Variable("")
    let optional = Variable<String?>(nil)
    let bindings = [
        name.asObservable().bindTo(copy), name.asObservable().bindTo(optional), name.asObservable().bind(to: copy),
        name.asObservable().bind(to: optional), name.asDriver().drive(copy), name.asDriver().drive(optional),
    ]
    name.value = "bob"
    show("variable", copy.value, optional.value ?? "none")
    bindings.forEach { $0.dispose() }
    let subject = PublishSubject<Int>()
    let optionals = PublishSubject<Int?>()
    _ = subject.subscribe { show("bindTo", $0) }
    _ = optionals.subscribe { show("bindTo", $0) }
    _ = Observable.of(1).bindTo(subject)
    _ = Observable.of(1).bindTo(optionals)
    func next(_ source: Observable<Int>) -> Observable<Int> { source.map { $0 + 1 } }
    show("bindTo", one.bindTo(next))
}

func creatingWithoutClosures() {
    show("sequenceOf", Observable.sequenceOf(1, 2))
    show("sequenceOf", Observable.sequenceOf(1, 2, scheduler: CurrentThreadScheduler.instance))
    show("returnElement", Observable.returnElement(1))
    show("failWith", Observable<Int>.failWith(Planted.fault))
    show("just", just(1))
    show("empty", empty() as Observable<Int>)
    show("never", never() as Observable<Int>)
    let empties: [Observable<Int>] = [empty(), never(), failWith(Planted.fault)]
    empties.forEach { show("empties", $0) }
    show("sequenceOf", sequenceOf(1, 2))
    show("returnElement", returnElement(1))
    show("failWith", failWith(Planted.fault) as Observable<Int>)
    show("range", range(3, 2))
    show("toObservable", [1, 2].toObservable())
    show("toObservable", [1, 2].toObservable(CurrentThreadScheduler.instance))
    show("toObservable", Optional(1).toObservable())
    show("toObservable", Optional(1).toObservable(CurrentThreadScheduler.instance))
}

func collections() {
    let first = Observable.just(1)
    let second = Observable.just(2)
    show("concat", [first, second].concat())
    show("amb", [Observable<Int>.never(), second].amb())
    show("catchError", [failing, second].catchError())
    show("shareReplay", first.shareReplay(1))
    show("shareReplayLatestWhileConnected", first.shareReplayLatestWhileConnected())
    let array: Observable<[Int]> = Observable.of(1, 2).toArray()
    show("toArray", array)
    let end: Completable = Observable.of(1, 2).ignoreElements()
    show("ignoreElements", end)
}

func events() {
    let next: Event<Int> = .Next(1)
    let error: Event<Int> = .Error(Planted.fault)
    let completed: Event<Int> = .Completed
    show("events", next, error, completed, Event.Next(1))
    for event in [next, error, completed] {
        switch event {
        case .Next(1): show("one")
        case .Error(Planted.fault): show("fault")
        case .Completed: show("completed")
        default: show("another")
        }
    }
    show(
        "error",
        Single<Int>.create { single in
            single(.error(Planted.fault))
            return Disposables.create()
        })
    func first<Source: ObservableType>(of source: Source) -> [Source.E] {
        var seen: [Source.E] = []
        _ = source.take(1).subscribe(onNext: { seen.append($0) })
        return seen
    }
    show("E", first(of: one), Observable<Int>.E.self, AnyObserver<Int>.E.self)
}

func schedulers() {
    show("sharedInstance", MainScheduler.sharedInstance === MainScheduler.instance)
    show("sharedInstance", ConcurrentMainScheduler.sharedInstance === ConcurrentMainScheduler.instance)
    let quality = DispatchQueueSchedulerQOS.Background
    let schedulers: [any ImmediateSchedulerType] = [
        ConcurrentDispatchQueueScheduler(globalConcurrentQueueQOS: .UserInteractive),
        ConcurrentDispatchQueueScheduler(globalConcurrentQueueQOS: quality),
        SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .UserInitiated),
        SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .Default, internalSerialQueueName: "images"),
        SerialDispatchQueueScheduler(globalConcurrentQueueQOS: .Utility),
    ]
    for scheduler in schedulers {
        let done = DispatchSemaphore(value: 0)
        _ = one.observeOn(scheduler).subscribeOn(scheduler).subscribe(
            onNext: { show("observeOn", $0) }, onDisposed: { done.signal() })
        done.wait()
    }
}

func seconds() {
    let scheduler = HistoricalScheduler()
    func run<Source: ObservableConvertibleType>(_ name: String, _ source: Source) -> any Disposable {
        source.asObservable().subscribe { show(name, $0) }
    }
    let all = [
        run("interval", interval(1, scheduler)),
        run("interval", interval(1, scheduler).map { (tick: Int64) in tick }),
        run("timer", timer(1, scheduler)),
        run("timer", timer(1, 0.5, scheduler)),
        run("interval", Observable<Int>.interval(1, scheduler: scheduler)),
        run("interval", Observable<Int>.interval(1, scheduler)),
        run("timer", Observable<Int>.timer(1, period: 0.5, scheduler: scheduler)),
        run("timer", Observable<Int>.timer(1, scheduler)),
        run("debounce", one.debounce(0.3, scheduler: scheduler).debounce(0.3, scheduler)),
        run("throttle", one.throttle(0.3, scheduler: scheduler).throttle(0.3, scheduler)),
        run("delay", one.delay(0.3, scheduler: scheduler).delay(0.3, scheduler)),
        run("delaySubscription", one.delaySubscription(0.3, scheduler: scheduler).delaySubscription(0.3, scheduler)),
        run("take", Observable<Int>.never().take(0.3, scheduler: scheduler)),
        run("take", Observable<Int>.never().take(0.3, scheduler)),
        run("take", Observable<Int>.never().take(.milliseconds(300), scheduler: scheduler)),
        run("takeDuration", Observable<Int>.never().takeDuration(0.3, scheduler: scheduler)),
        run("skip", one.skip(0.3, scheduler: scheduler).skip(0.3, scheduler)),
        run("timeout", Observable<Int>.never().timeout(0.3, scheduler: scheduler)),
        run("timeout", Observable<Int>.never().timeout(0.3, scheduler)),
        run("timeout", Observable<Int>.never().timeout(0.3, other: one, scheduler: scheduler)),
        run("buffer", one.buffer(timeSpan: 0.3, count: 2, scheduler: scheduler)),
        run("window", one.window(timeSpan: 0.3, count: 2, scheduler: scheduler).flatMap { $0 }),
        run("delay", Single.just(1).delay(0.3, scheduler: scheduler).delaySubscription(0.3, scheduler: scheduler)),
        run("timeout", Single<Int>.never().timeout(0.3, scheduler: scheduler)),
        run("timeout", Single<Int>.never().timeout(0.3, other: .just(1), scheduler: scheduler)),
        run("timer", Single<Int>.timer(0.3, scheduler: scheduler)),
    ]
    scheduler.advanceTo(Date(timeIntervalSince1970: 2.2))
    all.forEach { $0.dispose() }
    show("RxTimeInterval", RxTimeInterval(0.25), RxTimeInterval(3))
}

func versionFiveWithoutClosures() {
    let subject = PublishSubject<Int>()
    show("catchErrorJustReturn", failing.catchErrorJustReturn(1))
    show("catchErrorJustReturn", Single<Int>.error(Planted.fault).catchErrorJustReturn(1))
    show("catchErrorJustReturn", Maybe<Int>.error(Planted.fault).catchErrorJustReturn(1))
    show("catchError", Observable.catchError([failing, one]))
    show(
        "observeOn",
        Single.just(1).observeOn(CurrentThreadScheduler.instance).subscribeOn(CurrentThreadScheduler.instance))
    show("elementAt", Observable.of(1, 2).elementAt(1))
    show("skipUntil", one.skipUntil(subject))
    show("takeUntil", one.takeUntil(subject))
}

func foundation() {
    final class Player: DeallocationObservable { let deallocationSignal = DeallocationSignal() }
    let center = NotificationCenter()
    let session = URLSession.shared
    let url = URL(fileURLWithPath: "/")
    let request = URLRequest(url: url)
    _ = center.rx_notification(Notification.Name("saved")).subscribe(onNext: {
        show("rx_notification", $0.name.rawValue)
    })
    _ = center.rx_notification("saved", object: nil).subscribe(onNext: { show("rx_notification", $0.name.rawValue) })
    center.post(name: Notification.Name("saved"), object: nil)
    // There is no subscription, so no request is sent.
    show("rx_response", type(of: session.rx_response(request)))
    show("rx_data", type(of: session.rx_data(request)))
    show("rx_JSON", type(of: session.rx_JSON(request)), type(of: session.rx_JSON(url)))
    var player: Player? = Player()
    _ = player!.rx_deallocated.subscribe { show("rx_deallocated", $0) }
    player = nil
}
