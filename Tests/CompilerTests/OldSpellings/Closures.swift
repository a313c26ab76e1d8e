import Foundation
import Rx
import RxLegacy

// Each old spelling that takes a closure, in both forms: in parentheses, and as a trailing closure.

func subscribing() {
    _ = Observable.of(1, 2).subscribeNext({ show("subscribeNext", $0) })
    _ = Observable.of(1, 2).subscribeNext { show("subscribeNext", $0) }
    _ = failing.subscribeError({ show("subscribeError", $0) })
    _ = failing.subscribeError { show("subscribeError", $0) }
    _ = Observable.of(1, 2).subscribeCompleted({ show("subscribeCompleted") })
    _ = Observable.of(1, 2).subscribeCompleted { show("subscribeCompleted") }
    _ = Single<Int>.error(Planted.fault).subscribe(
        onSuccess: { show("onSuccess", $0) }, onError: { show("onError", $0) }, onDisposed: { show("onDisposed") })
    _ = Single<Int>.error(Planted.fault).subscribe(onError: { show("onError", $0) })
    _ = Single<Int>.error(Planted.fault).subscribe {
        show("onSuccess", $0)
    } onError: {
        show("onError", $0)
    }
}

func lookingOn() {
    show("doOn", Observable.of(1, 2).doOn({ show("doOn", $0) }))
    show("doOn", failing.doOn { show("doOn", $0) })
    show(
        "doOn",
        Observable.of(1).doOn(
            onNext: { show("onNext", $0) }, onError: { show("onError", $0) }, onCompleted: { show("onCompleted") }))
    show("doOn", failing.doOn(onError: { show("onError", $0) }))
    show("doOn", Observable.of(1).doOn(onNext: { show("onNext", $0) }) { show("onError", $0) })
    show(
        "doOn",
        Observable.of(1).doOn {
            show("onNext", $0)
        } onCompleted: {
            show("onCompleted")
        })
    show("doOnNext", Observable.of(1, 2).doOnNext({ show("doOnNext", $0) }))
    show("doOnNext", Observable.of(1, 2).doOnNext { show("doOnNext", $0) })
    show("doOnError", failing.doOnError({ show("doOnError", $0) }))
    show("doOnError", failing.doOnError { show("doOnError", $0) })
    show("doOnCompleted", Observable.of(1, 2).doOnCompleted({ show("doOnCompleted") }))
    show("doOnCompleted", Observable.of(1, 2).doOnCompleted { show("doOnCompleted") })
}

func binding() {
    func rows(_ source: Observable<Int>) -> (@escaping (Int) -> String) -> any Disposable {
        { row in source.subscribe(onNext: { show("row", row($0)) }) }
    }
    _ = Observable.of(1, 2).bindNext({ show("bindNext", $0) })
    _ = Observable.of(1, 2).bindNext { show("bindNext", $0) }
    show("bindTo", Observable.of(1, 2).bindTo({ $0.map { $0 + 1 } }))
    show("bindTo", Observable.of(1, 2).bindTo { $0.map { $0 + 1 } })
    _ = Observable.of(1, 2).bindTo({ $0.subscribe(onNext: { show("bindTo", $0) }) })
    _ = Observable.of(1, 2).bindTo { $0.subscribe(onNext: { show("bindTo", $0) }) }
    _ = Observable.of(1, 2).bindTo(rows, curriedArgument: { "row \($0)" })
    _ = Observable.of(1, 2).bindTo(rows) { "row \($0)" }
    _ = Driver.of(1).driveNext({ show("driveNext", $0) })
    _ = Driver.of(1).driveNext { show("driveNext", $0) }
    let label = Label()
    _ = Observable.of("a").bindTo(UIBindingObserver(UIElement: label, binding: { $0.text = $1 }))
    show("UIBindingObserver", label.text)
    _ = Observable.of("b").bindTo(UIBindingObserver(UIElement: label) { $0.text = $1 })
    show("UIBindingObserver", label.text)
}

