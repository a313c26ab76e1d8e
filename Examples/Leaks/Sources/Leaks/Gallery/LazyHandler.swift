import Rx

extension PlantedLeak {
    static let lazyHandler = PlantedLeak(
        "lazy-handler",
        mistake: "A lazy property keeps a closure that captures self strongly.",
        remedy: "Capture self weakly in the closure.",
        grade: .proven,
        names: ["CounterScreen: .onTap", "closure in CounterScreen.onTap", "capture 'self' weakly in the closure"]
    ) { leaking in
        let screen = CounterScreen()
        if leaking { screen.onTap() } else { screen.onTapWeakly() }
    }
}

private final class CounterScreen {
    let taps = BehaviorRelay(value: 0)

    lazy var onTap: () -> Void = { self.taps.accept(self.taps.value + 1) }

    lazy var onTapWeakly: () -> Void = { [weak self] in
        guard let self else { return }
        taps.accept(taps.value + 1)
    }
}
