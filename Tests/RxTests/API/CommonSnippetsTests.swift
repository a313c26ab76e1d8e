import Foundation
import Rx
import RxBlocking
import RxTest
import XCTest

// Code that RxSwift users write every day, unchanged except for the imports. Half of the test is that this code
// compiles without hints to the type checker.

struct Repository: Equatable {
    let name: String
    let stars: Int
}

enum APIError: Error, Equatable {
    case offline
    case server(Int)
}

protocol RepositoryService {
    func search(_ query: String) -> Single<[Repository]>
    func page(_ number: Int) -> Observable<[Int]>
    func signIn(_ name: String, _ password: String) -> Single<Bool>
}

final class FakeService: RepositoryService {
    var queries: [String] = []
    var failures = 0

    func search(_ query: String) -> Single<[Repository]> {
        Single.create { single in
            self.queries.append(query)
            if query == "fail" {
                single(.failure(APIError.offline))
            } else {
                single(.success([Repository(name: query, stars: query.count)]))
            }
            return Disposables.create()
        }
    }

    func page(_ number: Int) -> Observable<[Int]> {
        Observable.just(Array((number * 3)..<(number * 3 + 3)))
    }

    func signIn(_ name: String, _ password: String) -> Single<Bool> {
        Observable.just((name, password)).map { $0.0 == "ada" && $0.1.count > 3 }.asSingle()
    }

    func flaky() -> Single<Int> {
        Single.deferred {
            self.failures += 1
            return self.failures < 3 ? .error(APIError.server(self.failures)) : .just(self.failures)
        }
    }
}

// MARK: View models

private final class SearchViewModel {
    struct Input {
        let query: Observable<String>
        let refresh: Observable<Void>
    }

    struct Output {
        let rows: Driver<[Repository]>
        let isLoading: Driver<Bool>
        let title: Driver<String>
        let error: Signal<String>
    }

    private let service: RepositoryService
    init(service: RepositoryService) { self.service = service }

    func transform(_ input: Input, scheduler: SchedulerType) -> Output {
        let isLoading = BehaviorRelay(value: false)
        let errors = PublishRelay<Error>()
        let query = input.query
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .debounce(.milliseconds(300), scheduler: scheduler)
            .distinctUntilChanged()
            .share(replay: 1)

        let rows = Observable.merge(query, input.refresh.withLatestFrom(query))
            .filter { !$0.isEmpty }
            .do(onNext: { _ in isLoading.accept(true) })
            .flatMapLatest { [service] query in
                service.search(query)
                    .asObservable()
                    .do(onError: { errors.accept($0) }, onDispose: { isLoading.accept(false) })
                    .catchAndReturn([])
            }
            .startWith([])
            .asDriver(onErrorJustReturn: [])

        return Output(
            rows: rows,
            isLoading: isLoading.asDriver().distinctUntilChanged(),
            title: query.map { "Results for \($0)" }.asDriver(onErrorDriveWith: .empty()),
            error: errors.map { "\($0)" }.asSignal(onErrorSignalWith: .never()))
    }
}

private final class LoginViewModel {
    let name = BehaviorRelay<String>(value: "")
    let password = BehaviorRelay<String>(value: "")
    let tap = PublishSubject<Void>()
    let disposeBag = DisposeBag()

    lazy var isValid: Observable<Bool> =
        Observable
        .combineLatest(name, password) { $0.count >= 3 && $1.count >= 4 }
        .distinctUntilChanged()
        .share(replay: 1, scope: .whileConnected)

    let signedIn: Observable<Bool>

    init(service: RepositoryService) {
        let credentials = Observable.combineLatest(name, password)
        signedIn =
            tap
            .withLatestFrom(credentials)
            .flatMapFirst { name, password in
                service.signIn(name, password).catchAndReturn(false)
            }
            .share()
    }
}

final class CommonSnippetsTests: XCTestCase {
    private var disposeBag = DisposeBag()
    private var scheduler: TestScheduler!

    override func setUp() {
        super.setUp()
        disposeBag = DisposeBag()
        scheduler = TestScheduler(initialClock: 0)
    }

    // MARK: View models under virtual time

    func testSearch_withDebounceAndFlatMapLatest_showsTheRows() {
        let service = FakeService()
        let query = scheduler.createHotObservable([
            .next(1, "s"), .next(2, "sw"), .next(10, "swift"), .next(20, "swift "), .next(30, "fail"),
        ])
        let refresh = scheduler.createHotObservable([.next(25, ())])
        let rows = scheduler.createObserver([Repository].self)
        let errors = scheduler.createObserver(String.self)
        let titles = scheduler.createObserver(String.self)
        SharingScheduler.mock(scheduler: scheduler) {
            let output = SearchViewModel(service: service).transform(
                .init(query: query.asObservable(), refresh: refresh.map { _ in }), scheduler: scheduler)
            output.rows.drive(rows).disposed(by: disposeBag)
            output.error.emit(to: errors).disposed(by: disposeBag)
            output.title.drive(onNext: { titles.onNext($0) }).disposed(by: disposeBag)
            output.isLoading.drive().disposed(by: disposeBag)
        }
        scheduler.start()
        XCTAssertEqual(service.queries, ["sw", "swift", "swift", "fail"])
        XCTAssertEqual(rows.events.compactMap { $0.value.element?.first?.name }, ["sw", "swift", "swift"])
        XCTAssertEqual(
            titles.events.compactMap { $0.value.element }, ["Results for sw", "Results for swift", "Results for fail"])
        XCTAssertEqual(errors.events.compactMap(\.value.element), ["offline"])
    }

    func testLogin_withCombineLatest_isValidAndSignsIn() {
        let model = LoginViewModel(service: FakeService())
        var valid: [Bool] = []
        var results: [Bool] = []
        model.isValid.subscribe(onNext: { valid.append($0) }).disposed(by: disposeBag)
        model.signedIn.bind { results.append($0) }.disposed(by: disposeBag)
        Observable.just("ada").bind(to: model.name).disposed(by: disposeBag)
        model.tap.onNext(())
        Observable.of("lov", "lovelace").bind(to: model.password).disposed(by: disposeBag)
        model.tap.onNext(())
        XCTAssertEqual(valid, [false, true])
        XCTAssertEqual(results, [false, true])
    }
}
