import Rx

/// The value of one unit of each currency.
public struct Rates: Sendable {
    private let worth: [String: Double]

    /// Creates rates that change slightly with each tick.
    init(tick: Int) {
        worth = ["EUR": 1, "USD": 1 / (1.08 + 0.0001 * Double(tick % 100)), "CHF": 1.05]
    }

    /// Returns `nil` if one of the currencies is unknown.
    func amount(of query: Query) -> Double? {
        guard let from = worth[query.from], let to = worth[query.to] else { return nil }
        return query.amount * from / to
    }

    /// Sends the current rates, and new rates after each `period`. All running requests share one clock.
    public static func changing(every period: RxTimeInterval, on scheduler: any SchedulerType) -> Observable<Rates> {
        Observable<Int>.interval(period, scheduler: scheduler).map { $0 + 1 }.startWith(0)
            .map(Rates.init(tick:))
            .share(replay: 1)
    }
}

/// A client's request.
struct Query: Sendable {
    let amount: Double
    let from: String
    let to: String
}
