extension Retention: CustomStringConvertible {
    /// The grade, one line a step, and what to change in the last one.
    public var description: String {
        let shape = isCycle ? "a cycle" : "a chain"
        let heading = "\(subject) is held by \(shape), \(grade):"
        let last = isCycle ? "  \(subject), where the cycle closes" : "  \(subject)"
        return ([heading] + steps.map { "  \($0)" } + [last, advice]).joined(separator: "\n")
    }
}

extension RetentionStep: CustomStringConvertible {
    /// `closure in ViewModel.bind() at ViewModel.swift:42: capture self`, for example.
    public var description: String {
        let place = file.map { file in " at " + file + (line.map { ":\($0)" } ?? "") } ?? ""
        return "\(holder)\(place): \(edge)" + (isTyped ? "" : " (untyped)")
    }
}

extension RetentionGrade: CustomStringConvertible {
    /// `proven`, or `likely: ` and the reason.
    public var description: String {
        switch self {
        case .proven: "proven"
        case .likely(let reason): "likely: \(reason)"
        }
    }
}
