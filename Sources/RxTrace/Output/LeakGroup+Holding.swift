extension LeakGroup {
    /// Who holds what leaks, as plain data.
    public struct Holding: Codable, Sendable, Equatable {
        /// The type of what is held.
        public let subject: String
        /// The holders, the outermost first.
        public let steps: [Step]
        /// How many holders at the beginning form a cycle; 0 for a chain that begins at a global.
        public let cycleLength: Int
        /// How sure the answer is.
        public let grade: Grade
        /// Why the answer is not proven; `nil` if it is.
        public let doubt: String?
        /// What to change, in a sentence.
        public let advice: String
        /// The whole in one line: the class that leaks, how it is held, and what to change; `nil` in what an earlier
        /// version has written.
        public let headline: String?

        /// How sure an answer is.
        public enum Grade: String, Codable, Sendable {
            /// Every edge and every reference is accounted for.
            case proven
            /// The chain is there, and something is not accounted for.
            case likely
        }

        /// One holder, and through what it holds the next.
        public struct Step: Codable, Sendable, Equatable {
            /// Who holds.
            public let holder: String
            /// Through what.
            public let edge: String
            /// The file of a closure.
            public let file: String?
            /// The line of a closure in its file.
            public let line: Int?
            /// Whether the reference was read by its type.
            public let isTyped: Bool
        }

        init(_ retention: Retention) {
            subject = retention.subject
            steps = retention.steps.map {
                Step(holder: $0.holder, edge: $0.edge, file: $0.file, line: $0.line, isTyped: $0.isTyped)
            }
            cycleLength = retention.cycleLength
            switch retention.grade {
            case .proven: (grade, doubt) = (.proven, nil)
            case .likely(let doubt): (grade, self.doubt) = (.likely, doubt)
            }
            advice = retention.advice
            headline = retention.headline
        }
    }
}
