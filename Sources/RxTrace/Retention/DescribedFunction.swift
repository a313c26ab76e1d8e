#if os(Linux)
    import CRx
    import Rx

    /// A closure as the binary's debug information describes it.
    struct DescribedFunction {
        /// Where it is declared.
        let place: SourceLines.Place?
        private let parameters: [String]

        /// `nil` where the binary says nothing of it. The first time for a closure takes some milliseconds.
        ///
        /// - Parameter symbol: the closure, or what forwards to it.
        static func of(_ symbol: SymbolTable.Symbol) -> DescribedFunction? {
            // Without what makes it a forwarder, a part of an asynchronous function or a pointer to one.
            let closure = symbol.name.replacing(#/(TA|Tu|T[YQ]\d*_)+$/#, with: "")
            if let described = known.withLock({ $0[closure] }) { return described }
            // Optimised, what forwards to it may stand in another file's unit.
            let address = SymbolTable.address(of: closure, inImageOf: symbol.address) ?? symbol.address
            let described = DescribedFunction(closure, at: address)
            known.withLock { $0[closure] = .some(described) }
            return described
        }

        private static let known = Guarded<[String: DescribedFunction?]>([:])

        private init?(_ closure: String, at address: UInt) {
            var found = rx_described_function()
            guard rx_function_described(address, closure, &found) else { return nil }
            place = SourceLines.place(found.place)
            parameters = (0..<found.count).compactMap { rx_parameter_name(&found, $0).map { String(cString: $0) } }
        }

        /// The variable behind one of so many captures, which are the last parameters, in their order.
        func variable(ofCapture index: Int, among count: Int) -> String? {
            guard index >= 0, index < count, count <= parameters.count else { return nil }
            return parameters[parameters.count - count + index]
        }
    }
#endif
