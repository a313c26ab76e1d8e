import RxBench

/// A filter that selects benchmarks. It is a glob (`operator/*?depth=12`), a part of an ID (`merge`), or a tag
/// (`tag:stateless`).
package struct BenchmarkFilter: Sendable {
    /// The filter as written.
    package let text: String

    /// Creates a filter. Every text is a valid filter.
    package init(_ text: String) { self.text = text }

    /// Returns whether the filter selects `benchmark`.
    package func selects(_ benchmark: Benchmark) -> Bool { selects(id: benchmark.id.text, tags: benchmark.tags) }

    /// Returns whether the filter selects a benchmark with the given ID and tags. The benchmark itself may be unknown.
    package func selects(id: String, tags: [String]) -> Bool {
        if text.hasPrefix("tag:") { return tags.contains(String(text.dropFirst(4))) }
        // In an ID, a question mark separates the path and the parameters, so only the star is a wildcard.
        return text.contains("*") ? Self.matches(Array(text.utf8), Array(id.utf8)) : id.contains(text)
    }

    /// Returns the benchmarks that any of `filters` selects, or all benchmarks if there is no filter.
    package static func select(_ filters: [String], from benchmarks: [Benchmark]) -> [Benchmark] {
        guard !filters.isEmpty else { return benchmarks }
        let filters = filters.map(BenchmarkFilter.init)
        return benchmarks.filter { benchmark in filters.contains { $0.selects(benchmark) } }
    }

    /// Returns up to `count` IDs that resemble `text`, with the most similar first.
    package static func nearest(to text: String, in benchmarks: [Benchmark], count: Int = 3) -> [String] {
        nearest(to: text, among: benchmarks.map(\.id.text), count: count)
    }

    /// Returns up to `count` of `ids` that resemble `text`, with the most similar first.
    package static func nearest(to text: String, among ids: [String], count: Int = 3) -> [String] {
        let wanted = pairs(text)
        let scored = ids.map { id in (id: id, edits: edits(text, id), score: similarity(wanted, pairs(id))) }
        return scored.filter { $0.edits < .max || $0.score > 0 }.sorted {
            ($0.edits, $1.score, $0.id) < ($1.edits, $0.score, $1.id)
        }.prefix(count).map(\.id)
    }

    /// Matches a glob in linear time. After a mismatch, the last star matches one more byte.
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

    /// Returns the rank of `id` for a text that may be a mistyped part of it. Whole words between separators rank
    /// before other parts. If the text is not likely to be a mistyped part of `id`, returns the largest number.
    private static func edits(_ text: String, _ id: String) -> Int {
        let words = id.split { !$0.isLetter && !$0.isNumber }
        let word = words.map { EditDistance.between(text, String($0)) }.min() ?? .max
        if EditDistance.isMistake(word, in: text) { return 2 * word }
        let part = EditDistance.between(text, andAnyPartOf: id)
        return EditDistance.isMistake(part, in: text) ? 2 * part + 1 : .max
    }

    private static func pairs(_ text: String) -> Set<String> {
        let characters = Array(text.lowercased())
        return Set(zip(characters, characters.dropFirst()).map { "\($0)\($1)" })
    }

    /// Returns Dice's coefficient of letter pairs, from 0 (no common pairs) to 1 (the same pairs). Dice, "Measures of
    /// the Amount of Ecologic Association" (1945).
    private static func similarity(_ left: Set<String>, _ right: Set<String>) -> Double {
        left.isEmpty || right.isEmpty
            ? 0 : 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }
}
