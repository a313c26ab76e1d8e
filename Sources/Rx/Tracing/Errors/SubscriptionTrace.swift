#if TRACE_RESOURCES
    import CRx
#endif

/// The calls and operators of a subscription while it runs. They are reported if it ends with an error.
package struct SubscriptionTrace: Sendable {
    private enum Stack {
        case lines([String])
        case addresses([UInt])
    }

    private let stack: Stack
    private let assembled: [AssembledOperator]

    /// Returns the trace of a subscription that is being created, or `nil` unless `Hooks` requests traces.
    package static func capture(of source: ObservableBase) -> SubscriptionTrace? {
        Hooks.recordCallStackOnError ? SubscriptionTrace(of: source) : nil
    }

    private init(of source: ObservableBase) {
        stack =
            Hooks.capturesAddresses
            ? .addresses(CallNames.addresses()) : .lines(Hooks.customCaptureSubscriptionCallstack())
        assembled = AssembledOperator.chain(endingWith: source)
    }

    /// The calls that created the subscription, innermost first.
    private var lines: [String] {
        switch stack {
        case .lines(let lines): lines
        case .addresses(let addresses): CallNames.lines(of: addresses)
        }
    }

    /// Records that an error has ended the subscription. `Hooks.origin(of:)` then includes this trace. Returns the
    /// calls that created the subscription.
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

extension AssembledOperator {
    /// Returns the operators of a sequence, from its end to its sources, each before the operators that feed it.
    /// Returns at most 256 operators.
    ///
    /// O(n) for *n* operators, at a few microseconds each. An operator's sources are found by reflection, so that
    /// operators do not have to report them.
    static func chain(endingWith last: ObservableBase) -> [AssembledOperator] {
        #if TRACE_RESOURCES
            var chain: [AssembledOperator] = []
            var waiting: [(observable: ObservableBase, depth: Int)] = [(last, 0)]
            while let (observable, depth) = waiting.popLast(), chain.count < 256 {
                chain.append(
                    AssembledOperator(name: name(of: observable), depth: depth, addresses: addresses(of: observable)))
                waiting += sources(of: observable).reversed().map { ($0, depth + 1) }
            }
            return chain
        #else
            return []
        #endif
    }

    #if TRACE_RESOURCES
        private static func name(of observable: ObservableBase) -> String {
            let parts = rx_parts_of(observable.resourceType)
            return parts.operator_name.map { String(cString: $0) } ?? "\(type(of: observable))"
        }

        private static func addresses(of observable: ObservableBase) -> [UInt] {
            var resource = rx_resource()
            let (tag, registered) = (observable.tag, UInt32(0x8000_0000))
            guard tag & registered != 0, rx_registry_read(tag & ~registered, &resource), resource.stack != 0 else {
                return []
            }
            return [UInt](unsafeUninitializedCapacity: Int(rx_stack_depth)) { buffer, count in
                if let start = buffer.baseAddress {
                    count = Int(rx_stack_addresses(resource.stack, start, UInt32(buffer.count)))
                }
            }
        }

        /// Returns the observables among an observable's properties, including the members of collections.
        private static func sources(of observable: ObservableBase) -> [ObservableBase] {
            var mirror: Mirror? = Mirror(reflecting: observable)
            var sources: [ObservableBase] = []
            while let current = mirror {
                for (_, value) in current.children {
                    if let source = value as? ObservableBase {
                        sources.append(source)
                    } else {
                        sources += value as? [ObservableBase] ?? []
                    }
                }
                mirror = current.superclassMirror
            }
            return sources
        }
    #endif
}
