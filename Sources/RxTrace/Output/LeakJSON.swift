#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON with every figure, for programs; `results/schema/leaks-v1.schema.json` describes it.
public struct LeakJSON: LeakFormat {
    /// `json`.
    public let name = "json"
    /// What reads it.
    public let readers = "programs: every figure, with a version"

    /// The format.
    public init() {}

    /// The whole document as JSON with sorted keys.
    public func text(of document: LeakDocument) -> String { JSONValue.text(of: document) }

    /// The document that `text(of:)` wrote.
    ///
    /// - Throws: `DecodingError` for text of another form.
    public func document(in bytes: [UInt8]) throws -> LeakDocument {
        try JSONDecoder().decode(LeakDocument.self, from: Data(bytes))
    }
}
