import Rx
import RxTest

/// Drivers and signals, and what they are made of.
struct SharedSequenceScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let bag = DisposeBag()
    let label = Label()
    let player = Player()
    let button = Button()
    let field = Field()
    let log = Log()

    let input = PublishSubject<String>()
    let saves = PublishSubject<Void>()
    let requests = PublishSubject<Void>()
    let request = Observable.just(Person())
    let level = BehaviorRelay(value: 1)
    let taps = PublishRelay<Void>()

    let title = Driver.just("Results")
    let titles = Driver.of("Results", "Results")
    let name = Driver.just("Ada"), street = Driver.just("Main Street"), town = Driver.just("")
    let credentials = Signal.just("secret")
    let count = Driver.just(3)
    let query = Driver.just("rx")
    func search(_ text: String) -> Observable<[String]> { .just([text]) }

    let cancelTaps = Signal<Void>.empty(), doneTaps = Signal<Void>.empty(), loginTaps = Signal<Void>.empty(), saveTaps = Signal<Void>.empty()
    let tap = Signal<Void>.empty()
    let messages = Signal<String>.empty()
    let names = Signal<String>.empty()
}
