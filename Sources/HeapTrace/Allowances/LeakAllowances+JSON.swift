import Foundation

/// An entry of an allow-list that is wrong, or a file that cannot be read.
public struct LeakAllowanceError: Error, Hashable, CustomStringConvertible {
    /// The file and the entry: `leaks.json, entry 3`.
    public let place: String
    /// The mistake, and the remedy.
    public let problem: String

    /// One sentence for the place and the problem.
    public var description: String { "\(place): \(problem)" }
}

extension LeakAllowances {
    /// Reads the entries from JSON text.
    ///
    /// - Parameters:
    ///   - text: an array of objects.
    ///   - name: the name of the text in errors.
    /// - Throws: ``LeakAllowanceError`` that names the first wrong entry and the remedy.
    public init(json text: String, name: String) throws(LeakAllowanceError) {
        let entries: [AllowanceEntry]
        do { entries = try JSONDecoder().decode([AllowanceEntry].self, from: Data(text.utf8)) } catch {
            throw LeakAllowanceError(place: name, problem: Self.problem(of: error))
        }
        var allowances: [LeakAllowance] = []
        for (index, entry) in entries.enumerated() {
            let place = "\(name), entry \(index + 1)"
            do throws(AllowanceEntry.Problem) { allowances.append(try entry.allowance(at: place)) } catch {
                throw LeakAllowanceError(place: place, problem: error.sentence)
            }
        }
        self.init(allowances)
    }

    private static func problem(of error: any Error) -> String {
        let remedy = "Write an array of entries like \(AllowanceEntry.example)."
        guard let error = error as? DecodingError else { return "It cannot be read. \(remedy)" }
        switch error {
        case .dataCorrupted(let context):
            let reason = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
            return "It is not JSON. \(reason.map { "\($0) " } ?? "")\(remedy)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            guard let index = context.codingPath.first?.intValue else { return "It is not a list. \(remedy)" }
            let key = context.codingPath.count > 1 ? " '\(context.codingPath[1].stringValue)' is not text." : ""
            return "Entry \(index + 1) has another form.\(key) \(remedy)"
        @unknown default: return "It cannot be read. \(remedy)"
        }
    }

    /// The content of a file with these entries: JSON that ends in a line feed.
    public var text: String { JSONValue.text(of: entries.map(AllowanceEntry.init)) }
}

/// An entry of an allow-list in the form of a file.
private struct AllowanceEntry: Codable {
    struct Problem: Error { let sentence: String }

    static let example = #"{"type": "map<Int, *>", "until": "2027-01-31", "because": "Fixed in 3.2."}"#

    private enum CodingKeys: String, CodingKey, CaseIterable { case signature, type, scenario = "in", until, because }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var signature, type, scenario, until, because: String?
    /// Keys that entries do not have. They are an error, because an entry with a mistyped key would allow more than its
    /// author intended.
    private var unknownKeys: [String] = []

    init(_ allowance: LeakAllowance) {
        switch allowance.pattern {
        case .signature(let signature): self.signature = signature
        case .type(let type): self.type = type
        }
        scenario = allowance.scenario == "*" ? nil : allowance.scenario
        until = "\(allowance.until)"
        because = allowance.reason
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        signature = try container.decodeIfPresent(String.self, forKey: .signature)
        type = try container.decodeIfPresent(String.self, forKey: .type)
        scenario = try container.decodeIfPresent(String.self, forKey: .scenario)
        until = try container.decodeIfPresent(String.self, forKey: .until)
        because = try container.decodeIfPresent(String.self, forKey: .because)
        let known = Set(CodingKeys.allCases.map(\.rawValue))
        unknownKeys = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
            .filter { !known.contains($0) }.sorted()
    }

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            CodingKeys.signature: signature, .type: type, .scenario: scenario, .until: until, .because: because,
        ])
    }

    func allowance(at place: String) throws(Problem) -> LeakAllowance {
        if let key = unknownKeys.first {
            let known = CodingKeys.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw Problem(sentence: "An entry has no '\(key)'. Its keys are \(known).")
        }
        guard let until else {
            throw Problem(sentence: "The entry has no day on which it expires. Add one: \"until\": \"2027-01-31\".")
        }
        guard let day = CalendarDay(until) else {
            throw Problem(sentence: "'\(until)' is not a day. Write it as in \"until\": \"2027-01-31\".")
        }
        guard let because, !because.isEmpty else {
            throw Problem(sentence: "The entry has no reason. Add one: \"because\": \"…\".")
        }
        return LeakAllowance(try pattern(), in: scenario ?? "*", until: day, because: because, at: place)
    }

    private func pattern() throws(Problem) -> LeakAllowance.Pattern {
        switch (signature, type) {
        case (let signature?, nil):
            guard signature.utf8.count == 12,
                signature.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else {
                throw Problem(
                    sentence:
                        "'\(signature)' is not a signature. Copy the twelve digits, 0 to 9 and a to f, from a report.")
            }
            return .signature(signature)
        case (nil, let type?): return .type(type)
        case (nil, nil):
            throw Problem(
                sentence: "The entry names no leak. Give it a 'signature' or a 'type', as in \(Self.example).")
        case (_?, _?):
            throw Problem(
                sentence: "The entry has a signature and a type. Keep one of them, or make two entries of it.")
        }
    }
}
