import RxCocoa
import RxRelay
import RxSwift

/// Pages of a list, loaded one at a time.
public final class Pager<Item> {
    public let loadNext = PublishRelay<Void>()
    public let items: Driver<[Item]>

    private let loaded = BehaviorRelay<[Item]>(value: [])
    private let disposeBag = DisposeBag()

    public init(load: @escaping (Int) -> Single<[Item]>) {
        items = loaded.asDriver()
        loadNext
            .scan(0) { page, _ in page + 1 }
            .concatMap { page in load(page).catchAndReturn([]) }
            .withLatestFrom(loaded) { (new: [Item], old: [Item]) in old + new }
            .bind(to: loaded)
            .disposed(by: disposeBag)
    }
}
