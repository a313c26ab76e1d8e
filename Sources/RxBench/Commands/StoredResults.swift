import Foundation
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
            if case .newer = error { throw CommandFailure(.notComparable, error.description) }
            throw CommandFailure(.usage, error.description)
        }
    }

    /// Stores `result` and says where, or ends a command with the ways out, of which one is `verb` with '--no-store'.
    func keep(_ result: RunResult, verb: String = "run") throws(CommandFailure) {
        Console.note("Stored in '\(try advising(verb) { () throws(FileError) in try store(result) })'.")
    }

    /// Refuses a folder that could not be written to, before the run that would fill it.
    func check(machine: String) throws(CommandFailure) {
        try advising("run") { () throws(FileError) in try prepare(machine: machine) }
    }

    private func advising<Value>(
        _ verb: String, _ body: () throws(FileError) -> Value
    ) throws(CommandFailure) -> Value {
        do { return try body() } catch {
            throw CommandFailure(
                .usage, "\(error) Choose another folder with '--output', or \(verb) with '--no-store'.")
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
                .notComparable,
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

/// The files that options name for other tools to read.
enum OutputFile {
    /// Refuses those of `paths` that could not be written, before the work that would fill them.
    static func check(_ paths: [String?]) throws(CommandFailure) {
        for case let path? in paths {
            let parent = (path as NSString).deletingLastPathComponent
            try refuseUnlessOrdinary(path, advice: "Name a file.")
            guard FileManager.default.isWritableFile(atPath: parent.isEmpty ? "." : parent) else {
                throw CommandFailure(
                    .usage, "'\(path)' is in no folder that can be written to. Create the folder, or name another file."
                )
            }
        }
    }

    /// Writes all of `text`, or nothing.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        try write(Array(text.utf8), to: path, advice: "Name a file.")
    }

    /// Writes all of `bytes`, or nothing. `advice` is for what is no file.
    static func write(_ bytes: [UInt8], to path: String, advice: String) throws(CommandFailure) {
        try refuseUnlessOrdinary(path, advice: advice)
        try replace(path, by: bytes)
    }

    /// Writes all of `bytes`, or nothing, to what is a file or nothing yet.
    static func replace(_ path: String, by bytes: [UInt8], advice: String? = nil) throws(CommandFailure) {
        do { try AtomicFile.write(bytes, to: path) } catch {
            throw CommandFailure(.usage, "\(error)\(advice.map { " \($0)" } ?? "")")
        }
    }

    /// Lets a file be replaced, but nothing else: a rename onto a device would take its place.
    private static func refuseUnlessOrdinary(_ path: String, advice: String) throws(CommandFailure) {
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else {
            throw CommandFailure(.usage, "'\(path)' is no ordinary file and is not replaced. \(advice)")
        }
    }
}
