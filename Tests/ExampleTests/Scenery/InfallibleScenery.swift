import Rx
import RxTest

/// Sequences that cannot fail.
struct InfallibleScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let label = Label()
    let reader = Reader()

    let query = Infallible.of("rx")
    let rows = Infallible.of("one", "two")
    let titles = Infallible.just("Results")
    let pages = Infallible.of(1, 2)
    let request = Observable.just(Person())
    func search(_ text: String) -> Observable<[String]> { .just([text]) }
}
