import CRx

/// Puts return addresses into words.
package enum CallNames {
    /// Names functions, files and lines.
    package struct Namer: Sendable {
        /// A line for each call, innermost first. It may leave out or add some: calls that nobody has written, calls
        /// that were inlined.
        let lines: @Sendable (_ addresses: [UInt]) -> [String]
        /// Where a chain was put together: the place of the first call outside this library.
        let place: @Sendable (_ addresses: [UInt]) -> String?

        package init(lines: @escaping @Sendable ([UInt]) -> [String], place: @escaping @Sendable ([UInt]) -> String?) {
            self.lines = lines
            self.place = place
        }
    }

    private static let namer = Guarded<Namer?>(nil)

    /// The namer of calls in this process; `nil` until `RxTrace` sets it. Then subscriptions keep addresses in place of
    /// text.
    package static var current: Namer? {
        get { namer.withLock { $0 } }
        set { namer.change { $0 = newValue } }
    }

    /// The return addresses of the calls that led here, innermost first.
    static func addresses() -> [UInt] {
        [UInt](unsafeUninitializedCapacity: Int(rx_stack_depth)) { buffer, count in
            if let start = buffer.baseAddress { count = Int(rx_stack_walk(start, UInt32(buffer.count))) }
        }
    }

    static func lines(of addresses: [UInt]) -> [String] {
        current?.lines(addresses) ?? addresses.map(position)
    }

    static func place(of addresses: [UInt]) -> String? { addresses.isEmpty ? nil : current?.place(addresses) }

    /// `libApp.so+0x1f40`: the file, and how far into it.
    private static func position(of address: UInt) -> String {
        // The call ends before the address that it returns to.
        let call = address - 1
        var offset: UInt = 0
        guard let path = rx_image_of(call, &offset) else { return "0x" + String(call, radix: 16) }
        let file = String(cString: path).split(separator: "/").last ?? ""
        return "\(file)+0x" + String(offset, radix: 16)
    }
}
