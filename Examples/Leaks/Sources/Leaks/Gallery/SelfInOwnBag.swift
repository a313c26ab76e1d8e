import Rx

extension PlantedLeak {
    static let selfInOwnBag = PlantedLeak(
        "self-in-own-bag",
        mistake: "A closure captures self strongly, and its subscription is kept in self's own bag.",
        remedy: "Capture self weakly in the closure.",
        grade: .proven,
        names: [
            "ProfileScreen: .bag", "closure in ProfileScreen.open(leaking:)", "capture 'self' weakly in the closure",
        ]
    ) { leaking in
        let screen = ProfileScreen()
        screen.open(leaking: leaking)
        screen.name.accept("Ada")
    }
}

private final class ProfileScreen {
    let name = BehaviorRelay(value: "")
    var title = ""
    let bag = DisposeBag()

    func open(leaking: Bool) {
        if leaking {
            name.map { "Profile of \($0)" }.subscribe(onNext: { self.title = $0 }).disposed(by: bag)
        } else {
            name.map { "Profile of \($0)" }.subscribe(onNext: { [weak self] in self?.title = $0 }).disposed(by: bag)
        }
    }
}
