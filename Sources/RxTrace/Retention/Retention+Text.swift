extension Retention: CustomStringConvertible {
    /// The grade, one line a step, and what to change in the last one.
    public var description: String { (way + [advice]).joined(separator: "\n") }

    /// The grade, and one line a step.
    var way: [String] {
        var lines = ["\(subject) is held by \(isCycle ? "a cycle" : "a chain"), \(grade):"]
        for (index, step) in steps.enumerated() {
            lines.append("  \(step)")
            if index + 1 == cycleLength {
                lines.append(
                    "  \(steps[0].holder), where the cycle closes"
                        + (steps.count > cycleLength ? ", and from there" : ""))
            }
        }
        if steps.count > cycleLength { lines.append("  \(subject)") }
        return lines
    }
}

extension RetentionStep: CustomStringConvertible {
    /// `closure in ViewModel.bind() at ViewModel.swift:42: capture self`, for example.
    public var description: String {
        let place = file.map { file in " at " + file + (line.map { ":\($0)" } ?? "") } ?? ""
        return holder + place + (edge.isEmpty ? "" : ": " + edge) + (isTyped ? "" : " (untyped)")
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
