import Rx

extension PlantedLeak {
    static let unretainedReplay = PlantedLeak(
        "unretained-replay",
        mistake:
            "'withUnretained(self)' stands before a replay, whose buffer keeps the pair of self and the last element.",
        remedy: "Map the pair to what is needed of it before it is replayed.",
        grade: .likely, names: ["SearchScreen: .", "ReplaySubject<(SearchScreen, String)>"]
    ) { leaking in
        let screen = SearchScreen()
        screen.open(leaking: leaking)
        screen.query.onNext("rx")
    }
}

private final class SearchScreen {
    let query = PublishSubject<String>()
    private var titles = Observable<String>.never()
    private var title = ""
    private let bag = DisposeBag()

    func open(leaking: Bool) {
        if leaking {
            titles = query.withUnretained(self).share(replay: 1, scope: .forever).map { $0.title(of: $1) }
        } else {
            titles = query.withUnretained(self).map { $0.title(of: $1) }.share(replay: 1, scope: .forever)
        }
        titles.subscribe(onNext: { [weak self] in self?.title = $0 }).disposed(by: bag)
    }

    private func title(of query: String) -> String { "Results for \(query)" }
}
