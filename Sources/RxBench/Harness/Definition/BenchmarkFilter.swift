/// Selects benchmarks: a glob (`operator/*?depth=12`), a part of an ID (`merge`), or `tag:stateless`.
package struct BenchmarkFilter: Sendable {
    /// The filter as written.
    package let text: String

    /// A filter; every text is one.
    package init(_ text: String) { self.text = text }

    /// Whether the filter selects `benchmark`.
    package func selects(_ benchmark: Benchmark) -> Bool { selects(id: benchmark.id.text, tags: benchmark.tags) }

    /// Whether the filter selects a benchmark that may be known by its stored name and tags alone.
    package func selects(id: String, tags: [String]) -> Bool {
        if text.hasPrefix("tag:") { return tags.contains(String(text.dropFirst(4))) }
        // A question mark parts path and parameters in an ID, so that only the star is a wildcard.
        return text.contains("*") ? Self.matches(Array(text.utf8), Array(id.utf8)) : id.contains(text)
    }

    /// The benchmarks that any of `filters` selects, or all of them when there is no filter.
    package static func select(_ filters: [String], from benchmarks: [Benchmark]) -> [Benchmark] {
        guard !filters.isEmpty else { return benchmarks }
        let filters = filters.map(BenchmarkFilter.init)
        return benchmarks.filter { benchmark in filters.contains { $0.selects(benchmark) } }
    }

    /// Up to `count` IDs that resemble `text`, the nearest first.
    package static func nearest(to text: String, in benchmarks: [Benchmark], count: Int = 3) -> [String] {
        nearest(to: text, among: benchmarks.map(\.id.text), count: count)
    }

    /// Up to `count` of `ids` that resemble `text`, the nearest first.
    package static func nearest(to text: String, among ids: [String], count: Int = 3) -> [String] {
        let wanted = pairs(text)
        let scored = ids.map { id in (id: id, score: similarity(wanted, pairs(id))) }
        return scored.filter { $0.score > 0 }.sorted { ($1.score, $0.id) < ($0.score, $1.id) }.prefix(count).map(\.id)
    }

    /// The classic linear-time matcher: on a mismatch, lets the last star swallow one more byte.
    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var patternIndex = 0
        var textIndex = 0
        var star: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") {
                star = (patternIndex, textIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count, pattern[patternIndex] == text[textIndex] {
                patternIndex += 1
                textIndex += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                patternIndex = last.pattern + 1
                textIndex = last.text + 1
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func pairs(_ text: String) -> Set<String> {
        let characters = Array(text.lowercased())
        return Set(zip(characters, characters.dropFirst()).map { "\($0)\($1)" })
    }

    /// Dice's coefficient of letter pairs: 0 (nothing in common) to 1 (same pairs). Dice, "Measures of the Amount of
    /// Ecologic Association" (1945).
    private static func similarity(_ left: Set<String>, _ right: Set<String>) -> Double {
        left.isEmpty || right.isEmpty
            ? 0 : 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }
}
