/// The stable name of a benchmark, which consists of path segments and parameters: `operator/merge/sync?sources=8`.
///
/// Renaming a benchmark is a breaking change, because results of different commits are matched by their IDs.
public struct BenchmarkID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The complete text, as written.
    public let text: String
    /// The path before the question mark: `["operator", "merge", "sync"]`.
    public let segments: [String]
    /// The parameters after the question mark, in the order in which they are written: `[("sources", "8")]`.
    public var parameters: [(name: String, value: String)] {
        guard let query = text.split(separator: "?", maxSplits: 1).dropFirst().first else { return [] }
        return query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), String(parts[1]))
        }
    }

    /// Parses an ID. An ID consists of segments separated by `/`, optionally followed by `?name=value&name=value`.
    /// Segments consist of lowercase letters, digits and hyphens.
    ///
    /// - Throws: ``InvalidBenchmarkID`` with the text and the rule that it violates.
    public init(_ text: String) throws(InvalidBenchmarkID) {
        let halves = text.split(separator: "?", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { throw InvalidBenchmarkID(text: text, reason: "it has more than one '?'") }
        let segments = halves[0].split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 2 else {
            throw InvalidBenchmarkID(text: text, reason: "it has no '/' after its prefix")
        }
        guard segments.allSatisfy(Self.isWord) else {
            throw InvalidBenchmarkID(
                text: text, reason: "a path segment is not made of lowercase letters, digits and hyphens")
        }
        if halves.count == 2 {
            let pairs = halves[1].split(separator: "&", omittingEmptySubsequences: false)
            let names = pairs.compactMap(Self.parameterName)
            guard names.count == pairs.count else {
                throw InvalidBenchmarkID(text: text, reason: "a parameter is not of the form 'name=value'")
            }
            guard Set(names).count == names.count else {
                throw InvalidBenchmarkID(text: text, reason: "a parameter appears twice")
            }
        }
        self.text = text
        self.segments = segments.map(String.init)
    }

    /// The text as written.
    public var description: String { text }

    /// Returns whether the texts are equal.
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
    /// Returns whether `left` precedes `right`. IDs are ordered by path and then by parameters, with numbers in numeric
    /// order.
    public static func < (left: Self, right: Self) -> Bool {
        if left.segments != right.segments { return left.segments.lexicographicallyPrecedes(right.segments) }
        for (a, b) in zip(left.parameters, right.parameters) where a != b {
            if a.name == b.name, let x = Double(a.value), let y = Double(b.value), x != y { return x < y }
            return (a.name, a.value) < (b.name, b.value)
        }
        return left.text < right.text
    }

    private static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isLowercaseOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func parameterName(_ pair: Substring) -> Substring? {
        let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, isWord(parts[0]), !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ isLowercaseOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") })
        else { return nil }
        return parts[0]
    }

    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// An error for a text that is not a valid benchmark ID, with the rule that the text violates.
public struct InvalidBenchmarkID: Error, Equatable, CustomStringConvertible {
    /// The invalid text.
    public let text: String
    /// The rule that the text violates.
    public let reason: String
    /// A sentence that names the text, the rule and a correct example.
    public var description: String {
        "'\(text)' is no benchmark ID: \(reason). Write it like 'operator/merge/sync?sources=8'."
    }
}

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
