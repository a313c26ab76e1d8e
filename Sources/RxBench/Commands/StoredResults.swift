import Foundation
import RxBenchEngine

extension ResultStore {
    /// Loads the result that `text` names. If the result has a newer format, throws a failure with the code
    /// `notComparable`. All other errors are usage errors.
    func load(
        _ text: String, machine: String
    ) throws(CommandFailure) -> (path: String, result: RunResult) {
        do {
            return try result(named: text, machine: machine)
        } catch {
            if case .newer = error { throw CommandFailure(.notComparable, error.description) }
            throw CommandFailure(.usage, error.description)
        }
    }

    /// Stores `result` and prints where. If that fails, ends the command with advice, which includes running `verb`
    /// with '--no-store'.
    func keep(_ result: RunResult, verb: String = "run") throws(CommandFailure) {
        Console.note("Stored in '\(try advising(verb) { () throws(FileError) in try store(result) })'.")
    }

    /// Throws an error if the results folder is not writable. Called before the run whose result would be stored there.
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

    /// Returns the figures of all usable stored results, with the oldest first. Prints a warning for every other
    /// result.
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
    /// Throws an error if the result must not be compared with `other`. Prints a warning instead if `allowDifferent` is
    /// true.
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

/// Writes the output files that options name.
enum OutputFile {
    /// Throws an error if one of the files cannot be written. Called before the work whose results are written to them.
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

    /// Writes all of `bytes`, or nothing. `advice` is part of the error if `path` is not a regular file.
    static func write(_ bytes: [UInt8], to path: String, advice: String) throws(CommandFailure) {
        try refuseUnlessOrdinary(path, advice: advice)
        try replace(path, by: bytes)
    }

    /// Writes all of `bytes`, or nothing, to a path that is a regular file or does not exist.
    static func replace(_ path: String, by bytes: [UInt8], advice: String? = nil) throws(CommandFailure) {
        do { try AtomicFile.write(bytes, to: path) } catch {
            throw CommandFailure(.usage, "\(error)\(advice.map { " \($0)" } ?? "")")
        }
    }

    /// Throws an error if `path` exists and is not a regular file: a rename over a device would replace the device.
    private static func refuseUnlessOrdinary(_ path: String, advice: String) throws(CommandFailure) {
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else {
            throw CommandFailure(.usage, "'\(path)' is no ordinary file and is not replaced. \(advice)")
        }
    }
}
