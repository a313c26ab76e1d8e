/// A text form of what searches for leaks have found.
///
/// A formatter is a pure function of a document; it reads no clock, no file and no symbol.
public protocol LeakFormat: Sendable {
    /// What the format is called on a command line: `sarif`.
    var name: String { get }
    /// What reads it, in a few words.
    var readers: String { get }
    /// The whole text, ending in a line feed. O(*n*) in the number of groups and frames.
    func text(of document: LeakDocument) -> String
}

/// All formats.
public enum LeakFormats {
    /// In the order of a help text.
    public static let all: [any LeakFormat] = [
        LeakTree(), LeakJSON(), FoldedStacks(), Speedscope(), JUnitReport(), SARIFReport(),
    ]

    /// The format called `name`, or `nil`.
    public static func named(_ name: String) -> (any LeakFormat)? { all.first { $0.name == name } }
}
