/// Compares the output that comments state with the printed lines.
///
/// A comment matches one printed line, or several lines joined by `, `. In a comment, `…` matches any text.
struct OutputComparison {
    private let claims: [Claim]

    init(claims: [Claim]) { self.claims = claims }

    struct Difference {
        /// The line of the wrong comment; `nil` if there is no comment.
        let line: Int?
        let text: String
    }

    /// Returns the difference, or `nil` if the comments match the printed lines.
    func difference(from lines: [String]) -> Difference? {
        if covers(claims[...], lines[...]) { return nil }
        let said = claims.map(\.text).joined(separator: ", ")
        let printed = lines.joined(separator: ", ")
        switch (claims.isEmpty, lines.isEmpty) {
        case (true, _): return Difference(line: nil, text: "prints '\(printed)', and no comment says so")
        case (_, true):
            return Difference(
                line: claims[0].line,
                text: "says '\(said)', and prints nothing. A comment that is no output stands on a line of its own")
        default: return Difference(line: firstWrong(lines), text: "says '\(said)', and prints '\(printed)'")
        }
    }

    /// Returns whether more output could still make the lines match.
    func mayBecomeEqual(_ lines: [String]) -> Bool {
        guard difference(from: lines) != nil else { return false }
        return (0..<claims.count).contains { covers(claims[..<$0], lines[...]) }
            || claims.contains { $0.text.hasPrefix(lines.joined(separator: ", ")) || $0.text.contains("…") }
    }

    private func firstWrong(_ lines: [String]) -> Int? {
        let right = (0..<claims.count).last { count in
            lines.indices.contains { covers(claims[..<count], lines[..<$0]) }
        }
        return claims[right ?? 0].line
    }

    /// Returns whether the claims match all the lines: the first claim a prefix of the lines, and so on.
    private func covers(_ claims: ArraySlice<Claim>, _ lines: ArraySlice<String>) -> Bool {
        guard let claim = claims.first else { return lines.isEmpty }
        let pattern = claim.text.split(separator: "…", omittingEmptySubsequences: false)
        var joined = ""
        for end in lines.indices {
            joined += end == lines.startIndex ? lines[end] : ", " + lines[end]
            if Self.matches(joined, pattern), covers(claims.dropFirst(), lines[(end + 1)...]) { return true }
            if pattern.count == 1, joined.count > claim.text.count { return false }
        }
        return false
    }

    /// Returns whether `text` consists of the parts of `pattern` in order, with any text between them.
    private static func matches(_ text: String, _ pattern: [Substring]) -> Bool {
        guard pattern.count > 1 else { return text == pattern[0] }
        guard text.hasPrefix(pattern[0]) else { return false }
        var rest = text.dropFirst(pattern[0].count)
        for part in pattern.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(pattern[pattern.count - 1])
    }
}
