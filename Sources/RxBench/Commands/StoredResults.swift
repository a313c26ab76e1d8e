import RxBench

extension ResultStore {
    /// The result that `text` names, or the failure that ends a command: a newer format is not comparable, all else is wrong usage.
    func load(_ text: String, machine: String) throws(CommandFailure) -> (path: String, result: RunResult) {
        do {
            return try result(named: text, machine: machine)
        } catch {
            if case .newer = error { throw CommandFailure(code: .notComparable, message: error.description) }
            throw CommandFailure(code: .usage, message: error.description)
        }
    }
}
