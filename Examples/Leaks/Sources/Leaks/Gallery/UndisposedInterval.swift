import Rx

extension PlantedLeak {
    static let undisposedInterval = PlantedLeak(
        "undisposed-interval",
        mistake: "An interval is subscribed to and never disposed, so that its scheduler holds it for good.",
        remedy: "Keep the subscription in a bag that goes with the screen.",
        grade: .likely, names: ["StopwatchScreen"]
    ) { leaking in
        let screen = StopwatchScreen()
        screen.start(leaking: leaking)
    }
}

private final class StopwatchScreen {
    private static let scheduler = SerialDispatchQueueScheduler(qos: .utility)
    var seconds = 0
    let bag = DisposeBag()

    func start(leaking: Bool) {
        let ticks = Observable<Int>.interval(.seconds(60), scheduler: Self.scheduler)
        if leaking {
            _ = ticks.subscribe(onNext: { self.seconds = $0 })
        } else {
            ticks.subscribe(onNext: { [weak self] in self?.seconds = $0 }).disposed(by: bag)
        }
    }
}
