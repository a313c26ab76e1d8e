import ArgumentParser
import Foundation
import HeapTrace
import RxBench
import RxBenchEngine
import RxBenchRaces
import Synchronization

/// The complete command line tool, for any suites.
///
/// ```swift compiled
/// import RxBenchCommands
///
/// RxBenchMain.run([mySuite])
/// ```
/// If the program links the product `RxTraceObjects`, the tool also counts the objects, retains and releases of an
/// iteration.
public enum RxBenchMain {
    /// Runs the tool with the arguments of the process and exits with the tool's exit code.
    ///
    /// - Parameters:
    ///   - suites: The benchmark suites that the tool can measure.
    ///   - probes: Creates probes for further exact metrics, in addition to allocations and live resources. The closure
    ///     runs in each worker process. A probe of `liveResources` replaces the built-in one.
    public static func run(_ suites: [Suite], probes: @escaping @Sendable () -> [any MetricProbe] = { [] }) -> Never {
        run(suites, probes: probes, recipe: nil)
    }

    /// ``run(_:probes:)`` for the tool of this repository. `recipe` describes how its images are built for comparisons.
    package static func run(
        _ suites: [Suite], probes: @escaping @Sendable () -> [any MetricProbe] = { [] }, recipe: ImageRecipe?
    ) -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(code(of: arguments, suites, { CoreProbes.all(replacedBy: probes()) }, recipe))
    }

    private static func code(
        of arguments: [String], _ suites: [Suite], _ probes: @escaping @Sendable () -> [any MetricProbe],
        _ recipe: ImageRecipe?
    ) -> Int32 {
        do {
            // A comparison has loaded this code as one of its two sides, so it must not run as a tool.
            if Image.isLoaded { Image.serve(suites, probes: probes) }
            let catalog = try Catalog(suites)
            PairWorker.runIfAsked(arguments)
            if arguments.first == Worker.verb {
                Worker.run(Array(arguments.dropFirst()), catalog: catalog, probes: probes)
            }
            if arguments.first == LeakWorker.verb {
                _exit(LeakWorker.run(Array(arguments.dropFirst()), catalog: catalog))
            }
            if arguments.first == RaceMain.verb {
                let races = Race.all(in: suites)
                _exit(RaceMain.answer(Array(arguments.dropFirst()), races, CoreProbes.invariants))
            }
            Console.prepare()
            context.withLock { $0 = CommandContext(catalog: catalog, arguments: arguments, recipe: recipe) }
            if let failure = RootCommand.refusal(of: arguments) { throw failure }
            var command = try RootCommand.parseAsRoot(arguments)
            try command.run()
            return code(0)
        } catch let failure as CommandFailure {
            // If the system ran out of processes, that is the cause of the failure, and it is reported instead.
            if Interruption.shortage == nil { Console.complain(failure.message) }
            return code(failure.code.rawValue)
        } catch let error as CatalogError {
            Console.complain(error.description)
            return Outcome.usage.rawValue
        } catch let exit as ExitCode {
            return code(exit.rawValue)
        } catch {
            // Requests for help and unreadable arguments have their own exit codes. Any other error would end with
            // 1, which means that something got worse.
            let exit = RootCommand.exitCode(for: error)
            guard exit == .failure else {
                if exit == .success {
                    let text = RootCommand.fullMessage(for: error, columns: .max)
                    let shown =
                        isForPrograms(arguments) ? text : folded(text, to: Console.resultColumns ?? 80)
                    Console.print(Array("\(shown)\n".utf8))
                } else {
                    Console.note(named(RootCommand.fullMessage(for: error)))
                }
                return code(exit.rawValue)
            }
            Console.complain("Nothing was concluded, as something unexpected failed: \(reason(of: error))")
            return code(Outcome.failed.rawValue)
        }
    }

    /// Whether the arguments ask for a completion script, or for the JSON that `generate-manual` reads. Further line
    /// breaks would spoil either.
    private static func isForPrograms(_ arguments: [String]) -> Bool {
        arguments.contains { $0.hasPrefix("--generate-completion-script") || $0 == "--experimental-dump-help" }
    }

    /// The name of the command that runs this tool. A tool that users build for their own suites has another name.
    static let name = (Bundle.main.executablePath.map { $0 as NSString } ?? "rxbench").lastPathComponent

    /// The word that starts this tool again from the current folder. It is the word that was typed, without the path of
    /// the current folder if it begins with that path.
    static var invocation: String {
        guard let typed = CommandLine.arguments.first, typed.contains("/") else { return name }
        let folder = FileManager.default.currentDirectoryPath + "/"
        return typed.hasPrefix(folder) ? String(typed.dropFirst(folder.count)) : typed
    }

    /// The executable file that worker processes are started from.
    static var executable: String {
        get throws(CommandFailure) {
            if let path = Bundle.main.executablePath { return path }
            throw CommandFailure(.failed, "The tool cannot find its own executable to start workers.")
        }
    }

    /// Returns the help text `text` with `rxbench` replaced by this tool's name.
    static func named(_ text: String) -> String {
        guard name != "rxbench" else { return text }
        return text.replacing(#/(?<before>^|[ '(])rxbench(?<after>[ '])/#.anchorsMatchLineEndings()) {
            "\($0.before)\(name)\($0.after)"
        }
    }

    /// Returns `help` with this tool's name, wrapped to lines of at most `width` characters. Each line of `help` is one
    /// paragraph.
    ///
    /// A line with two columns is continued in its second column. A line with one column, or with a second column that
    /// is too narrow, is continued with an indentation.
    static func folded(_ help: String, to width: Int) -> String {
        named(help).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > width else { return String(line) }
            let indentation = line.prefix { $0 == " " }.count
            let narrow = String(repeating: " ", count: indentation == 2 ? 6 : indentation)
            guard let match = line.wholeMatch(of: #/(?<first> *[^ ].*?)(?<gap>  +)(?<second>[^ ].*)/#) else {
                return TextTable.wrapped(String(line), to: width, indenting: narrow)
            }
            let column = match.first.count + match.gap.count
            let indent = column <= width / 2 ? String(repeating: " ", count: column) : narrow
            let second = TextTable.wrapped(indent + match.second, to: width, indenting: indent)
            return column <= width / 2
                ? "\(match.first)\(match.gap)\(second.dropFirst(column))" : "\(match.first)\n\(second)"
        }.joined(separator: "\n")
    }

    /// Returns the system's description of a failure, with the name of the file concerned.
    private static func reason(of error: any Error) -> String {
        if let file = error as? FileError { return file.description }
        let known = error as NSError
        let cause = known.userInfo[NSUnderlyingErrorKey] as? NSError
        let file = known.userInfo[NSFilePathErrorKey] as? String
        let sentence = (cause ?? known).localizedDescription
        return file.map { "'\($0)': \(sentence)" } ?? sentence
    }

    /// Returns the exit code of the process. This is `code`, unless the machine ran out of processes, or the command
    /// succeeded but its output could not be written.
    private static func code(_ code: Int32) -> Int32 {
        if let shortage = Interruption.shortage {
            Console.complain(shortage)
            return Outcome.inconclusive.rawValue
        }
        guard let complaint = Console.complaint else { return code }
        Console.complain(complaint)
        return code == 0 ? Outcome.usage.rawValue : code
    }

    /// The context of the running command. Argument-parser creates commands from their types, so the context cannot be
    /// passed to them.
    private static let context = Mutex<CommandContext?>(nil)

    static var current: CommandContext {
        guard let context = context.withLock({ $0 }) else {
            preconditionFailure("A command ran outside RxBenchMain.run.")
        }
        return context
    }
}

