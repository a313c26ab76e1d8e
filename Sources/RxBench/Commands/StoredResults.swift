import RxBench
import RxBenchReport

extension ResultStore {
    /// The result that `text` names, or the failure that ends a command: a newer format is not comparable, all else is
    /// wrong usage.
    func load(
        _ text: String, machine: String, hasSamples: Bool = true
    ) throws(CommandFailure) -> (path: String, result: RunResult) {
        do {
            return try result(named: text, machine: machine, hasSamples: hasSamples)
        } catch {
            if case .newer = error { throw CommandFailure(code: .notComparable, message: error.description) }
            throw CommandFailure(code: .usage, message: error.description)
        }
    }

    /// The figures of all stored results that can be used, oldest first; a warning for every other.
    func usableSummaries() -> [ResultSummary] {
        ResultStore.summaries(of: files).compactMap { summary in
            switch summary {
            case .success(let result): return result
            case .failure(let error):
                Console.warn("\(error.description) It is left out.")
                return nil
            }
        }
    }
}

extension RunResult {
    /// Refuses a result that must not be compared with this one; warns where that is allowed.
    func checkComparable(to other: RunResult, allowDifferent: Bool) throws(CommandFailure) {
        let obstacles = ResultComparison.obstacles(self, other)
        if let obstacle = obstacles.first, !allowDifferent {
            let rest = obstacles.count > 1 ? ", and \(obstacles.dropFirst().joined(separator: ", and "))" : ""
            throw CommandFailure(
                code: .notComparable,
                message:
                    """
                    The results are not comparable: \(obstacle)\(rest). Add '--allow-different' to compare them \
                    all the same.
                    """
            )
        }
        for reservation in obstacles + ResultComparison.reservations(self, other) {
            Console.warn("\(reservation); differences may not be the code's.")
        }
    }
}
