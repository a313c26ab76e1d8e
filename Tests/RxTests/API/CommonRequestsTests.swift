import Foundation
import Rx
import RxBlocking
import RxTest
import XCTest

/// Requests: attempts, pages, caches, joins and chains.
final class CommonRequestsTests: XCTestCase {
    private var disposeBag = DisposeBag()
    private var scheduler = TestScheduler(initialClock: 0)

    override func setUp() {
        super.setUp()
        disposeBag = DisposeBag()
        scheduler = TestScheduler(initialClock: 0)
    }

    func testRetry_withExponentialBackoff_succeedsAtTheThirdAttempt() {
        let service = FakeService()
        let scheduler = self.scheduler
        let source = service.flaky().asObservable()
            .retry(when: { errors in
                errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                    if attempt >= 3 { return .error(error) }
                    return Observable<Int>.timer(.seconds(Int(pow(2, Double(attempt)))), scheduler: scheduler)
                }
            })
        let result = scheduler.start(disposed: 1000) { source }
        XCTAssertEqual(result.events, [.next(203, 3), .completed(203)])
    }

    func testRetry_ofCertainErrors_givesUpOnOthers() {
        var attempts = 0
        let source = Observable<Int>.create { observer in
            attempts += 1
            observer.onError(attempts < 3 ? APIError.offline : RxError.unknown)
            return Disposables.create()
        }
        let result = source.retry { (errors: Observable<APIError>) in errors.map { _ in } }.materialize()
        XCTAssertEqual(try result.toBlocking().toArray().count, 1)
        XCTAssertEqual(attempts, 3)
    }

    func testRetry_whenZippedWithARange_isLimited() throws {
        var attempts = 0
        let source = Observable<String>.deferred {
            attempts += 1
            return .error(APIError.offline)
        }
        let limited = source.retry { errors in
            Observable.zip(errors, Observable.range(start: 1, count: 3)) { error, attempt -> Int in
                if attempt == 3 { throw error }
                return attempt
            }
        }
        XCTAssertThrowsError(try limited.toBlocking().first())
        XCTAssertEqual(attempts, 3)
    }

    func testPaging_withScanAndConcatMap_collectsThePages() {
        let service = FakeService()
        let loadMore = PublishSubject<Void>()
        var pages: [[Int]] = []
        loadMore
            .scan(-1) { page, _ in page + 1 }
            .concatMap { service.page($0) }
            .scan([]) { $0 + $1 }
            .subscribe(onNext: { pages.append($0) })
            .disposed(by: disposeBag)
        loadMore.onNext(())
        loadMore.onNext(())
        XCTAssertEqual(pages, [[0, 1, 2], [0, 1, 2, 3, 4, 5]])
    }

    func testPaging_recursively_endsWithTheLastPage() throws {
        func load(from cursor: Int?) -> Observable<[Int]> {
            guard let cursor = cursor else { return .empty() }
            return Observable.just([cursor]).concat(Observable.deferred { load(from: cursor < 3 ? cursor + 1 : nil) })
        }
        XCTAssertEqual(try load(from: 0).reduce([], accumulator: +).toBlocking().single(), [0, 1, 2, 3])
    }

    func testCacheThenNetwork_takesTheFirstThatHasSomething() throws {
        let memory = Maybe<String>.empty()
        let disk = Maybe<String>.create { maybe in
            maybe(.success("disk"))
            return Disposables.create()
        }
        let network = Single.just("network").do(onSuccess: { _ in XCTFail("The disk has it.") })
        XCTAssertEqual(try memory.ifEmpty(switchTo: disk).ifEmpty(switchTo: network).toBlocking().single(), "disk")
    }

    func testRequests_inParallel_areJoined() throws {
        let profile = Single.zip(Single.just("Ada"), Single.just(36), Single.just([1, 2])) {
            (name: $0, age: $1, ids: $2)
        }
        let value = try profile.toBlocking().single()
        XCTAssertEqual(value.name, "Ada")
        XCTAssertEqual(value.ids, [1, 2])
        let all = try Single.zip((1...3).map { Single.just($0 * 10) }).toBlocking().single()
        XCTAssertEqual(all, [10, 20, 30])
        let (a, b) = try Observable.zip(Observable.just(1), Observable.just("b")).toBlocking().single()
        XCTAssertEqual("\(a)\(b)", "1b")
    }

    func testRequests_inSequence_areChained() throws {
        let log = PublishSubject<String>()
        var lines: [String] = []
        log.subscribe(onNext: { lines.append($0) }).disposed(by: disposeBag)
        let save = Completable.create { completable in
            log.onNext("save")
            completable(.completed)
            return Disposables.create { log.onNext("saved") }
        }
        let count =
            save
            .andThen(Single.just(3))
            .flatMap { count in Single.just(count + 1) }
            .map(String.init)
            .do(onSuccess: { log.onNext("value \($0)") }, onDispose: { log.onNext("done") })
        XCTAssertEqual(try count.toBlocking().single(), "4")
        XCTAssertEqual(lines, ["save", "value 4", "saved", "done"])
    }

    func testPolling_untilAConditionHolds_stops() {
        let scheduler = self.scheduler
        var status = 0
        let result = scheduler.start {
            Observable<Int>.interval(.seconds(10), scheduler: scheduler)
                .startWith(0)
                .flatMapLatest { _ -> Observable<Int> in
                    status += 1
                    return .just(status)
                }
                .take(until: { $0 == 3 }, behavior: .inclusive)
        }
        XCTAssertEqual(result.events, [.next(200, 1), .next(210, 2), .next(220, 3), .completed(220)])
    }

    func testTimeout_withFallback_goesOn() {
        let result = scheduler.start {
            Observable<String>.never().timeout(.seconds(5), other: Observable.just("cached"), scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [.next(205, "cached"), .completed(205)])
    }

    func testToken_refreshedAfterUnauthorized_repeatsTheRequest() throws {
        var token = "old"
        func request() -> Single<String> {
            Single.deferred { token == "old" ? .error(APIError.server(401)) : .just("ok \(token)") }
        }
        let refresh = Single<String>.just("new").do(onSuccess: { token = $0 })
        let result = request().catch { error in
            guard case APIError.server(401) = error else { return .error(error) }
            return refresh.flatMap { _ in request() }
        }
        XCTAssertEqual(try result.toBlocking().single(), "ok new")
    }
}
