import Rx

extension PlantedLeak {
    static let groupSubscription = PlantedLeak(
        "group-subscription",
        mistake:
            """
            The sequence of groups is disposed with its screen, and the subscriptions to the groups, which keep \
            it, are not.
            """,
        remedy: "Keep the subscription to each group in the screen's bag too.",
        grade: .proven,
        names: ["Market.trades", "dispose the group's own subscription made at GroupSubscription.swift"]
    ) { leaking in
        let screen = TickerScreen()
        screen.open(leaking: leaking)
        Market.trades.onNext(Trade(symbol: "RX", price: 6))
    }
}

private struct Trade {
    let symbol: String
    let price: Int
}

private enum Market {
    /// Lives for the lifetime of the app.
    static let trades = PublishSubject<Trade>()
}

private final class TickerScreen {
    private var prices: [String: Int] = [:]
    private let bag = DisposeBag()

    func open(leaking: Bool) {
        let groups = Market.trades.groupBy { $0.symbol }
        groups.subscribe(onNext: { [weak self] group in self?.show(group, leaking: leaking) }).disposed(by: bag)
        Market.trades.onNext(Trade(symbol: "RX", price: 5))
    }

    private func show(_ group: GroupedObservable<String, Trade>, leaking: Bool) {
        if leaking {
            _ = group.subscribe(onNext: { self.prices[$0.symbol] = $0.price })
        } else {
            group.subscribe(onNext: { [weak self] in self?.prices[$0.symbol] = $0.price }).disposed(by: bag)
        }
    }
}
