import Rx

extension PlantedLeak {
    static let privateRows = PlantedLeak(
        "private-rows",
        mistake:
            "A closure over a private type captures self strongly, and its subscription is kept in self's own bag.",
        remedy: "Capture self weakly in the closure.",
        grade: .proven,
        names: ["RowScreen: .bag", "closure in RowScreen.open(leaking:)", "capture 'self' weakly in the closure"]
    ) { leaking in
        let screen = RowScreen()
        screen.open(leaking: leaking)
        screen.rows.onNext(Row(title: "First"))
    }
}

private struct Row { let title: String }

private final class RowScreen {
    let rows = PublishSubject<Row>()
    private var titles: [String] = []
    private let bag = DisposeBag()

    func open(leaking: Bool) {
        if leaking {
            rows.subscribe(onNext: { row in self.titles.append(row.title) }).disposed(by: bag)
        } else {
            rows.subscribe(onNext: { [weak self] row in self?.titles.append(row.title) }).disposed(by: bag)
        }
    }
}
