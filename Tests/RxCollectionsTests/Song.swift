/// An element whose content changes while its identity stays.
struct Song: Identifiable, Equatable {
    let id: Int
    var title = ""
}

/// Random numbers from a seed, so that a failing list can be created again.
struct SeededNumbers: RandomNumberGenerator {
    private(set) var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns songs of a few identities in random order, each at most once if `unique`, some with a different title.
    mutating func songs(of identities: Range<Int>, unique: Bool) -> [Song] {
        let ids =
            unique
            ? Array(identities.shuffled(using: &self).prefix(Int.random(in: 0...identities.count, using: &self)))
            : (0..<Int.random(in: 0...identities.count, using: &self)).map { _ in
                Int.random(in: identities, using: &self)
            }
        return ids.map { Song(id: $0, title: Bool.random(using: &self) ? "a" : "b") }
    }
}
