import OpenCombine

extension PublishedLeak {
    /// A common report about `sink` and `store(in:)` of Combine: the closure of a sink captures `self`, and `self`
    /// keeps the subscription. The published mend is `[weak self]`.
    static let sinkInOwnSet = PublishedLeak(
        name: "sink-in-own-set",
        expected: Expectation(
            // The basket keeps the sink, too, and the model keeps the basket.
            "BasketViewModel", heldBy: "BasketViewModel.subscriptions", "Basket.prices",
            change: "closure in BasketViewModel.observe()"),
        innocents: { count in
            (0..<count).map { _ in
                let model = BasketViewModel(basket: Basket())
                model.observeWeakly()
                return model
            }
        },
        leaky: .synchronous {
            let basket = Basket()
            let model = BasketViewModel(basket: basket)
            model.observe()
            basket.add(price: 12)
        },
        fixed: .synchronous {
            let basket = Basket()
            let model = BasketViewModel(basket: basket)
            model.observeWeakly()
            basket.add(price: 12)
        })
}

private final class Basket {
    let prices = CurrentValueSubject<[Int], Never>([])

    func add(price: Int) { prices.value.append(price) }
}

private final class BasketViewModel {
    private(set) var total = "0 EUR"
    private let basket: Basket
    private var subscriptions: Set<AnyCancellable> = []

    init(basket: Basket) { self.basket = basket }

    func observe() {
        basket.prices
            .map { $0.reduce(0, +) }
            .sink { sum in self.total = "\(sum) EUR" }
            .store(in: &subscriptions)
    }

    func observeWeakly() {
        basket.prices
            .map { $0.reduce(0, +) }
            .sink { [weak self] sum in self?.total = "\(sum) EUR" }
            .store(in: &subscriptions)
    }
}
