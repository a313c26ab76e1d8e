import Foundation
import Rx
import XCTest

/// Code of a client in the Swift 6 language mode. It must compile without warnings, and its values must arrive.
final class ClientCodeTests: XCTestCase {
    /// Not `Sendable`, like many models.
    private final class Page {
        var title: String
        init(title: String) { self.title = title }
    }

    @MainActor
    private final class ViewModel {
        let page: Single<Page>
        let prices: Observable<Int>
        private(set) var shown: [String] = []

        init(page: Single<Page>, prices: Observable<Int>) {
            self.page = page
            self.prices = prices
        }

        func load() async throws {
            let page = try await page.value
            page.title += "!"
            shown.append(page.title)
            let cached = try await Maybe<Int>.empty().value
            shown.append("\(cached ?? 0)")
            try await Completable.empty().value
            for try await price in prices.values { shown.append("\(price)") }
        }
    }

    @MainActor
    private final class Screen {
        private let bag = DisposeBag()
        private let expected: Int
        private let ready: TaskGate
        private(set) var shown: [String] = [] {
            didSet { if shown.count == expected { ready.open() } }
        }

        init(expecting expected: Int, ready: TaskGate) {
            self.expected = expected
            self.ready = ready
        }

        func title(of number: Int) async -> String { "page \(number)" }

        func load() {
            let title = Single<String>.create { await self.title(of: 1) }
            title.observe(on: MainScheduler.instance)
                .subscribe(onSuccess: { [weak self] in self?.shown.append($0) }).disposed(by: bag)
            title.observe(on: MainScheduler.instance)
                .subscribe(with: self, onSuccess: { me, title in me.shown.append(title) }).disposed(by: bag)
            let saved = Completable.create { completable in
                let task = Task { @MainActor in completable(.completed) }
                return Disposables.create { task.cancel() }
            }
            saved.subscribe(with: self, onCompleted: { me in me.shown.append("saved") }).disposed(by: bag)
        }
    }

    private actor Store {
        private(set) var titles: [String] = []

        func keep(_ page: Single<Page>) async throws {
            let kept = try await page.value
            titles.append(kept.title)
        }
    }

    func testValue_inAMainActorFunction_arrivesThere() async throws {
        let model = await ViewModel(page: .deferred { .just(Page(title: "Rx")) }, prices: .of(1, 2))
        try await model.load()
        let shown = await model.shown
        XCTAssertEqual(shown, ["Rx!", "0", "1", "2"])
    }

    @MainActor
    func testValue_inAMainActorFunction_subscribesThere() async throws {
        let here = pthread_self()
        let isHere = try await Single<Bool>.create { single in
            single(.success(pthread_equal(pthread_self(), here) != 0))
            return Disposables.create()
        }.value
        XCTAssertTrue(isHere)
    }

    func testSubscribe_inAMainActorFunction_mayUseItsObject() async {
        let ready = TaskGate()
        let screen = await Screen(expecting: 3, ready: ready)
        await screen.load()
        await ready.wait()
        let shown = await screen.shown
        XCTAssertEqual(shown.sorted(), ["page 1", "page 1", "saved"])
    }

    func testAsObservable_ofSequenceThatIsNotSendable_compiles() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        for value in 1...3 { continuation.yield(value) }
        continuation.finish()
        let tens = stream.map { $0 * 10 }.asObservable()
        let sum = try await tens.reduce(0, accumulator: +).asSingle().value
        XCTAssertEqual(sum, 60)
    }

    func testValue_inAnActor_arrivesThere() async throws {
        let store = Store()
        try await store.keep(.deferred { .just(Page(title: "Rx")) })
        let titles = await store.titles
        XCTAssertEqual(titles, ["Rx"])
    }

    func testCreate_whoseObserverIsCalledFromATask_compiles() async throws {
        let single = Single<Int>.create { single in
            let task = Task { single(.success(1)) }
            return Disposables.create { task.cancel() }
        }
        let maybe = Maybe<Int>.create { maybe in
            DispatchQueue.global().async { maybe(.completed) }
            return Disposables.create()
        }
        let completable = Completable.create { completable in
            DispatchQueue.global().async { completable(.completed) }
            return Disposables.create()
        }
        let value = try await single.value
        let none = try await maybe.value
        try await completable.value
        XCTAssertEqual([value, none], [1, nil])
    }

    func testCreate_ofAFunctionThatTakesAnyObserver_compiles() {
        func answer(_ observer: @escaping Single<Int>.SingleObserver) -> any Disposable {
            observer(.success(1))
            return Disposables.create()
        }
        XCTAssertEqual(Single.create(subscribe: answer).synchronousEvents, ["next(1)", "completed"])
    }

    func testChain_ofTasksAndOperators_reads() async throws {
        let total = try await Single.zip([Single.create { 1 }, Single.create { 2 }])
            .flatMap { values in Single.create { values.reduce(0, +) } }
            .map { $0 * 10 }
            .value
        XCTAssertEqual(total, 30)
    }
}
