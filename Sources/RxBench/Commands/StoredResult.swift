import RxBench
import RxBenchReport

/// Results that a command names.
enum StoredResult {
    /// Reads the result that `text` names.
    static func load(_ text: String, _ store: ResultStore, _ machine: String) throws(CommandFailure) -> (path: String, result: RunResult) {
        do {
            return try store.result(named: text, machine: machine)
        } catch {
            if case .newer = error { throw CommandFailure(code: .notComparable, message: error.description) }
            throw CommandFailure(code: .usage, message: error.description)
        }
    }

    /// Refuses two results that must not be compared; warns where that is allowed.
    static func checkComparable(_ first: RunResult, _ second: RunResult, allowDifferent: Bool) throws(CommandFailure) {
        let obstacles = ResultComparison.obstacles(first, second)
        if let obstacle = obstacles.first, !allowDifferent {
            let rest = obstacles.count > 1 ? ", and \(obstacles.dropFirst().joined(separator: ", and "))" : ""
            throw CommandFailure(
                code: .notComparable,
                message: "The results are not comparable: \(obstacle)\(rest). Add '--allow-different' to compare them all the same.")
        }
        for obstacle in obstacles { Console.warn("\(obstacle); differences may not be the code's.") }
    }
}
