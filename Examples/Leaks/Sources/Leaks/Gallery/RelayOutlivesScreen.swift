import Rx

extension PlantedLeak {
    static let relayOutlivesScreen = PlantedLeak(
        "relay-outlives-screen",
        mistake: "A screen subscribes to a relay that outlives it, and never ends the subscription.",
        remedy: "Keep the subscription in the screen's bag and capture the screen weakly.",
        grade: .proven, names: ["Session.user", "AccountScreen"]
    ) { leaking in
        AccountScreen().open(leaking: leaking)
        Session.user.accept("Grace")
    }
}

private enum Session {
    /// Lives for the lifetime of the app.
    static let user = BehaviorRelay(value: "")
}

private final class AccountScreen {
    var greeting = ""
    let bag = DisposeBag()

    func open(leaking: Bool) {
        if leaking {
            _ = Session.user.subscribe(onNext: { self.greeting = $0 })
        } else {
            Session.user.subscribe(onNext: { [weak self] in self?.greeting = $0 }).disposed(by: bag)
        }
    }
}
