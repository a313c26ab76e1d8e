/// The functions, files and lines of addresses. Results are stored, so that each address is looked up only once.
enum Symbols {
    private static let known = Locked<[UInt: [StackFrame]]>([:])

    /// The calls that return to these addresses. An address in an inlined function has several calls.
    static func frames(of returnAddresses: [UInt]) -> [StackFrame] {
        let missing = known.withLock { known in Set(returnAddresses).filter { known[$0] == nil } }
        if !missing.isEmpty {
            let found = SymbolLookup.frames(of: Array(missing))
            known.withLock { $0.merge(found) { old, _ in old } }
        }
        return known.withLock { known in returnAddresses.flatMap { known[$0] ?? [.unknown($0)] } }
    }
}

extension StackFrame {
    /// A frame of which only the address is known.
    static func unknown(_ address: UInt) -> StackFrame {
        StackFrame(address: address, function: "0x" + String(address, radix: 16), image: "")
    }

    /// Returns the demangled name of a function. The runtime omits the place of a closure outside all functions.
    static func complete(_ name: String) -> String { name.hasSuffix(" in ") ? name + "top-level code" : name }
}

#if os(Linux)
    import CRxTrace
    import Foundation
    import Runtime

    /// Looks addresses up in the symbol tables and debug information of this process's images, with the toolchain's
    /// `Runtime` module.
    enum SymbolLookup {
        /// The images at the last request. Libraries may have been loaded since then.
        private static let images = Locked<ImageMap?>(nil)

        /// Returns the frames of each address, the innermost first. An address has several frames if functions were
        /// inlined. A lookup takes microseconds to some milliseconds for each address, and some milliseconds more for
        /// the first address of an image.
        static func frames(of returnAddresses: [UInt]) -> [UInt: [StackFrame]] {
            functions(at: returnAddresses).reduce(into: [:]) { result, named in
                result[named.address] =
                    named.functions.isEmpty
                    ? [.unknown(named.address)] : named.functions.compactMap { stackFrame($0, at: named.address) }
            }
        }

        /// Returns the source line of the first of these instructions that has one. If functions were inlined, it is
        /// the line in the outermost function.
        static func place(ofCodeAt addresses: [UInt]) -> StackFrame? {
            for named in functions(at: addresses.map { $0 + 1 }) {
                let isWritten = { (place: SourceLines.Location) in
                    place.line > 0 && !place.path.hasSuffix("<compiler-generated>")
                }
                guard let (symbol, place) = named.functions.last(where: { $0.place.map(isWritten) ?? false }), let place
                else { continue }
                return StackFrame(
                    address: named.address, function: symbol.name, file: place.path, line: place.line,
                    image: symbol.imageName)
            }
            return nil
        }

        typealias Function = (symbol: SymbolicatedBacktrace.Symbol, place: SourceLines.Location?)

        /// An address, and its functions, the innermost first. There are no functions if no symbol is known.
        typealias Named = (address: UInt, functions: [Function])

        /// Returns the functions at addresses. `Runtime` provides the names. It provides places and inlined functions
        /// only for addresses that the line tables of this package do not cover, because it runs all line programs of
        /// an image for each address.
        static func functions(at returnAddresses: [UInt]) -> [Named] {
            let images = images(holding: returnAddresses)
            let answers = returnAddresses.map { SourceLines.at($0 &- 1) }
            let elsewhere = zip(returnAddresses, answers).filter { $1 == .elsewhere }.map(\.0)
            let theirs = Dictionary(functions(at: elsewhere, images, .default), uniquingKeysWith: { one, _ in one })
            return zip(functions(at: returnAddresses, images, .useSymbolCache), answers).map { named, answer in
                if let known = theirs[named.address] { return (named.address, known) }
                guard let function = named.functions.last else { return named }
                return (named.address, placed(function.symbol, answer))
            }
        }

        /// Returns a function, and before it the functions that were inlined into it. The place of the innermost
        /// function is the place of the code. The place of each other function is the place of its call of the function
        /// before it.
        private static func placed(_ function: SymbolicatedBacktrace.Symbol, _ answer: SourceLines.Answer) -> [Function]
        {
            guard case .found(var place, let inlined) = answer else { return [(function, nil)] }
            var functions: [Function] = []
            for one in inlined {
                let symbol = SymbolicatedBacktrace.Symbol(
                    imageIndex: function.imageIndex, imageName: function.imageName, rawName: one.name, offset: 0,
                    sourceLocation: nil)
                functions.append((symbol, place))
                place = one.call
            }
            return functions + [(function, place)]
        }

        /// Returns the functions at addresses from `Runtime` alone.
        static func functions(
            at returnAddresses: [UInt], _ images: ImageMap, _ options: Backtrace.SymbolicationOptions
        ) -> [Named] {
            guard !returnAddresses.isEmpty,
                let symbolicated = backtrace(through: returnAddresses)?.symbolicated(with: images, options: options)
            else { return [] }
            var result: [Named] = []
            var rest = returnAddresses[...]
            var functions: [Function] = []
            for frame in symbolicated.frames {
                guard let address = rest.first else { break }
                if let symbol = frame.symbol {
                    functions.append((symbol, symbol.sourceLocation.map { .init(path: $0.path, line: $0.line) }))
                }
                // The function into which the others were inlined comes last.
                if frame.inlined { continue }
                result.append((address, functions))
                functions = []
                rest = rest.dropFirst()
            }
            return result
        }

        static func images(holding addresses: [UInt]) -> ImageMap {
            if let known = images.withLock({ $0 }),
                addresses.allSatisfy({ known.indexOfImage(at: .init(UInt64($0))) != nil })
            {
                return known
            }
            let loaded = ImageMap.loaded()
            images.withLock { $0 = loaded }
            return loaded
        }

        /// `nil` for a frame that is of no interest: a thunk, or a check that the compiler has inserted.
        private static func stackFrame(_ function: Function, at address: UInt) -> StackFrame? {
            let symbol = function.symbol
            if symbol.isSwiftThunk || symbol.isSwiftRuntimeFailure { return nil }
            let place = function.place.flatMap { $0.line > 0 && !$0.path.isEmpty ? $0 : nil }
            return StackFrame(
                address: address, function: StackFrame.complete(symbol.name), file: place?.path, line: place?.line,
                image: symbol.imageName,
                isInternal: MangledName.isInternal(symbol.rawName) || StackFrame.isOfSystem(image: symbol.imageName)
                    || StackFrame.isOfTestRunner(symbol.name, path: place?.path ?? ""))
        }

        /// A backtrace through given addresses.
        ///
        /// `Runtime` has no initialiser for a backtrace from given addresses, but it can decode a backtrace. The format
        /// is the "Compact Backtrace Format" (Swift, docs/CompactBacktraceFormat.rst): 0x02 states that words take 64
        /// bits. 0x27 states that eight bytes follow, the highest first: the difference between this return address and
        /// the previous one.
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

    extension ImageMap {
        /// The images of this process, as the loader lists them.
        ///
        /// `capture()` reads memory that is mapped into the process. It crashes if another thread unmaps a file or a
        /// library at the same time.
        static func loaded() -> ImageMap {
            var capacity = 64
            while true {
                let images = UnsafeMutablePointer<rxtrace_listed_image>.allocate(capacity: capacity)
                defer { images.deallocate() }
                let count = rxtrace_images_list(images, capacity)
                if count <= capacity { return ImageMap(UnsafeBufferPointer(start: images, count: count)) }
                capacity = count * 2
            }
        }

        /// `Runtime` has no initialiser for an image map from a given list, but it can decode an image map. The format
        /// is the "Compact ImageMap Format" (Swift, docs/CompactImageMapFormat.rst): 0x02 states that words take 64
        /// bits. The platform, the number of images, and the images in the order of their addresses follow.
        init(_ images: UnsafeBufferPointer<rxtrace_listed_image>) {
            var bytes: [UInt8] = [0x02]
            let platform = "Linux".utf8
            bytes.append(count: platform.count)
            bytes.append(contentsOf: platform)
            bytes.append(count: images.count)
            for image in images.sorted(by: { $0.start < $1.start }) { bytes.append(image) }
            let text = Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: "")
            let decoded = try? JSONDecoder().decode(ImageMap.self, from: Data("\"\(text)\"".utf8))
            self = decoded ?? .capture()
        }
    }

    extension [UInt8] {
        /// Appends a number with seven bits in each byte, the highest first. All bytes except the last have the eighth
        /// bit set.
        fileprivate mutating func append(count: Int) {
            let groups = Swift.max(1, (count.bitWidth - count.leadingZeroBitCount + 6) / 7)
            for group in (0..<groups).reversed() {
                append(UInt8(count >> (7 * group) & 0x7F) | (group > 0 ? 0x80 : 0))
            }
        }

        fileprivate mutating func append(_ image: rxtrace_listed_image) {
            // Eight bytes for the start, and eight bytes for the distance from the start to the end.
            append(0x3F)
            Swift.withUnsafeBytes(of: UInt64(image.start).bigEndian) { append(contentsOf: $0) }
            Swift.withUnsafeBytes(of: UInt64(image.end - image.start).bigEndian) { append(contentsOf: $0) }
            append(count: Int(image.build_id_count))
            Swift.withUnsafeBytes(of: image.build_id) { append(contentsOf: $0.prefix(Int(image.build_id_count))) }
            // The path in pieces of up to 63 bytes. The length of each piece precedes it, and a 0 ends the path.
            var path = Swift.withUnsafeBytes(of: image.path) { Array($0.prefix { $0 != 0 }) }[...]
            while !path.isEmpty {
                let piece = path.prefix(63)
                append(UInt8(piece.count))
                append(contentsOf: piece)
                path.removeFirst(piece.count)
            }
            append(0)
        }
    }
#else
    import Darwin

    /// Looks addresses up in the symbol tables of this process's images. Files and lines are unavailable here. They
    /// need the toolchain's `Runtime` module, which this package uses only on Linux.
    enum SymbolLookup {
        /// The frame of each address.
        static func frames(of returnAddresses: [UInt]) -> [UInt: [StackFrame]] {
            var result: [UInt: [StackFrame]] = [:]
            for address in returnAddresses {
                var information = Dl_info()
                guard dladdr(UnsafeRawPointer(bitPattern: address - 1), &information) != 0,
                    let symbol = information.dli_sname
                else { continue }
                let name = String(cString: symbol)
                let path = information.dli_fname.map { String(cString: $0) } ?? ""
                result[address] = [
                    StackFrame(
                        address: address, function: name, image: String(path.split(separator: "/").last ?? ""),
                        isInternal: MangledName.isInternal(name))
                ]
            }
            return result
        }
    }
#endif
