import ArgumentParser
import Foundation
import RxBench
import RxBenchReport

/// Where 'run' and 'merge' store a result, and how they show it.
struct ResultOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The folder of stored results.", valueName: "folder"))
    var output = "results"
    @Flag(help: "Do not store the result.")
    var noStore = false
    @Flag(help: "Write the result as JSON to standard output instead of tables.")
    var json = false
    @Flag(help: "Write Markdown tables.")
    var markdown = false
}

/// The part of 'compare' that holds a result to budgets.
struct BudgetOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file of budgets that the result is held to.", valueName: "file"))
    var budget: String?
    @Flag(help: "Set the budgets to what was counted: lower and new ones at once, higher ones with '--reason'.")
    var updateBudget = false
    @Option(help: ArgumentHelp("Why budgets may rise; it is written beside each that does.", valueName: "text"))
    var reason: String?

    func validate() throws {
        if updateBudget, budget == nil {
            throw ValidationError("'--update-budget' needs the file: add '--budget results/budgets.json'.")
        }
        if let reason {
            if !updateBudget {
                throw ValidationError("'--reason' is written by '--update-budget'. Give both or neither.")
            }
            if reason.allSatisfy(\.isWhitespace) {
                throw ValidationError("'--reason' is empty. Say why the budgets rise.")
            }
        }
    }

    /// The check of `result`, or `nil` without budgets. `base` is the commit whose budgets were in force before.
    func check(_ result: RunResult, base: Commit?, allowDifferent: Bool) throws -> BudgetCheck? {
        guard let budget else { return nil }
        let budgets = try load(budget)
        try Self.refuse(result, budgets, allowDifferent: allowDifferent)
        var earlier: Budgets?
        if let base {
            switch Self.earlier(budget, at: base) {
            case .value(let found): earlier = found
            case .unavailable(let reason):
                Console.note("Whether budgets rose since commit '\(base.sha.prefix(12))' is unavailable: \(reason).")
            }
        }
        return BudgetCheck(result, against: budgets, earlier: earlier, known: Self.known)
    }

    /// Writes the budgets anew; the updates, and the budgets as they are now.
    func update(with result: RunResult) throws -> (updates: [Budgets.Update], budgets: Budgets) {
        guard let budget else { preconditionFailure("Budgets without a file passed validation.") }
        var budgets = Budgets(conditions: Budgets.Conditions(result.environment))
        if FileManager.default.fileExists(atPath: budget) {
            budgets = try load(budget)
        }
        try Self.refuse(result, budgets, allowDifferent: false)
        let updates = budgets.update(with: result, known: Self.known, reason: reason)
        do {
            try AtomicFile.write(budgets.encoded(), to: budget)
        } catch {
            throw CommandFailure(code: .usage, message: "\(error.description) Name another file with '--budget'.")
        }
        return (updates, budgets)
    }

    private func load(_ path: String) throws(CommandFailure) -> Budgets {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(code: .usage, message: BudgetError.unreadable(path).description)
        }
        do { return try Budgets.decoded(from: Array(data), name: path) } catch {
            if case .newer = error { throw CommandFailure(code: .notComparable, message: error.description) }
            throw CommandFailure(code: .usage, message: error.description)
        }
    }

    private static func refuse(_ result: RunResult, _ budgets: Budgets, allowDifferent: Bool) throws(CommandFailure) {
        guard let obstacle = BudgetCheck.obstacle(result, budgets) else { return }
        guard allowDifferent else {
            throw CommandFailure(
                code: .notComparable,
                message:
                    "The result cannot be held to the budgets: \(obstacle). Measure with a build like the budgets'.")
        }
        Console.warn("\(obstacle); differences may not be the code's.")
    }

    private static var known: Set<String> { Set(RxBenchMain.current.catalog.benchmarks.map(\.id.text)) }

    /// The budgets as they were at a commit, through git.
    private static func earlier(_ path: String, at commit: Commit) -> Reading<Budgets> {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let name = URL(fileURLWithPath: path).lastPathComponent
        switch Commit.file("./\(name)", at: commit.sha, in: folder) {
        case .unavailable(let reason): return .unavailable(reason)
        case .value(let text):
            guard let budgets = try? Budgets.decoded(from: Array(text.utf8), name: name) else {
                return .unavailable("'\(name)' of that commit holds no budgets")
            }
            return .value(budgets)
        }
    }
}
