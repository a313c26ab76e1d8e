import Rx

/// The functions, files and lines of addresses, remembered once they were looked up.
package enum Symbols {
    private static let known = Guarded<[UInt: [StackFrame]]>([:])

    /// The calls that return to these addresses; several for an address in a function that was inlined.
    static func frames(of returnAddresses: [UInt]) -> [StackFrame] {
        let missing = known.withLock { known in Set(returnAddresses).filter { known[$0] == nil } }
        if !missing.isEmpty {
            let found = SymbolLookup.frames(of: Array(missing))
            known.withLock { $0.merge(found) { old, _ in old } }
        }
        return known.withLock { known in returnAddresses.flatMap { known[$0] ?? [.unknown($0)] } }
    }

    /// The function that the code at an address belongs to, such as a closure's entry point; the innermost one where it
    /// was inlined.
    package static func function(at address: UInt) -> StackFrame? {
        // A return address lies behind its call, so the look-up steps back by one; this is where the code itself lies.
        frames(of: [address + 1]).first
    }
}

extension StackFrame {
    /// A frame of which nothing is known but the address.
    static func unknown(_ address: UInt) -> StackFrame {
        StackFrame(address: address, function: "0x" + String(address, radix: 16), image: "")
    }
}
