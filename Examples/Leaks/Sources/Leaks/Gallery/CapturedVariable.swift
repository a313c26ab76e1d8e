import Rx

extension PlantedLeak {
    static let capturedVariable = PlantedLeak(
        "captured-variable",
        mistake:
            "A closure captures a variable that holds a player, and its subscription is kept in that player's bag.",
        remedy: "Set the variable to nil at the end, or capture the player weakly.",
        grade: .proven, names: ["Player: .bag", "play(leaking:)", "capture 'current' weakly in the closure"]
    ) { leaking in
        play(leaking: leaking)
    }

    private static func play(leaking: Bool) {
        var current: Player? = Player()
        current?.start { current?.position = $0 }
        current?.time.onNext(1)
        if !leaking { current = nil }
    }
}

private final class Player {
    let time = PublishSubject<Int>()
    var position = 0
    private let bag = DisposeBag()

    func start(_ onTime: @escaping (Int) -> Void) { time.subscribe(onNext: onTime).disposed(by: bag) }
}
