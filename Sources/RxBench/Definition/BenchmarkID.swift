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
