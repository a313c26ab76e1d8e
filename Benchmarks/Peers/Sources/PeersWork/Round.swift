/// One round of a workload: performs its operations and returns the result.
public typealias Round = () throws -> Int

/// An implementation of the workloads: a library, or a hand-written loop.
public struct Leg: Sendable {
    /// The leg's name, which begins its IDs.
    public let name: String
    /// Sets up rounds of the given number of operations; `nil` if the leg has no counterpart of a workload.
    public let round: @Sendable (_ family: Family, _ operations: Int) -> Round?

    /// Creates a leg with the given name.
    public init(_ name: String, round: @escaping @Sendable (Family, Int) -> Round?) {
        self.name = name
        self.round = round
    }

    /// Returns one sentence for each wrong result of the leg. Performs two rounds of each workload, because the first
    /// one may leave state that affects the second.
    public func problems(operations: Int, families: [Family] = Family.allCases) -> [String] {
        families.flatMap { family -> [String] in
            guard let round = round(family, operations) else { return [] }
            let expected = family.expected(operations)
            return (1...2).compactMap { number in
                let result = Result { try round() }
                if case .success(expected) = result { return nil }
                return "'\(name)/\(family.rawValue)', \(operations) operations, round \(number): \(result), "
                    + "expected \(expected)."
            }
        }
    }
}
