/// The levels that the values of a sample with several modes fall into.
package struct Level: Codable, Sendable, Equatable {
    /// The median of its values.
    package let value: Double
    /// How many of all values it has, from 0 to 1.
    package let share: Double
}

extension Modality {
    /// The levels of `values`, ascending; a single one where they have one mode, none where there are no values.
    ///
    /// Parted where the sums of squares within both sides are least (Otsu, "A Threshold Selection Method from
    /// Gray-Level Histograms", IEEE Transactions on Systems, Man, and Cybernetics 9, 1979), and each side again as long
    /// as it has several modes. O(*n*²).
    ///
    /// - Parameter resolution: The relative difference that parts no levels. On a calm machine the times of all
    ///   processes are a few ticks of its clock, a millionth apart, and each tick would be a level.
    package static func levels(of values: [Double], resolution: Double) -> [Level] {
        let sorted = values.sorted()
        // Each is moved by up to half of the resolution: by multiples of the golden ratio, which fill an interval
        // evenly however many there are (Weyl).
        let moved = sorted.enumerated().map { index, value in
            let turn = Double(index) * 0.618_033_988_749_894_9
            return (blurred: value * (1 + resolution * (turn - turn.rounded(.down) - 0.5)), value: value)
        }.sorted { $0.blurred < $1.blurred }
        return parts(moved.map(\.blurred)[...]).compactMap { part in
            Quantiles.quantile(0.5, ofSorted: moved[part.indices].map(\.value).sorted()).map {
                Level(value: $0, share: Double(part.count) / Double(values.count))
            }
        }
    }

    /// The resolution where nobody says what does not matter.
    package static let usualResolution = 0.005

    private static func parts(_ sorted: ArraySlice<Double>) -> [ArraySlice<Double>] {
        guard isMultimodal(Array(sorted)), let split = split(sorted) else { return [sorted] }
        return parts(sorted[..<split]) + parts(sorted[split...])
    }

    /// Where the upper of two parts begins; `nil` where all values are equal.
    private static func split(_ sorted: ArraySlice<Double>) -> Int? {
        let total = sorted.reduce(0, +)
        let count = Double(sorted.count)
        var sum = 0.0
        var best: (between: Double, place: Int)?
        for place in sorted.indices.dropLast() {
            sum += sorted[place]
            guard sorted[place] < sorted[place + 1] else { continue }
            let size = Double(place + 1 - sorted.startIndex)
            let distance = sum / size - (total - sum) / (count - size)
            // Distances between the sides are those that do not lie within them.
            let between = size * (count - size) * distance * distance
            if between > best?.between ?? 0 { best = (between, place + 1) }
        }
        return best?.place
    }
}
