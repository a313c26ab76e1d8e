/// The document of another tool that a result was made from.
public struct ImportSource: Codable, Sendable, Equatable {
    /// The form of the document, as `rxbench import --format` calls it: `jmh`.
    public let format: String
    /// The tool that wrote it.
    public let tool: Reading<String>
    /// That tool's version.
    public let toolVersion: Reading<String>
    /// When the figures were measured, ISO 8601 in UTC.
    public let date: Reading<String>

    /// Describes a document.
    public init(format: String, tool: Reading<String>, toolVersion: Reading<String>, date: Reading<String>) {
        self.format = format
        self.tool = tool
        self.toolVersion = toolVersion
        self.date = date
    }

    /// Why a result lacks what every run of this tool has.
    public static let silence = "the imported file does not say"

    /// What results must share to be compared: the tool, or the form of the document where the tool is not known.
    public var origin: String { Self.origin(format: format, tool: tool.value) }

    static func origin(format: String, tool: String?) -> String {
        tool.map { "imported from \($0)" } ?? "imported from a \(format) document"
    }
}
