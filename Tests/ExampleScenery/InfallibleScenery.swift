import Rx
import RxTest

/// Sequences that cannot fail.
struct InfallibleScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let bag = DisposeBag()
    let label = Label()
    let reader = Reader()

    let text = Infallible.of("rx"), query = Infallible.of("rx")
    let keyboard = Infallible.of("key"), mouse = Infallible.of("click"), input = Infallible.of("line")
    let taps = Infallible.of(()), drags = Infallible.of(Point()), opened = Infallible.of(()), closed = Infallible.of(())
    let rows = Infallible.of("one", "two")
    let titles = Infallible.just("Results")
    let ids = Infallible.of(1, 2), pages = Infallible.of(1, 2), readings = Infallible.of(1, 2)
    let selection = Infallible.of(PersonModel())

    let loaded = Observable.of("Ada")
    let request = Observable.just(Person())
    func load(page: Int) -> Infallible<String> { .just("page \(page)") }
    func search(_ text: String) -> Observable<[String]> { .just([text]) }
    func save() -> Single<Bool> { .just(true) }
}
