extension PublishedLeak {
    /// A common report about state machines: a case of an enumeration carries a closure that captures the machine, and
    /// the machine stays in this case. The published mend is `[weak self]`.
    static let stateWithClosure = PublishedLeak(
        name: "state-with-closure",
        expected: Expectation(
            "PaymentMachine", heldBy: "PaymentMachine.state", change: "closure in PaymentMachine.start()"),
        innocents: { count in
            (0..<count).map { _ in
                let machine = PaymentMachine()
                machine.startWeakly()
                return machine
            }
        },
        leaky: .synchronous {
            let machine = PaymentMachine()
            machine.start()
            _ = machine.isBusy
        },
        fixed: .synchronous {
            let machine = PaymentMachine()
            machine.startWeakly()
            _ = machine.isBusy
        })
}

private final class Receipt {
    let cents: Int

    init(cents: Int) { self.cents = cents }
}

private final class PaymentMachine {
    private enum State {
        case idle
        case authorizing(attempt: Int, completion: (Receipt) -> Void)
        case paid(Receipt)
        case failed(String)
    }

    private var state = State.idle

    var isBusy: Bool { if case .authorizing = state { true } else { false } }

    func start() {
        state = .authorizing(attempt: 1, completion: { receipt in self.state = .paid(receipt) })
    }

    func startWeakly() {
        state = .authorizing(attempt: 1, completion: { [weak self] receipt in self?.state = .paid(receipt) })
    }

    func receive(_ receipt: Receipt?) {
        guard case .authorizing(_, let completion) = state else { return }
        if let receipt { completion(receipt) } else { state = .failed("declined") }
    }
}
