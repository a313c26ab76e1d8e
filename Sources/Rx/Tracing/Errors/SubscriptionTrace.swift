/// What is known of a subscription while it runs, to be told if it ends with an error.
package struct SubscriptionTrace: Sendable {
    private enum Stack {
        case lines([String])
        case addresses([UInt])
    }

    private let stack: Stack
    private let assembled: [AssembledOperator]

    /// The trace of a subscription that is being made; `nil` unless `Hooks` asks for it.
    package static func capture(of source: ObservableBase) -> SubscriptionTrace? {
        Hooks.recordCallStackOnError ? SubscriptionTrace(of: source) : nil
    }

    private init(of source: ObservableBase) {
        stack =
            Hooks.capturesAddresses
            ? .addresses(CallNames.addresses()) : .lines(Hooks.customCaptureSubscriptionCallstack())
        assembled = AssembledOperator.chain(endingWith: source)
    }

    /// The calls that made the subscription, innermost first.
    private var lines: [String] {
        switch stack {
        case .lines(let lines): lines
        case .addresses(let addresses): CallNames.lines(of: addresses)
        }
    }

    /// An error has ended the subscription: from now on `Hooks.origin(of:)` tells of it. The calls that made the
    /// subscription.
    @discardableResult
    package func ended(with error: any Error) -> [String] {
        let lines = lines
        ErrorOrigins.origin(of: error) { origin in
            origin.subscribed = lines
            origin.assembled = assembled
        }
        return lines
    }
}
