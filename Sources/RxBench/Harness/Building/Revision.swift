/// What one side of a comparison is made of: a commit, or the files as they lie in the working tree.
public enum Revision: Sendable, Equatable {
    /// A commit by its full hash.
    case commit(String)
    /// Tracked and new files of the working tree.
    case workingTree

    /// How reports call it.
    public var name: String {
        switch self {
        case .commit(let hash): String(hash.prefix(12))
        case .workingTree: "working tree"
        }
    }
}
