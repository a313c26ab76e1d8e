/// One round of a workload: performs its operations and returns the result.
public typealias Round = () throws -> Int

/// A way to do the workloads: a library, or the loop that one writes without any.
public struct Leg: Sendable {
    /// The leg's name, which begins its IDs.
    public let name: String
    /// Sets up rounds of so many operations; `nil` where the leg has no counterpart of a workload.
    public let round: @Sendable (_ family: Family, _ operations: Int) -> Round?

    /// A leg of that name.
    public init(_ name: String, round: @escaping @Sendable (Family, Int) -> Round?) {
        self.name = name
        self.round = round
    }

    /// What is wrong with the leg's results, a sentence each. Performs two rounds of each workload, as the first may
    /// leave something behind.
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
