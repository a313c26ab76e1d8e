import Foundation
import Rx
import RxTest

/// The surroundings of examples that have no other scenery. Sequences are subjects: no element arrives unless the
/// example sends it.
struct EverydayScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let bag = DisposeBag()
    let disposeBag = DisposeBag()

    // The actions of a person.
    let text = PublishSubject<String>()
    let query = PublishSubject<String>()
    let words = PublishSubject<String>()
    let titles = PublishSubject<String>()
    let clicks = PublishSubject<Void>()
    let pages = PublishSubject<Int>()
    let names = PublishSubject<String>()
    let messages = PublishSubject<String>()
    let edits = PublishSubject<String>()
    let keyboard = PublishSubject<String>()
    let mouse = PublishSubject<String>()
    let taps = PublishSubject<Void>()
    let login = PublishSubject<Void>()
    let release = PublishSubject<Void>()
    let moves = PublishSubject<Point>()

    // Numbers that are measured and counted.
    let numbers = PublishSubject<Int>()
    let source = PublishSubject<Int>()
    let ages = PublishSubject<Int>()
    let events = PublishSubject<Int>()
    let ids = PublishSubject<Int>()
    let requests = PublishSubject<Int>()
    let samples = PublishSubject<Double>()
    let sound = PublishSubject<Double>()
    let temperature = PublishSubject<Double>()
    let volumes = PublishSubject<Double>()
    let width = PublishSubject<Double>()
    let height = PublishSubject<Double>()
    let everySecond = PublishSubject<Void>()
    let prices = [PublishSubject<Double>(), PublishSubject<Double>()]
    let columns = [PublishSubject<String>(), PublishSubject<String>()]

    // Data that is fetched.
    let placeholder = "…"
    let rows = Observable.of("one", "two")
    let cached = Observable<String>.empty()
    let loaded = Observable.just("loaded")
    let primary = Observable<String>.never()
    let mirror = Observable.just("mirror")
    let mirrors = ["one", "two"]
    func load() -> Observable<String> { .just("page") }
    func load(_ id: Int) -> Observable<String> { .just("page \(id)") }
    func load(page: Int) -> Observable<String> { load(page) }
    func fetch(from mirror: String) -> Observable<String> { .just("answer of \(mirror)") }
    func search(_ text: String) -> Observable<[String]> { .just([text]) }
    func save() -> Observable<Void> { .just(()) }
    func save(_ text: String) -> Observable<Void> { .just(()) }

    // Objects.
    let player = Player()
    let label = Label()
    let reader = Reader()
    let counter = Counter()
    let document = Document()
}
