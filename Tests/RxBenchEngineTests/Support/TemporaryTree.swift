import Foundation

@testable import RxBenchEngine

extension SourceTree {
    /// Makes a temporary folder with `files`, a dictionary from path to text.
    static func temporary(_ files: [String: String]) throws -> SourceTree {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-tree-\(UUID().uuidString)").path
        for (path, text) in files {
            let file = "\(folder)/\(path)"
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        }
        return SourceTree(folder: folder)
    }

    /// Returns the text of the file at `path`.
    func text(_ path: String) throws -> String { try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) }

    /// Removes the folder.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
