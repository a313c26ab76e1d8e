import Rx

extension PlantedLeak {
    static let methodReference = PlantedLeak(
        "method-reference",
        mistake:
            """
            A method is given for a closure, which captures self strongly, and the subscription is kept in self's \
            own bag.
            """,
        remedy: "Write a closure that captures self weakly and calls the method.",
        grade: .proven,
        names: [
            "ResultScreen: .bag", "closure in ResultScreen.open(leaking:)",
            "instead of the method at MethodReference.swift",
        ]
    ) { leaking in
        let screen = ResultScreen()
        screen.open(leaking: leaking)
        screen.results.onNext(["Ada"])
    }
}

private final class ResultScreen {
    let results = PublishSubject<[String]>()
    private var shown: [String] = []
    private let bag = DisposeBag()

    func open(leaking: Bool) {
        if leaking {
            results.subscribe(onNext: show).disposed(by: bag)
        } else {
            results.subscribe(onNext: { [weak self] in self?.show($0) }).disposed(by: bag)
        }
    }

    private func show(_ results: [String]) { shown = results }
}
