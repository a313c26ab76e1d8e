import ArgumentParser
import Foundation
import RxBenchEngine

extension ArgumentHelp {
    /// Returns the help of an option whose value is shown as `<name>`.
    static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
}

extension CompletionKind {
    /// Completes the IDs of all benchmarks.
    static var ids: CompletionKind {
        .custom { _, _, _ in RxBenchMain.current.catalog.benchmarks.map(\.id.text) }
    }
}

extension ParsableArguments {
    /// Throws an error if a value is not a valid number of seconds.
    func checkSeconds(_ option: String, _ value: Double?, atMost most: Int = 86_400) throws {
        if let value, !(value > 0 && value <= Double(most)) {
            throw ValidationError("'\(option) \(value)' is not between 0 and \(most) seconds.")
        }
    }

    /// Throws an error if a value is not a valid percentage.
    func checkPercent(_ option: String, _ value: Double?, canBeZero: Bool = false) throws {
        if let value, !(value > 0 && value < 1000 || canBeZero && value == 0) {
            throw ValidationError("'\(option) \(value)' is not between 0 and 1000 per cent.")
        }
    }
}

/// The folder where results are stored.
struct StoreOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: .value("folder", "The folder of stored results.")) var output = "results"

    var store: ResultStore { ResultStore(folder: output) }
}

/// The options of 'run' and 'merge' that say where to store a result and how to show it.
struct ResultOptions: ParsableArguments {
    @OptionGroup var stored: StoreOptions
    @Flag(help: "Do not store the result.") var noStore = false
    @Flag(help: "Write the result as JSON to standard output instead of tables.") var json = false
    @Flag(help: "Write Markdown tables.") var markdown = false
}

/// The order in which processes measure.
struct OrderOptions: ParsableArguments {
    @Option(help: .value("number", "Fixes the order of the processes. (default: random)")) var seed: UInt32?

    /// Returns the given seed, or a random one.
    func drawSeed() -> UInt64 { UInt64(seed ?? UInt32.random(in: 0 ... .max)) }
}

/// The options of 'run' and 'ab' that say how to measure.
struct MeasuringOptions: ParsableArguments {
    @OptionGroup var order: OrderOptions
    @Option(help: .value("seconds", "A process that takes longer has failed, in seconds.")) var timeout = 60.0
    @Option(
        help: .value(
            "name",
            "What allocates where time is measured: system or jemalloc, which counts always use. (default: system)"))
    var allocator = TimeAllocator.system

    func validate() throws { try checkSeconds("--timeout", timeout) }
}

extension TimeAllocator: ExpressibleByArgument {}

/// The options of 'compare' and 'report' for comparing two results.
struct ComparisonOptions: ParsableArguments {
    @Option(help: .value("percent", "The difference of a time that does not matter, in per cent.")) var margin = 5.0
    @Flag(help: "Compare results of different machines, configurations or tracing all the same.")
    var allowDifferent = false

    func validate() throws { try checkPercent("--margin", margin, canBeZero: true) }
}

/// The options of 'compare' for checking a result against budgets.
struct BudgetOptions: ParsableArguments {
    @Option(help: .value("file", "The file of budgets that the result is held to.")) var budget: String?
    @Flag(help: "Set the budgets to the current counts. Higher ones need '--reason'.")
    var updateBudget = false
    @Option(help: .value("text", "Why budgets may rise. It is stored with each budget that does.")) var reason: String?

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

    /// Checks `result` against the budgets. Returns `nil` if no budget file is given. `base` is the commit whose
    /// budgets were in force before. `isOfPart` says whether the command's own filter has narrowed the result.
    func check(_ result: RunResult, base: Commit?, allowDifferent: Bool, isOfPart: Bool) throws -> BudgetCheck? {
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
        return BudgetCheck(result, against: budgets, earlier: earlier, known: Self.known, isOfPart: isOfPart)
    }

    /// Updates the budget file, and returns the updates and the new budgets.
    func update(with result: RunResult) throws -> (updates: [Budgets.Update], budgets: Budgets) {
        guard let budget else { preconditionFailure("Budgets without a file passed validation.") }
        var budgets = Budgets(conditions: Budgets.Conditions(result.environment))
        if FileManager.default.fileExists(atPath: budget) {
            budgets = try load(budget)
        }
        try Self.refuse(result, budgets, allowDifferent: false)
        let updates = budgets.update(with: result, known: Self.known, reason: reason)
        try OutputFile.replace(budget, by: budgets.encoded(), advice: "Name another file with '--budget'.")
        return (updates, budgets)
    }

    private func load(_ path: String) throws(CommandFailure) -> Budgets {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.usage, BudgetError.unreadable(path).description)
        }
        do { return try Budgets.decoded(from: Array(data), name: path) } catch {
            if case .newer = error { throw CommandFailure(.notComparable, error.description) }
            throw CommandFailure(.usage, error.description)
        }
    }

    private static func refuse(_ result: RunResult, _ budgets: Budgets, allowDifferent: Bool) throws(CommandFailure) {
        guard let obstacle = budgets.obstacle(result) else { return }
        guard allowDifferent else {
            throw CommandFailure(
                .notComparable,
                "The result cannot be held to the budgets: \(obstacle). Measure with a build like the budgets'.")
        }
        Console.warn("\(obstacle); differences may not be the code's.")
    }

    private static var known: Set<String> { Set(RxBenchMain.current.catalog.benchmarks.map(\.id.text)) }

    /// Reads the budgets as they were at a commit, through git.
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

/// The files that a search for leaks or races writes for other tools.
struct FindingFiles: ParsableArguments {
    @Option(help: .value("file", "JUnit's XML, which every CI shows.")) var junit: String?
    @Option(help: .value("file", "SARIF 2.1.0, for code scanning.")) var sarif: String?

    /// Refuses these files, and `other`, before the search if they could not be written.
    func check(and other: String? = nil) throws(CommandFailure) { try OutputFile.check([junit, sarif, other]) }

    func write(junit: @autoclosure () -> String, sarif: @autoclosure () -> String) throws(CommandFailure) {
        if let path = self.junit {
            try OutputFile.write(junit(), to: path)
            Console.note("junit in '\(path)'.")
        }
        if let path = self.sarif {
            try OutputFile.write(sarif(), to: path)
            Console.note("sarif in '\(path)'.")
        }
    }
}
