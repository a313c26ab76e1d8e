/// What to do to have the Swift objects of all types followed.
enum ObjectsHint {
    /// A sentence, with a space before it; empty where they are followed already.
    static var sentence: String {
        sentence(isLinked: isLinked, isFollowing: RxTrace.followed.contains { $0.name == counter })
    }

    static func sentence(isLinked: Bool, isFollowing: Bool) -> String {
        if isFollowing { return "" }
        return isLinked
            ? " Set 'RxTrace.followsObjects' to follow all Swift objects."
            : " Link 'RxTraceObjects' to follow all Swift objects."
    }

    /// The name of the counter that follows them.
    static let counter = "objects"

    /// Whether the product is in this process: it cannot be imported here, as it stands before the runtime's functions
    /// wherever it is linked.
    static var isLinked: Bool { _typeByName("14RxTraceObjects11LiveObjectsV") != nil }
}
