extension PublishedLeak {
    /// A common report about hand-written observables and cells that are reused: each reuse binds the cell again, and
    /// the earlier closures stay although they capture the cell weakly. The published mend removes them before it
    /// binds.
    static let reusedCellBindings = PublishedLeak(
        name: "reused-cell-bindings",
        expected: Expectation(
            "closure", heldBy: "Observable<Double>.listeners", change: "Observable<Double>.listeners"),
        innocents: { count in
            let price = Observable(1.0)
            return (0..<count).map { _ in
                let cell = PriceCell()
                cell.bind(to: price)
                return cell
            }
        },
        replacesInnocents: false,
        leaky: .synchronous {
            Ticker.shared.cell.bind(to: Ticker.shared.price)
            Ticker.shared.price.value += 1
        },
        fixed: .synchronous {
            Ticker.shared.price.removeListeners()
            Ticker.shared.cell.bind(to: Ticker.shared.price)
            Ticker.shared.price.value += 1
        })
}

private final class Observable<Value> {
    var value: Value {
        didSet { listeners.forEach { $0(value) } }
    }
    private var listeners: [(Value) -> Void] = []

    init(_ value: Value) { self.value = value }

    func bind(_ listener: @escaping (Value) -> Void) {
        listeners.append(listener)
        listener(value)
    }

    func removeListeners() { listeners.removeAll() }
}

private final class PriceCell {
    private var text = ""

    func bind(to price: Observable<Double>) {
        price.bind { [weak self] value in self?.text = "\(value) EUR" }
    }
}

private final class Ticker {
    static let shared = Ticker()

    let price = Observable(10.0)
    let cell = PriceCell()
}
