import Foundation
import Rx
import RxTest

/// Singles, maybes and completables, with the names that a reader expects.
struct TraitsScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let bag = DisposeBag()
    let label = Label()

    let answer = Single.just(42)
    let key = Single.just("key")
    let prices = [Single.just(1.5), Single.just(2.5)]
    let placeholder = "…"
    func load() -> Single<String> { .just("page") }
    func load(page: Int) -> Single<String> { .just("page \(page)") }
    func load(_ session: Session) -> Single<String> { .just("page of \(session)") }
    func download() -> Single<Data> { .just(Data("page".utf8)) }
    func signIn() -> Single<Session> { .just(Session()) }

    let cache = Cache()
    let cached = Maybe.just("cached")
    let stored = Maybe.just("stored")

    let documents = ["a", "b"]
    let rows = Observable.of("one", "two")
    let copied = Completable.empty(), checked = Completable.empty(), deleted = Completable.empty()
    let saved = Completable.empty()
    func login() -> Completable { .empty() }
    func open() -> Completable { .empty() }
    func save(_ text: String) -> Completable { .empty() }
    func save(_ data: Data) -> Completable { .empty() }
    func store(_ text: String, whenDone: (NetworkError?) -> Void) { whenDone(nil) }
    func measure(_ whenDone: (Result<Int, any Error>) -> Void) -> Request {
        whenDone(.success(42))
        return Request()
    }
}
