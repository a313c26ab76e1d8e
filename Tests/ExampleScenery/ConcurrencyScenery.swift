import Rx
import RxTest

/// What a task waits for.
struct ConcurrencyScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let placeholder = "…"
    let cached = Maybe.just("cached")
    let saved = Completable.empty()
    func load() -> Single<String> { .just("page") }
}
