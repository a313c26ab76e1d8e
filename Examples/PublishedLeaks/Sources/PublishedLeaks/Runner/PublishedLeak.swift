/// A leak that others have published, next to the same program with the published mend.
struct PublishedLeak {
    /// The name on the command line.
    let name: String
    /// The text that a report on the leak must contain.
    let expected: Expectation
    /// Makes objects of the leaking class, which stay alive for good reasons while the detector works.
    let innocents: (_ count: Int) -> [AnyObject]
    /// Whether each run replaces one of the innocent objects with a new one. Not possible if they are registered in a
    /// place that keeps them.
    var replacesInnocents = true
    /// Further texts that the report must contain, if there is more than one mistake.
    var alsoReported: [String] = []
    /// A leak of a system library that the mended program cannot avoid, as the report names it; `nil` without such a
    /// leak.
    var leakOfSystem: String?
    /// The round trip with the mistake.
    let leaky: Body
    /// The round trip with the published mend.
    let fixed: Body

    /// A round trip, with or without suspension.
    enum Body {
        case synchronous(() throws -> Void)
        case asynchronous(() async throws -> Void)

        var isAsynchronous: Bool { if case .asynchronous = self { true } else { false } }
    }

    /// The cause of a leak, in the words that a report must use for it.
    struct Expectation {
        /// The class that leaks.
        let leakedClass: String
        /// The property or the registry that holds the object, in one of these forms.
        let holders: [String]
        /// The function or property that a user must change, in one of these forms.
        let changes: [String]
        /// The texts of which the advice in the headline must contain one: one of `changes`, or the case's file.
        let advice: [String]

        /// An expectation with one or more forms of each text.
        ///
        /// A property such as `Room.delegate` is also accepted in the form that a path has, `Room: .delegate`. A
        /// function is in the file of the caller: the advice then names a line of that file.
        init(
            _ leakedClass: String, heldBy holders: String..., change changes: String..., fileID: String = #fileID
        ) {
            self.leakedClass = leakedClass
            self.holders = Self.forms(of: holders)
            self.changes = Self.forms(of: changes)
            let functions = changes.filter { $0.contains("(") || $0.hasPrefix("closure in") }
            let file = fileID.split(separator: "/").last.map { "\($0):" }
            advice = changes + (functions.isEmpty ? [] : [file].compactMap { $0 })
        }

        private static func forms(of texts: [String]) -> [String] {
            texts + texts.map { $0.replacing(".", with: ": .", maxReplacements: 1) }
        }
    }
}
