import Rx
import RxTest

/// Sequences that a task awaits.
struct ConcurrencyScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let placeholder = "…"
    let cached = Maybe.just("cached")
    let saved = Completable.empty()
    func load() -> Single<String> { .just("page") }
}
