import Foundation
import Rx

// An application in Swift 5 mode that is compiled with complete concurrency checks.

final class Player: ReactiveCompatible, Sendable {
    let volumes = PublishRelay<Int>()
}

final class Download: Cancelable {
    private let end: BooleanDisposable
    private let source: Disposable

    init(_ source: Disposable, end: BooleanDisposable) {
        self.source = source
        self.end = end
    }

    var isDisposed: Bool { end.isDisposed }

    func dispose() {
        end.dispose()
        source.dispose()
    }
}

func capture(
    disposable: Disposable, cancelable: Cancelable, binder: Binder<Int>, player: Reactive<Player>, download: Download
) {
    DispatchQueue.global().async {
        disposable.dispose()
        cancelable.dispose()
        binder.onNext(1)
        player.base.volumes.accept(1)
        download.dispose()
    }
}

func stream(of source: Observable<Int>) -> AsyncStream<Int> {
    AsyncStream { continuation in
        let subscription = source.subscribe(onNext: { continuation.yield($0) }, onDisposed: { continuation.finish() })
        continuation.onTermination = { _ in subscription.dispose() }
    }
}

func names(taps: Signal<Void>, name: Driver<String>) -> Signal<String> { taps.withLatestFrom(name) }
