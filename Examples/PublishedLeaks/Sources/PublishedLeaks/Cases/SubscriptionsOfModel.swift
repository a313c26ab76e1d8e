import OpenCombine

extension PublishedLeak {
    /// A common report about `store(in:)` of Combine: a model that lives long adds a subscription for each request to a
    /// set, and the set keeps subscriptions that have completed. The published mend keeps only the latest in a
    /// property.
    static let subscriptionsOfModel = PublishedLeak(
        name: "subscriptions-of-model",
        expected: Expectation(
            "AnyCancellable", heldBy: "WeatherModel.cancellables", change: "WeatherModel.cancellables"),
        innocents: { count in (0..<count).map { _ in AnyCancellable {} } },
        leaky: .synchronous { WeatherModel.shared.refresh() },
        fixed: .synchronous { WeatherModel.shared.refreshLatest() })
}

private struct WeatherService {
    func temperature() -> Future<Double, Never> { Future { $0(.success(21)) } }
}

private final class WeatherModel {
    static let shared = WeatherModel()

    private let service = WeatherService()
    private var temperature = 0.0
    private var cancellables: Set<AnyCancellable> = []
    private var latest: AnyCancellable?

    func refresh() {
        service.temperature()
            .sink { [weak self] in self?.temperature = $0 }
            .store(in: &cancellables)
    }

    func refreshLatest() {
        latest = service.temperature()
            .sink { [weak self] in self?.temperature = $0 }
    }
}
