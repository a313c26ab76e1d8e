/// The number of characters that must be inserted, removed, replaced or exchanged with a neighbour to change one word
/// into another: Damerau (1964), in the variant that edits no part twice ("optimal string alignment").
///
/// The words are names that people type, so the quadratic algorithm is fast enough.
package enum EditDistance {
    /// Returns the distance from `word` to `name`. O(*n* · *m*).
    package static func between(_ word: String, _ name: String) -> Int {
        let (word, name) = (Array(word), Array(name))
        return lastRow(word, name, first: Array(0...name.count))[name.count]
    }

    /// Returns the distance from `word` to the part of `name` that is closest to it: Sellers (1980). O(*n* · *m*).
    package static func between(_ word: String, andAnyPartOf name: String) -> Int {
        let (word, name) = (Array(word), Array(name))
        // A part may begin and end anywhere.
        return lastRow(word, name, first: Array(repeating: 0, count: name.count + 1)).min() ?? word.count
    }

    /// Returns whether a word with this distance from an expected word is likely to be a mistyped form of it, and not a
    /// different word.
    package static func isMistake(_ distance: Int, in word: String) -> Bool {
        word.count > 2 && distance <= max(1, word.count / 3)
    }

    /// Returns the distance from `word` to each prefix of `name`. `first` contains the distances of the empty word.
    private static func lastRow(_ word: [Character], _ name: [Character], first: [Int]) -> [Int] {
        var (beforeLast, last) = (first, first)
        for (place, character) in word.enumerated() {
            var row = [place + 1]
            for index in name.indices {
                var fewest = min(last[index + 1], row[index]) + 1
                fewest = min(fewest, last[index] + (character == name[index] ? 0 : 1))
                if place > 0, index > 0, character == name[index - 1], word[place - 1] == name[index] {
                    fewest = min(fewest, beforeLast[index - 1] + 1)
                }
                row.append(fewest)
            }
            (beforeLast, last) = (last, row)
        }
        return last
    }
}
