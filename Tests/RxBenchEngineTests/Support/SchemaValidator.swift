import Foundation

/// Validates JSON against the part of JSON Schema 2020-12 that the result schema uses. Refuses any other keyword, so
/// that no rule can be added to the schema that is not checked.
struct SchemaValidator {
    private let root: [String: Any]

    struct UnsupportedKeyword: Error { let name: String }

    init(_ schema: Data) throws {
        root = try JSONSerialization.jsonObject(with: schema) as? [String: Any] ?? [:]
    }

    /// The names of all members that the schema allows, at any depth.
    var members: Set<String> { Self.members(root) }

    private static func members(_ schema: Any) -> Set<String> {
        if let list = schema as? [Any] { return list.reduce(into: []) { $0.formUnion(members($1)) } }
        return (schema as? [String: Any] ?? [:]).reduce(into: []) { names, entry in
            if entry.key == "properties", let own = entry.value as? [String: Any] { names.formUnion(own.keys) }
            names.formUnion(members(entry.value))
        }
    }

    /// Returns the faults of `document`, one line each. The result is empty if the document is valid.
    func problems(in document: Data) throws -> [String] {
        try problems(JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed), root, "$")
    }

    private func problems(_ value: Any, _ schema: [String: Any], _ path: String) throws -> [String] {
        try schema.sorted { $0.key < $1.key }.flatMap { keyword, rule in
            try problems(value, keyword: keyword, rule: rule, schema: schema, path)
        }
    }

    private func problems(
        _ value: Any, keyword: String, rule: Any, schema: [String: Any], _ path: String
    ) throws -> [String] {
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description": return []
        case "$ref": return try problems(value, definition(rule), path)
        case "type": return Self.types(rule).contains { Self.isOf(value, $0) } ? [] : ["\(path) is not of type \(rule)"]
        case "const": return Self.equal(value, rule) ? [] : ["\(path) is not \(rule)"]
        case "enum":
            return (rule as? [Any] ?? []).contains { Self.equal(value, $0) } ? [] : ["\(path) is none of \(rule)"]
        case "minimum":
            return Self.number(value).map { $0 >= Self.number(rule) ?? 0 } ?? true
                ? [] : ["\(path) is less than \(rule)"]
        case "maximum":
            return Self.number(value).map { $0 <= Self.number(rule) ?? 0 } ?? true
                ? [] : ["\(path) is more than \(rule)"]
        case "minLength":
            return (value as? String).map { $0.count >= rule as? Int ?? 0 } ?? true ? [] : ["\(path) is too short"]
        case "minItems":
            return (value as? [Any]).map { $0.count >= rule as? Int ?? 0 } ?? true ? [] : ["\(path) has too few items"]
        case "pattern": return try matches(value, rule) ? [] : ["\(path) does not match \(rule)"]
        case "required": return missing(value, rule, path)
        case "properties", "items": return try nested(value, keyword, rule, path)
        case "additionalProperties":
            return try additional(value, rule, known: schema["properties"] as? [String: Any] ?? [:], path)
        case "oneOf":
            let fits = try (rule as? [[String: Any]] ?? []).filter { try problems(value, $0, path).isEmpty }
            return fits.count == 1 ? [] : ["\(path) fits \(fits.count) alternatives instead of one"]
        case "not":
            return try problems(value, rule as? [String: Any] ?? [:], path).isEmpty
                ? ["\(path) fits what it must not"] : []
        default: throw UnsupportedKeyword(name: keyword)
        }
    }

    private func definition(_ reference: Any) throws -> [String: Any] {
        let name = (reference as? String ?? "").replacingOccurrences(of: "#/$defs/", with: "")
        guard let definition = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
            throw UnsupportedKeyword(name: "$ref \(name)")
        }
        return definition
    }

    private func missing(_ value: Any, _ rule: Any, _ path: String) -> [String] {
        guard let object = value as? [String: Any] else { return [] }
        return (rule as? [String] ?? []).filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
    }

    private func nested(_ value: Any, _ keyword: String, _ rule: Any, _ path: String) throws -> [String] {
        let rules = rule as? [String: Any] ?? [:]
        if keyword == "items" {
            return try (value as? [Any] ?? []).enumerated().flatMap { try problems($1, rules, "\(path)[\($0)]") }
        }
        guard let object = value as? [String: Any] else { return [] }
        return try rules.flatMap { name, rule in
            try object[name].map { try problems($0, rule as? [String: Any] ?? [:], "\(path).\(name)") } ?? []
        }
    }

    private func additional(_ value: Any, _ rule: Any, known: [String: Any], _ path: String) throws -> [String] {
        let others = (value as? [String: Any] ?? [:]).filter { known[$0.key] == nil }
        guard let schema = rule as? [String: Any] else {
            return others.keys.sorted().map { "\(path).\($0) is unknown" }
        }
        return try others.flatMap { try problems($1, schema, "\(path).\($0)") }
    }

    private func matches(_ value: Any, _ rule: Any) throws -> Bool {
        guard let text = value as? String, let pattern = rule as? String else { return true }
        return try text.firstMatch(of: Regex(pattern)) != nil
    }

    private static func types(_ rule: Any) -> [String] { rule as? [String] ?? [rule as? String ?? ""] }

    private static func number(_ value: Any) -> Double? { isBoolean(value) ? nil : (value as? NSNumber)?.doubleValue }

    private static func isBoolean(_ value: Any) -> Bool {
        guard let number = value as? NSNumber else { return false }
        return String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
    }

    private static func isOf(_ value: Any, _ type: String) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "null": value is NSNull
        case "boolean": isBoolean(value)
        case "number": number(value) != nil
        case "integer": number(value).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }

    private static func equal(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? String, let right = right as? String { return left == right }
        if let left = number(left), let right = number(right) { return left == right }
        return false
    }
}
