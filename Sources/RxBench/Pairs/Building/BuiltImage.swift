import Foundation
import RxBench

/// A compiled side: its objects, from which images of any layout are linked, kept in a folder of the cache.
package struct BuiltImage: Sendable, Equatable {
    /// The folder of the cache.
    let folder: String
    /// The short name of what was compiled: sources, compiler and flags.
    package let key: String

    private struct Contents: Codable {
        let link: LinkCommand
        /// File names in the folder.
        let objects: [String]
    }

    /// Keeps `objects` as the compiled form of `key`, all of them or nothing.
    static func store(_ link: LinkCommand, objects: [String], key: String, in cache: String) throws -> BuiltImage {
        let folder = "\(cache)/\(key)"
        let partial = "\(folder).\(getpid()).partial"
        try? FileManager.default.removeItem(atPath: partial)
        defer { try? FileManager.default.removeItem(atPath: partial) }
        var names: [String] = []
        for object in objects {
            // The module's folder and the file: names are unique with it, and the same in every version.
            let name = object.split(separator: "/").suffix(2).joined(separator: "/")
            try SourceTree.copy(object, to: "\(partial)/\(name)")
            names.append(name)
        }
        try AtomicFile.write(
            Array(try JSONEncoder().encode(Contents(link: link, objects: names))), to: "\(partial)/contents.json")
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: partial, toPath: folder)
        return BuiltImage(folder: folder, key: key)
    }

    /// The objects that are kept for `key`, or `nil`.
    static func find(_ key: String, in cache: String) -> BuiltImage? {
        let folder = "\(cache)/\(key)"
        guard FileManager.default.fileExists(atPath: "\(folder)/contents.json") else { return nil }
        // Entries that were used last are removed last.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder)
        return BuiltImage(folder: folder, key: key)
    }

    /// Whether the image with the layout `layout` is in the cache.
    func isLinked(layout: Int) -> Bool { FileManager.default.fileExists(atPath: path(layout: layout)) }

    private func path(layout: Int) -> String { "\(folder)/image-\(layout).so" }

    /// The path of the image with the layout `layout`, linked if it is not there.
    ///
    /// - Throws: ``BuildFailure`` with the linker's words.
    package func image(layout: Int) throws -> String {
        let path = path(layout: layout)
        if isLinked(layout: layout) { return path }
        guard let data = FileManager.default.contents(atPath: "\(folder)/contents.json"),
            let contents = try? JSONDecoder().decode(Contents.self, from: data)
        else { throw BuildFailure("The folder '\(folder)' is damaged. Remove it and run this again.") }
        try contents.link.link(contents.objects.map { "\(folder)/\($0)" }, layout: layout, to: path, in: folder)
        return path
    }
}
