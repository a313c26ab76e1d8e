#if DEBUG
    #if os(Linux) && canImport(Runtime)
        import CRx
        internal import Runtime

        /// The callers of a piece of code, captured now and named later. Capturing takes a few microseconds, and naming
        /// a fraction of a millisecond.
        ///
        /// `Runtime` reads and sorts the symbol table again on each thread. Therefore it is used only for callers in
        /// asynchronous functions, and where the images' own files do not contain all the information.
        struct CallStack: Sendable {
            /// The instruction addresses of the calls, innermost first.
            private let addresses: [UInt]
            /// The same stack captured by `Runtime`, if `Runtime` has to name it.
            private let backtrace: Backtrace?

            /// Captured once: images that are loaded later are not named.
            private static let images = ImageMap.capture()

            static func capture() -> CallStack {
                if withUnsafeCurrentTask(body: { $0 == nil }) {
                    // Not in a closure, whose calls would be part of the stack.
                    let walked = UnsafeMutablePointer<UInt>.allocate(capacity: Int(rx_stack_depth))
                    defer { walked.deallocate() }
                    let count = Int(rx_stack_walk(walked, UInt32(rx_stack_depth)))
                    // A return address is the address after its call.
                    let addresses = UnsafeBufferPointer(start: walked, count: count).map { $0 - 1 }
                    if !addresses.isEmpty, addresses.allSatisfy(rx_image_is_read) {
                        return CallStack(addresses: addresses, backtrace: nil)
                    }
                }
                let backtrace = try? Backtrace.capture(images: images)
                return CallStack(
                    addresses: backtrace?.frames.compactMap { UInt($0.adjustedProgramCounter) } ?? [],
                    backtrace: backtrace)
            }

            /// A value that is equal for stacks from the same place. It does not include all frames, because the outer
            /// frames differ without adding information.
            var digest: Int {
                var hasher = Hasher()
                for address in addresses.prefix(12) { hasher.combine(address) }
                return hasher.finalize()
            }

            /// The functions, innermost first, and the place that called into this library.
            var described: (site: String, lines: [String]) {
                let callers = frames.drop { CallStackLine.isMachinery($0.symbol?.rawName) }.filter { !$0.isGenerated }
                let lines = callers.map(\.line)
                let depth = callers.prefix { CallStackLine.isOurs($0.symbol?.rawName) }.count
                return (CallStackLine.site(lines, depth), lines)
            }

            private var frames: [NamedFrame] {
                if let backtrace { return Self.frames(of: backtrace) }
                return addresses.map { address in
                    let symbol = CallPlaces.function(at: address).map { name, image in
                        SymbolicatedBacktrace.Symbol(
                            imageIndex: 0, imageName: image, rawName: name, offset: 0, sourceLocation: nil)
                    }
                    return NamedFrame(
                        captured: .programCounter(.init(UInt64(address))), symbol: symbol,
                        place: CallPlaces.place(of: address).place)
                }
            }

            /// Takes names from `Runtime`. Takes locations from it only if our line tables do not have them, because
            /// that takes most of the time.
            private static func frames(of backtrace: Backtrace) -> [NamedFrame] {
                guard let named = backtrace.symbolicated(with: images, options: .useSymbolCache)?.frames else {
                    return []
                }
                let answers = named.map { frame in
                    UInt(frame.captured.adjustedProgramCounter).map(CallPlaces.place) ?? (isCovered: true, place: nil)
                }
                if answers.contains(where: { !$0.isCovered }),
                    let named = backtrace.symbolicated(with: images, options: [.showSourceLocations, .useSymbolCache])?
                        .frames
                {
                    return named.map { frame in
                        let location = frame.symbol?.sourceLocation
                        return NamedFrame(
                            captured: frame.captured, symbol: frame.symbol,
                            place: location.map { .init(path: $0.path, line: $0.line) })
                    }
                }
                return zip(named, answers).map { NamedFrame(captured: $0.captured, symbol: $0.symbol, place: $1.place) }
            }
        }

        private struct NamedFrame {
            let captured: Backtrace.Frame
            let symbol: SymbolicatedBacktrace.Symbol?
            let place: CallPlaces.Place?

            var line: String {
                guard let symbol else { return "\(captured)" }
                guard let place else { return "\(symbol.name) in \(symbol.imageName)" }
                return "\(symbol.name) at \(place.path)" + (place.line > 0 ? ":\(place.line)" : "")
            }

            /// Whether the compiler generated the function: a thunk, or the end of a scope.
            var isGenerated: Bool {
                guard let symbol else { return false }
                return symbol.name.hasPrefix("$defer") || place?.path.hasSuffix("<compiler-generated>") ?? false
            }
        }
    #else
        import class Foundation.Thread

        /// The callers of a piece of code.
        struct CallStack: Sendable {
            private let symbols: [String]

            static func capture() -> CallStack { CallStack(symbols: Thread.callStackSymbols) }

            /// A value that is equal for equal stacks.
            var digest: Int { symbols.hashValue }

            /// The functions, innermost first, and the place that called into this library.
            var described: (site: String, lines: [String]) {
                let callers = symbols.drop { CallStackLine.isMachinery($0) }
                let depth = callers.prefix { CallStackLine.isOurs($0) }.count
                return (CallStackLine.site(Array(callers), depth), Array(callers))
            }
        }
    #endif

    /// Reads the mangled name in a line of a stack.
    enum CallStackLine {
        /// Whether the function belongs to this module, whose name is mangled as `2Rx`.
        static func isOurs(_ line: String?) -> Bool { line?.contains("$s2Rx") ?? false }

        /// Returns the caller of our functions, not the function that it called: two threads that meet in a subject
        /// also meet in the sinks that the subject feeds.
        static func site(_ lines: [String], _ depth: Int) -> String {
            depth < lines.count ? lines[depth] : lines.last ?? ""
        }

        /// Whether the function belongs to this check itself.
        static func isMachinery(_ line: String?) -> Bool {
            guard let line, isOurs(line) else { return false }
            return ["CallStack", "EventMonitor", "Encounter"].contains { line.contains($0) }
        }
    }
#endif