func creating() {
    let parenthesised: Observable<Int> = create({ observer in
        observer.on(.next(1))
        return AnonymousDisposable({ show("disposed") })
    })
    show("create", parenthesised)
    let trailing: Observable<Int> = create { observer in
        observer.on(.next(1))
        return AnonymousDisposable { show("disposed") }
    }
    show("create", trailing)
    show("deferred", deferred({ Observable.of(1, 2) }))
    show("deferred", deferred { Observable.of(1, 2) })
}

func withIndex() {
    show("mapWithIndex", Observable.of("a", "b").mapWithIndex({ "\($0)\($1)" }))
    show("mapWithIndex", Observable.of("a", "b").mapWithIndex { "\($0)\($1)" })
    show("flatMapWithIndex", Observable.of("a", "b").flatMapWithIndex({ Observable.just("\($0)\($1)") }))
    show("flatMapWithIndex", Observable.of("a", "b").flatMapWithIndex { Observable.just("\($0)\($1)") })
    show("takeWhileWithIndex", Observable.of("a", "b").takeWhileWithIndex({ $1 < 1 }))
    show("takeWhileWithIndex", Observable.of("a", "b").takeWhileWithIndex { $1 < 1 })
    show("skipWhileWithIndex", Observable.of("a", "b").skipWhileWithIndex({ $1 < 1 }))
    show("skipWhileWithIndex", Observable.of("a", "b").skipWhileWithIndex { $1 < 1 })
}

func versionFive() {
    show("catchError", failing.catchError({ _ in .of(1, 2) }))
    show("catchError", failing.catchError { _ in .of(1, 2) })
    show("catchError", Single<Int>.error(Planted.fault).catchError({ _ in .just(1) }))
    show("catchError", Single<Int>.error(Planted.fault).catchError { _ in .just(1) })
    show("retryWhen", failing.retryWhen({ (errors: Observable<Error>) in errors.take(1) }))
    show("retryWhen", failing.retryWhen { (errors: Observable<Error>) in errors.take(1) })
    show("retryWhen", failing.retryWhen({ (errors: Observable<Planted>) in errors.take(1) }))
    show("retryWhen", failing.retryWhen { (errors: Observable<Planted>) in errors.take(1) })
    show("retryWhen", Single<Int>.error(Planted.fault).retryWhen({ (errors: Observable<Error>) in errors.take(1) }))
    show("retryWhen", Single<Int>.error(Planted.fault).retryWhen { (errors: Observable<Error>) in errors.take(1) })
    show("retryWhen", Single<Int>.error(Planted.fault).retryWhen({ (errors: Observable<Planted>) in errors.take(1) }))
    show("retryWhen", Single<Int>.error(Planted.fault).retryWhen { (errors: Observable<Planted>) in errors.take(1) })
    show("skipWhile", Observable.of(1, 2, 3).skipWhile({ $0 < 2 }))
    show("skipWhile", Observable.of(1, 2, 3).skipWhile { $0 < 2 })
    show("takeWhile", Observable.of(1, 2, 3).takeWhile({ $0 < 2 }))
    show("takeWhile", Observable.of(1, 2, 3).takeWhile { $0 < 2 })
    show("takeUntil", Observable.of(1, 2, 3).takeUntil(.inclusive, predicate: { $0 == 2 }))
    show("takeUntil", Observable.of(1, 2, 3).takeUntil(.exclusive) { $0 == 2 })
}

func time() {
    func pairs(_ scheduler: HistoricalScheduler) -> [any Disposable] {
        [
            scheduler.scheduleRelative(
                1, dueTime: 0.5,
                action: {
                    show("scheduleRelative", $0)
                    return Disposables.create()
                }),
            scheduler.scheduleRelative(1, dueTime: 0.5) {
                show("scheduleRelative", $0)
                return Disposables.create()
            },
            scheduler.schedulePeriodic(
                0, startAfter: 0.5, period: 0.5,
                action: {
                    show("schedulePeriodic", $0)
                    return $0 + 1
                }),
            scheduler.schedulePeriodic(0, startAfter: 0.5, period: 0.5) {
                show("schedulePeriodic", $0)
                return $0 + 1
            },
        ]
    }
    let scheduler = HistoricalScheduler()
    let all = pairs(scheduler)
    scheduler.advanceTo(Date(timeIntervalSince1970: 1.2))
    all.forEach { $0.dispose() }
}
