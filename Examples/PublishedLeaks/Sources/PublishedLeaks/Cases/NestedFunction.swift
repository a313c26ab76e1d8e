extension PublishedLeak {
    /// A common report about nested functions: a local function that uses a property captures `self` without a capture
    /// list, and it is stored as a callback. The published mend is a closure with `[weak self]`.
    static let nestedFunction = PublishedLeak(
        name: "nested-function",
        expected: Expectation(
            "MapScreen", heldBy: "LocationService.onUpdate", "MapScreen.service", change: "closure in move"),
        innocents: { count in
            (0..<count).map { _ in
                let screen = MapScreen()
                screen.openWeakly()
                return screen
            }
        },
        leaky: .synchronous {
            let screen = MapScreen()
            screen.open()
            screen.simulate()
        },
        fixed: .synchronous {
            let screen = MapScreen()
            screen.openWeakly()
            screen.simulate()
        })
}

private final class LocationService {
    var onUpdate: ((Double, Double) -> Void)?
}

private final class MapScreen {
    private let service = LocationService()
    private var center = (latitude: 0.0, longitude: 0.0)

    func open() {
        func move(latitude: Double, longitude: Double) {
            center = (latitude, longitude)
        }
        service.onUpdate = move
    }

    func openWeakly() {
        service.onUpdate = { [weak self] latitude, longitude in self?.center = (latitude, longitude) }
    }

    func simulate() { service.onUpdate?(52.5, 13.4) }
}
