#if DEBUG
    #if os(Linux) && canImport(Runtime)
        import CRx
        internal import Runtime

        /// The callers of a piece of code, to be named later. Capturing takes some microseconds, naming a fraction of a
        /// millisecond.
        ///
        /// `Runtime` reads and sorts the symbol table on each thread anew: it is asked only for callers
        /// in asynchronous functions, and where the images' own files do not say all.
        struct CallStack: Sendable {
            /// Instructions of the calls, the innermost first.
            private let addresses: [UInt]
            /// The same from `Runtime`, if it is to name them.
            private let backtrace: Backtrace?

            /// Captured once: what is loaded later is not named.
            private static let images = ImageMap.capture()

            static func capture() -> CallStack {
                if withUnsafeCurrentTask(body: { $0 == nil }) {
                    // Without a closure around it, whose calls would be part of the stack.
                    let walked = UnsafeMutablePointer<UInt>.allocate(capacity: Int(rx_stack_depth))
                    defer { walked.deallocate() }
                    let count = Int(rx_stack_walk(walked, UInt32(rx_stack_depth)))
                    // A return address lies behind its call.
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

            /// Equal for stacks that come from one place. Not all frames: what lies far out differs without telling
            /// anything new.
            var digest: Int {
                var hasher = Hasher()
                for address in addresses.prefix(12) { hasher.combine(address) }
                return hasher.finalize()
            }

            /// The functions, the innermost first, and the place that has called into this library.
            var described: (site: String, lines: [String]) {
                let callers = frames.drop { CallStackLine.isMachinery($0.symbol?.rawName) }.filter { !$0.isGenerated }
                let lines = callers.map(\.line)
                let depth = callers.prefix { CallStackLine.isOurs($0.symbol?.rawName) }.count
                return (CallStackLine.site(lines, depth), lines)
            }

            private var frames: [NamedFrame] {
                if let backtrace { return Self.frames(of: backtrace) }
                return addresses.map { address in
                    let symbol = SourceLines.function(at: address).map { name, image in
                        SymbolicatedBacktrace.Symbol(
                            imageIndex: 0, imageName: image, rawName: name, offset: 0, sourceLocation: nil)
                    }
                    return NamedFrame(
                        captured: .programCounter(.init(UInt64(address))), symbol: symbol,
                        place: SourceLines.at(address).place)
                }
            }

            /// Names from `Runtime`; places from it only where the line tables here do not say, for that takes most of
            /// the time.
            private static func frames(of backtrace: Backtrace) -> [NamedFrame] {
                guard let named = backtrace.symbolicated(with: images, options: .useSymbolCache)?.frames else {
                    return []
                }
                let answers = named.map { UInt($0.captured.adjustedProgramCounter).map(SourceLines.at) ?? .unknown }
                if answers.contains(.elsewhere),
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
            let place: SourceLines.Location?

            var line: String {
                guard let symbol else { return "\(captured)" }
                guard let place else { return "\(symbol.name) in \(symbol.imageName)" }
                return "\(symbol.name) at \(place.path)" + (place.line > 0 ? ":\(place.line)" : "")
            }

            /// Whether nobody has written the function: a thunk, or the end of a scope.
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

            /// Equal for stacks that are equal.
            var digest: Int { symbols.hashValue }

            /// The functions, the innermost first, and the place that has called into this library.
            var described: (site: String, lines: [String]) {
                let callers = symbols.drop { CallStackLine.isMachinery($0) }
                let depth = callers.prefix { CallStackLine.isOurs($0) }.count
                return (CallStackLine.site(Array(callers), depth), Array(callers))
            }
        }
    #endif

    /// Reads the mangled name in a line of a stack.
    enum CallStackLine {
        /// Whether the function is of this module, whose name is mangled as `2Rx`.
        static func isOurs(_ line: String?) -> Bool { line?.contains("$s2Rx") ?? false }

        /// The caller of our functions, not which of them: two threads that meet in a subject meet again in what it
        /// feeds.
        static func site(_ lines: [String], _ depth: Int) -> String {
            depth < lines.count ? lines[depth] : lines.last ?? ""
        }

        /// Whether it is of the watch itself.
        static func isMachinery(_ line: String?) -> Bool {
            guard let line, isOurs(line) else { return false }
            return ["CallStack", "EventMonitor", "Encounter"].contains { line.contains($0) }
        }
    }
#endif
