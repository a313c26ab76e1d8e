#if os(Linux)
import Foundation
import Runtime
import Rx

/// Looks addresses up in the symbol tables and debug information of this process's images, with the toolchain's `Runtime` module.
enum SymbolLookup {
    /// The images when they were asked for last; libraries may have been loaded since.
    private static let images = Guarded<ImageMap?>(nil)

    /// The frames of each address, the innermost first: one, or several where functions were inlined. 0.1 ms an address, and some
    /// milliseconds for the first of an image.
    static func frames(of returnAddresses: [UInt]) -> [UInt: [StackFrame]] {
        guard let backtrace = backtrace(through: returnAddresses),
            let symbolicated = backtrace.symbolicated(with: images(holding: returnAddresses)) else { return [:] }
        var result: [UInt: [StackFrame]] = [:]
        var rest = returnAddresses[...]
        var inlined: [StackFrame] = []
        for frame in symbolicated.frames {
            guard let address = rest.first else { break }
            if let named = stackFrame(frame, at: address) { inlined.append(named) }
            // The function into which the others were inlined comes last.
            if frame.inlined { continue }
            result[address] = inlined
            inlined = []
            rest = rest.dropFirst()
        }
        return result
    }

    /// Where the first of these instructions was written that has a line; of functions that were inlined into each other, the outermost.
    static func place(ofCodeAt addresses: [UInt]) -> StackFrame? {
        let returns = addresses.map { $0 + 1 }
        guard let symbolicated = backtrace(through: returns)?.symbolicated(with: images(holding: returns)) else { return nil }
        var rest = returns[...], found: StackFrame?
        for frame in symbolicated.frames {
            guard let address = rest.first else { break }
            if let symbol = frame.symbol, let location = symbol.sourceLocation, location.line > 0, !location.path.hasSuffix("<compiler-generated>") {
                found = StackFrame(address: address, function: symbol.name, file: location.path, line: location.line, image: symbol.imageName)
            }
            if frame.inlined { continue }
            if let found { return found }
            rest = rest.dropFirst()
        }
        return found
    }

    private static func images(holding addresses: [UInt]) -> ImageMap {
        if let known = images.withLock({ $0 }), addresses.allSatisfy({ known.indexOfImage(at: .init(UInt64($0))) != nil }) { return known }
        let captured = ImageMap.capture()
        images.withLock { $0 = captured }
        return captured
    }

    /// `nil` for a frame that says nothing: a thunk, a check that the compiler has put in.
    private static func stackFrame(_ frame: SymbolicatedBacktrace.Frame, at address: UInt) -> StackFrame? {
        guard let symbol = frame.symbol else { return .unknown(address) }
        if symbol.isSwiftThunk || symbol.isSwiftRuntimeFailure { return nil }
        let location = symbol.sourceLocation.flatMap { $0.line > 0 && !$0.path.isEmpty ? $0 : nil }
        return StackFrame(
            address: address, function: symbol.name, file: location?.path, line: location?.line, image: symbol.imageName,
            isInternal: MangledName.isInternal(symbol.rawName) || isOfSystem(symbol.imageName))
    }

    private static func isOfSystem(_ image: String) -> Bool {
        ["libswift", "libdispatch", "libFoundation", "lib_Foundation", "libc.", "libpthread", "libXCTest", "libTesting"].contains { image.hasPrefix($0) }
    }

    /// A backtrace through given addresses.
    ///
    /// `Runtime` makes none of other people's addresses; but it reads what it has written. The format is that of "Compact Backtrace Format"
    /// (Swift, docs/CompactBacktraceFormat.rst): 0x02 says that words take 64 bits, 0x27 that eight bytes follow, the highest first, of the
    /// difference between this return address and the last.
    private static func backtrace(through addresses: [UInt]) -> Backtrace? {
        var bytes: [UInt8] = [0x02]
        var last: UInt64 = 0
        for address in addresses {
            bytes.append(0x27)
            withUnsafeBytes(of: (UInt64(address) &- last).bigEndian) { bytes.append(contentsOf: $0) }
            last = UInt64(address)
        }
        bytes.append(0)
        let text = Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: "")
#if arch(x86_64)
        let architecture = "x86_64"
#elseif arch(arm64)
        let architecture = "arm64"
#else
        let architecture = "unknown"
#endif
        let json = #"{"architecture":"\#(architecture)","backtrace":"\#(text)"}"#
        return try? JSONDecoder().decode(Backtrace.self, from: Data(json.utf8))
    }
}
#else
import Darwin

/// Looks addresses up in the symbol tables of this process's images. Files and lines are unavailable here: that takes the toolchain's
/// `Runtime` module, which this package uses on Linux alone.
enum SymbolLookup {
    /// The frame of each address.
    static func frames(of returnAddresses: [UInt]) -> [UInt: [StackFrame]] {
        var result: [UInt: [StackFrame]] = [:]
        for address in returnAddresses {
            var information = Dl_info()
            guard dladdr(UnsafeRawPointer(bitPattern: address - 1), &information) != 0, let symbol = information.dli_sname else { continue }
            let name = String(cString: symbol)
            let path = information.dli_fname.map { String(cString: $0) } ?? ""
            result[address] = [StackFrame(address: address, function: name, image: String(path.split(separator: "/").last ?? ""), isInternal: MangledName.isInternal(name))]
        }
        return result
    }
}
#endif
