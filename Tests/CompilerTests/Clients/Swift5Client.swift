import Foundation
import Rx
import RxFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// An application in Swift 5 mode that doesn't use `Sendable`. None of this code has ever caused a warning.

class Screen: NSObject {
    var title = ""
    let bag = DisposeBag()
}

final class Model: ReactiveCompatible {
    var count = 0
}

/// A disposable with mutable state.
class Request: Disposable {
    var isOver = false
    let onEnd: () -> Void

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    func dispose() {
        isOver = true
        onEnd()
    }
}

final class CountedRequest: Request {
    var count = 0
}

struct Token<Element>: ObservableConvertibleType, Cancelable {
    let source: Observable<Element>
    let end: () -> Void
    var isDisposed: Bool { false }

    func dispose() { end() }
    func asObservable() -> Observable<Element> { source }
}

extension Reactive where Base: Screen {
    var title: Binder<String> { Binder(base) { screen, title in screen.title = title } }

    func load() -> Completable {
        .create { completable in
            DispatchQueue.global().async {
                base.title = "loaded"
                completable(.completed)
            }
            return Disposables.create()
        }
    }
}

extension Reactive where Base: URLSession {
    func body(of request: URLRequest) -> Observable<Data> {
        .create { observer in
            let subscription = self.data(request: request).subscribe(observer)
            DispatchQueue.global().asyncAfter(deadline: .now() + 60) { subscription.dispose() }
            return subscription
        }
    }
}

final class Logger {
    var isOn = false
    func decide(_ request: URLRequest) -> Bool { isOn }

    func install() {
        Logging.URLRequests = { _ in self.isOn }
        Logging.URLRequests = decide
        let old: (URLRequest) -> Bool = Logging.URLRequests
        URLSession.rx.shouldLogRequest = { _ in self.isOn }
        URLSession.rx.shouldLogRequest = old
        let kept: Logging.LogURLRequest = { _ in self.isOn }
        Logging.URLRequests = kept
    }
}

func capture(
    disposable: Disposable, cancelable: Cancelable, binder: Binder<Int>, observer: AnyObserver<Int>, bag: DisposeBag,
    request: Request,
    screen: Reactive<Screen>, model: Reactive<Model>, session: Reactive<URLSession>, token: Token<Model>
) {
    DispatchQueue.global().async {
        disposable.dispose()
        cancelable.dispose()
        binder.onNext(1)
        observer.onNext(1)
        disposable.disposed(by: bag)
        request.dispose()
        screen.base.title = "a"
        model.base.count += 1
        _ = session.data(request: URLRequest(url: URL(fileURLWithPath: "/")))
        token.dispose()
    }
    Task { @Sendable in
        disposable.dispose()
        binder.onNext(2)
        model.base.count += 1
    }
}

func capture(
    observable: Observable<Model>, subject: PublishSubject<Model>, relay: BehaviorRelay<Model>, single: Single<Model>,
    maybe: Maybe<Model>,
    completable: Completable, infallible: Infallible<Model>, driver: Driver<Model>, signal: Signal<Model>,
    property: ControlProperty<Model>,
    event: Event<Model>, scheduler: MainScheduler, queue: OperationQueueScheduler, group: GroupedObservable<Int, Model>
) {
    DispatchQueue.global().async {
        _ = observable.subscribe(onNext: { $0.count += 1 })
        _ = single.subscribe(onSuccess: { $0.count += 1 })
        subject.on(event)
        property.on(event)
        relay.accept(relay.value)
        print(maybe, completable, infallible, driver, signal, scheduler, queue, group)
    }
}
