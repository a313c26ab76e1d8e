import Foundation
import RxBench

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
