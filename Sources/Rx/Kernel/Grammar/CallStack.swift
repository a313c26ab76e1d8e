#if DEBUG
#if os(Linux) && canImport(Runtime)
internal import Runtime

/// The callers of a piece of code, to be named later. Capturing takes 20 µs, naming some milliseconds.
struct CallStack: Sendable {
    private let backtrace: Backtrace?

    /// Captured once, which takes 2 ms: what is loaded later is not named.
    private static let images = ImageMap.capture()

    static func capture() -> CallStack { CallStack(backtrace: try? Backtrace.capture(images: images)) }

    /// Equal for stacks that come from one place. Not all frames: what lies far out differs without telling anything new.
    var digest: Int {
        var hasher = Hasher()
        for frame in backtrace?.frames.prefix(12).map(\.description) ?? [] { hasher.combine(frame) }
        return hasher.finalize()
    }

    /// The functions, the innermost first, and the place that has called into this library.
    var described: (site: String, lines: [String]) {
        let callers = frames.drop { CallStackLine.isMachinery($0.symbol?.rawName) }.filter { !$0.isGenerated }
        let lines = callers.map(\.line)
        let depth = callers.prefix { CallStackLine.isOurs($0.symbol?.rawName) }.count
        return (CallStackLine.site(lines, depth), lines)
    }

    /// Names from `Runtime`; places from it only where the line tables here do not say, for that took 90 % of a report's time.
    private var frames: [NamedFrame] {
        guard let named = symbolicated(.useSymbolCache) else { return [] }
        let answers = named.map { UInt($0.captured.adjustedProgramCounter).map(SourceLines.at) ?? .unknown }
        if answers.contains(.elsewhere), let named = symbolicated([.showSourceLocations, .useSymbolCache]) {
            return named.map { frame in
                let location = frame.symbol?.sourceLocation
                return NamedFrame(captured: frame.captured, symbol: frame.symbol, place: location.map { .init(path: $0.path, line: $0.line) })
            }
        }
        return zip(named, answers).map { NamedFrame(captured: $0.captured, symbol: $0.symbol, place: $1.place) }
    }

    private func symbolicated(_ options: Backtrace.SymbolicationOptions) -> [SymbolicatedBacktrace.Frame]? {
        backtrace?.symbolicated(with: Self.images, options: options)?.frames
    }
}

private struct NamedFrame {
    let captured: Backtrace.Frame
    let symbol: SymbolicatedBacktrace.Symbol?
    let place: SourceLines.Place?

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

/// What the mangled name in a line of a stack tells.
enum CallStackLine {
    /// Whether the function is of this module, whose name is mangled as `2Rx`.
    static func isOurs(_ line: String?) -> Bool { line?.contains("$s2Rx") ?? false }

    /// Who has called the functions of ours. Not which: two threads that meet in a subject meet again in what it feeds.
    static func site(_ lines: [String], _ depth: Int) -> String { depth < lines.count ? lines[depth] : lines.last ?? "" }

    /// Whether it is of the watch itself.
    static func isMachinery(_ line: String?) -> Bool {
        guard let line, isOurs(line) else { return false }
        return ["CallStack", "EventMonitor", "Encounter"].contains { line.contains($0) }
    }
}
#endif