/// The context in which the commands run.
struct CommandContext: Sendable {
    let catalog: Catalog
    let arguments: [String]
    let recipe: ImageRecipe?
}

/// The tool's exit codes.
enum Outcome: Int32 {
    case fine = 0
    case regression = 1
    case failed = 3
    case inconclusive = 4
    case notComparable = 5
    case usage = 64
}

/// An error that ends a command with one sentence on standard error.
struct CommandFailure: Error {
    let code: Outcome
    let message: String

    init(_ code: Outcome, _ message: String) {
        self.code = code
        self.message = message
    }
}

struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: RxBenchMain.name,
        abstract:
            "Measures benchmarks exactly (allocations) and statistically (time), stores results and compares them.",
        discussion: """
            Examples:
              rxbench list                         what can be measured, and why
              rxbench run                          measure everything and store it
              rxbench run merge tag:stateless      part of an ID, or a tag
              rxbench run 'operator/*?depth=12'    a star stands for any characters
              rxbench compare previous latest      what changed between two runs
              rxbench compare a1b2c3 latest        what changed since a commit
              rxbench compare latest --gate --budget results/budgets.json   for CI
              rxbench ab main                      is the working tree slower than main?
              rxbench merge shards/*/*.json        one result of many machines' parts
              rxbench export --format benchstat    the newest result for another tool
              rxbench trend merge                  between which commits figures changed
              rxbench explain chain/mixed          where the time of a chain goes
              rxbench doctor                       whether this machine is fit to measure
              rxbench init MyBenchmarks --path .   a package with a suite of your own
              rxbench report                       the latest result as one HTML page
              rxbench leaks                        what repeated runs leak, and its holders
              rxbench races                        where the interleavings of a race lead
              rxbench --generate-completion-script zsh   completion for your shell
              rxbench --version                    which rxbench and which compiler

            Exit codes: 0 fine; 1 regression, count over budget, leak or forbidden outcome; 3 a benchmark itself \
            failed; 4 inconclusive, a machine that 'doctor' finds unfit, or one that can start no process; 5 not \
            comparable; 64 wrong usage or a file that cannot be read or written. Times change the exit code of 'ab', \
            which measures both sides in turns, and of 'compare --gate-time'.
            """,
        version: version,
        subcommands: [
            RunCommand.self, ListCommand.self, CompareCommand.self, ABCommand.self, MergeCommand.self,
            TrendCommand.self, ReportCommand.self,
            ExplainCommand.self, LeaksCommand.self, RacesCommand.self, ExportCommand.self,
            DoctorCommand.self, InitCommand.self,
        ])

    /// The text of '--version': the package's version, the result format and the Swift version that the tool was built
    /// with.
    private static let version =
        "\(RxBenchMain.name) 1.0.0, result format \(RunResult.currentSchemaVersion), Swift "
        + Compiler.version

    /// Returns an error if `arguments` begin with a word that is not a verb.
    static func refusal(of arguments: [String]) -> CommandFailure? {
        let verbs = configuration.subcommands.map { $0._commandName } + ["help"]
        guard let word = arguments.first, !word.isEmpty, !word.hasPrefix("-"), !verbs.contains(word) else { return nil }
        let advice = Selection.meant(by: word, among: verbs).map { " \($0)" } ?? ""
        return CommandFailure(
            .usage, "'\(word)' is no verb.\(advice) '\(RxBenchMain.name) --help' lists all verbs.")
    }

    /// Prints what to do first. Runs if no verb is given.
    func run() throws {
        let count = Figures.counted(RxBenchMain.current.catalog.benchmarks.count, "benchmark")
        let words = """
            Begin with:
              rxbench doctor --quick           whether this machine is fit to measure
              rxbench run --quick --no-store   a first look at \(count)
              rxbench list                     the families of benchmarks, a line each
              rxbench run                      everything, stored below 'results'
              rxbench compare previous latest  what changed between two runs
              rxbench ab main                  is the working tree slower than main?
              rxbench leaks                    what repeated runs leak, and its holders
              rxbench races                    where the interleavings of a race lead
            """
        Console.print(RxBenchMain.named(words))
        Console.verdict(
            RxBenchMain.named("'rxbench --help' shows every verb, and how to complete them in your shell."),
            outcome: .fine)
    }
}

/// The built-in probes, and the probes of the reactive core, which the engine does not depend on.
enum CoreProbes {
    /// Returns `others` and the built-in probes, except those that measure a metric of `others`.
    static func all(replacedBy others: [any MetricProbe]) -> [any MetricProbe] {
        let replaced = Set(others.flatMap(\.metrics))
        return [liveResources, ObjectProbe()].filter { replaced.isDisjoint(with: $0.metrics) } + others
    }

    /// The number of live reactive resources that an iteration leaves behind.
    static var liveResources: any MetricProbe {
        TotalProbe(MetricDefinition(name: Metric.liveResources, unit: "count/iteration")) {
            if TracedResources.areCounted { return .value(Double(TracedResources.total)) }
            return .unavailable(
                HeapRole.areKnown
                    ? "this build does not count resources; build with '--traits \(LeakTrials.traits)'"
                    : "this program does not use 'Rx'")
        }
    }

    /// The invariant that a race search checks after each execution: there are as many live resources as before the
    /// execution.
    static var invariants: [RaceInvariant] {
        TracedResources.areCounted ? [RaceInvariant("live resources") { TracedResources.total }] : []
    }

    /// Whether this program counts live resources.
    static var isTracing: Bool { TracedResources.areCounted }
}
