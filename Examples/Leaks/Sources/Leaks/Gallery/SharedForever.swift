import Rx

extension PlantedLeak {
    static let sharedForever = PlantedLeak(
        "shared-forever",
        mistake:
            "A sequence is shared with 'share(replay:scope: .forever)', and a subscription to it is never disposed.",
        remedy:
            "Dispose the subscription, and share with '.whileConnected' unless late subscribers need the last value.",
        grade: .proven, names: ["ExchangeRates.updates"]
    ) { leaking in
        let latest = ExchangeRates.updates.map { $0 * 1.1 }.share(replay: 1, scope: .forever)
        let subscription = latest.subscribe(onNext: { _ in })
        ExchangeRates.updates.onNext(1.25)
        if !leaking { subscription.dispose() }
    }
}

private enum ExchangeRates {
    /// Lives for the lifetime of the app.
    static let updates = PublishSubject<Double>()
}
