import ArgumentParser
import Foundation
import RxBench
import RxTrace

/// The files that a search for leaks writes for other tools.
struct LeakFiles: ParsableArguments {
    @Option(help: ArgumentHelp("JUnit's XML, which every CI shows.", valueName: "file"))
    var junit: String?
    @Option(help: ArgumentHelp("SARIF 2.1.0, for code scanning.", valueName: "file"))
    var sarif: String?
    @Option(help: ArgumentHelp("Folded stacks, for flame graphs.", valueName: "file"))
    var folded: String?
    @Option(help: ArgumentHelp("For speedscope.app.", valueName: "file"))
    var speedscope: String?

    /// Refuses a file that could not be written, before the search that would fill it.
    func check(and baseline: String?) throws(CommandFailure) {
        try OutputFile.check([junit, sarif, folded, speedscope, baseline])
    }

    func write(_ document: LeakDocument) throws(CommandFailure) {
        let root = FileManager.default.currentDirectoryPath
        let formats: [(String?, any LeakFormat)] = [
            (junit, JUnitReport()), (sarif, SARIFReport(sourceRoot: root)), (folded, FoldedStacks()),
            (speedscope, Speedscope()),
        ]
        for case (let path?, let format) in formats {
            try OutputFile.write(format.text(of: document), to: path)
            Console.note("\(format.name) in '\(path)'.")
        }
    }
}
