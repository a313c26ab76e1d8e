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

/// The files that options name for other tools to read.
enum OutputFile {
    /// Refuses those of `paths` that could not be written, before the work that would fill them.
    static func check(_ paths: [String?]) throws(CommandFailure) {
        for case let path? in paths {
            let parent = (path as NSString).deletingLastPathComponent
            try refuseUnlessOrdinary(path)
            guard FileManager.default.isWritableFile(atPath: parent.isEmpty ? "." : parent) else {
                throw CommandFailure(
                    code: .usage,
                    message:
                        "'\(path)' is in no folder that can be written to. Create the folder, or name another file.")
            }
        }
    }

    /// Writes all of `text`, or nothing.
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
