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
        for case let path? in [junit, sarif, folded, speedscope, baseline] {
            let parent = (path as NSString).deletingLastPathComponent
            try Self.refuseUnlessOrdinary(path)
            guard FileManager.default.isWritableFile(atPath: parent.isEmpty ? "." : parent) else {
                throw CommandFailure(
                    code: .usage,
                    message:
                        "'\(path)' is in no folder that can be written to. Create the folder, or name another file.")
            }
        }
    }

    func write(_ document: LeakDocument) throws(CommandFailure) {
        let root = FileManager.default.currentDirectoryPath
        let formats: [(String?, any LeakFormat)] = [
            (junit, JUnitReport()), (sarif, SARIFReport(sourceRoot: root)), (folded, FoldedStacks()),
            (speedscope, Speedscope()),
        ]
        for case (let path?, let format) in formats {
            try Self.write(format.text(of: document), to: path)
            Console.note("\(format.name) in '\(path)'.")
        }
    }

    static func write(_ text: String, to path: String) throws(CommandFailure) {
        try refuseUnlessOrdinary(path)
        do { try AtomicFile.write(Array(text.utf8), to: path) } catch {
            throw CommandFailure(code: .usage, message: error.description)
        }
    }

    /// Lets a file be replaced, but nothing else: a rename onto a device would take its place.
    private static func refuseUnlessOrdinary(_ path: String) throws(CommandFailure) {
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else {
            throw CommandFailure(
                code: .usage, message: "'\(path)' is no ordinary file and is not replaced. Name a file.")
        }
    }
}
