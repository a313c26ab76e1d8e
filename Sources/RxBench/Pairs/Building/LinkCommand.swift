import Foundation
import RxBench

/// How an executable is linked, read from the package manager's build plan, and how its objects become an image
/// instead.
struct LinkCommand: Codable, Equatable {
    /// The compiler's driver and its arguments, without objects and output.
    let driver: String
    let arguments: [String]

    /// The link of `product` in the plan at `path`, with the objects that it links.
    static func read(
        product: String, plan path: String
    ) throws(BuildFailure) -> (command: LinkCommand, objects: [String]) {
        let plan = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for line in plan.split(separator: "\n") where line.contains("\"-emit-executable\"") {
            guard let start = line.firstIndex(of: "["),
                let words = try? JSONDecoder().decode([String].self, from: Data(line[start...].utf8)),
                let output = words.firstIndex(of: "-o"), output + 1 < words.count,
                (words[output + 1] as NSString).lastPathComponent == product,
                let list = words.first(where: { $0.hasPrefix("@") && $0.hasSuffix(".LinkFileList") }),
                let objects = try? String(contentsOfFile: String(list.dropFirst()), encoding: .utf8)
            else { continue }
            return (LinkCommand(executable: words), objects.split(separator: "\n").map { unquoted(String($0)) })
        }
        throw BuildFailure(
            """
            The package manager's plan '\(path)' does not say how '\(product)' is linked. 'ab' reads the plans of \
            Swift 6.2 to 6.3.
            """
        )
    }

    /// The arguments that link an executable, turned into those for a dynamic library that exports the image's
    /// interface alone.
    init(executable words: [String]) {
        driver = words[0]
        var kept: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "-o": _ = rest.popFirst()
            case "-emit-executable": kept.append("-emit-library")
            // Both images share one runtime with the tool; each with its own could not exchange as much as an error.
            case "-g", "-static-stdlib", "-static-executable": break
            case _ where word.hasPrefix("@"): break
            case _ where word.hasPrefix("main="): kept.append("rxbench_image_" + word)
            default: kept.append(word)
            }
        }
        arguments = kept
    }

    /// Paths with spaces are quoted in lists of objects.
    private static func unquoted(_ line: String) -> String {
        let line = line.trimmingCharacters(in: .whitespaces)
        return line.count > 1 && line.hasPrefix("'") && line.hasSuffix("'") ? String(line.dropFirst().dropLast()) : line
    }

    /// What objects are linked to.
    enum Form: String {
        /// A library that the tool loads next to another.
        case image
        /// A program of its own, linked as the package manager does it.
        case program
    }

    /// The arguments that link `form`. Those that are kept link an image; a program has its own `main` again.
    private func arguments(for form: Form, exports: String) -> [String] {
        guard form == .image else {
            return arguments.map { word in
                word == "-emit-library" ? "-emit-executable" : word.replacing("rxbench_image_main=", with: "main=")
            }
        }
        // Neither its path nor an identifier of its own: images of the same code are the same file.
        return arguments
            + ["--version-script=\(exports)", "--build-id=none", "-soname=rxbench-image.so"].flatMap {
                ["-Xlinker", $0]
            }
    }

    /// Links `objects` in an order that `layout` fixes, to the image or program at `path`.
    func link(_ objects: [String], layout: Int, as form: Form, to path: String, in folder: String) throws {
        let list = "\(folder)/objects-\(layout).list"
        let exports = "\(folder)/exports.map"
        let lines = Self.order(objects, layout: layout).map { "'\($0)'\n" }
        try AtomicFile.write(Array(lines.joined().utf8), to: list)
        // Everything else is the image's own: nothing of it is found by the other image, or overridden by the tool.
        try AtomicFile.write(Array("{ global: rxbench_image_*; local: *; };\n".utf8), to: exports)
        defer { unlink(list) }
        let partial = "\(path).partial"
        let child = try ChildProcess(
            executable: driver,
            arguments: arguments(for: form, exports: exports)
                + ["-o", partial, "-use-ld=gold", "@\(list)", "-Xlinker", "-s"],
            interruption: SIGINT)
        let result = try child.wait(timeoutSeconds: 300)
        guard result.ending == .exited(0), rename(partial, path) == 0 else {
            unlink(partial)
            let words = CompilerMessage.summary(String(decoding: result.output, as: UTF8.self) + result.complaints)
            throw BuildFailure("A side cannot be linked. The linker said:\n\(words)")
        }
    }

    /// The objects in the order of a hash of their names: the same layout number gives two versions of one program the
    /// same order, except for objects that only one of them has.
    static func order(_ objects: [String], layout: Int) -> [String] {
        func key(_ object: String) -> String {
            var hash = ContentHash()
            hash.add("\(layout)")
            hash.add(object.split(separator: "/").suffix(2).joined(separator: "/"))
            return hash.text
        }
        return objects.map { (key($0), $0) }.sorted { $0 < $1 }.map(\.1)
    }
}

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
    ///
    /// - Parameter resources: The bundles of resources that were built with them.
    static func store(
        _ link: LinkCommand, objects: [String], resources: [String] = [], key: String, in cache: String
    ) throws -> BuiltImage {
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
        for bundle in resources {
            try SourceTree.copy(bundle, to: "\(partial)/\(Self.resources)/\((bundle as NSString).lastPathComponent)")
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

    /// What an image's folder holds. An older one is no image of this tool's: it has no resources to compare, for
    /// example.
    static let format = "objects and resources"

    /// The folder with the bundles of resources, in that of the image.
    private static let resources = "resources"

    /// The resources that are not the same on `other`'s side, by their bundles and names. A privacy manifest is for
    /// stores of apps; no code reads it.
    func differingResources(from other: BuiltImage) -> [String] {
        func tree(_ image: BuiltImage) -> SourceTree { SourceTree(folder: "\(image.folder)/\(Self.resources)") }
        return tree(self).differences(from: tree(other)).filter { !$0.hasSuffix("/PrivacyInfo.xcprivacy") }
    }

    /// Whether the image or program with the layout `layout` is in the cache.
    func isLinked(layout: Int, as form: LinkCommand.Form = .image) -> Bool {
        FileManager.default.fileExists(atPath: path(layout: layout, form))
    }

    /// The path of the image or program with the layout `layout`, linked or not.
    func path(layout: Int, _ form: LinkCommand.Form) -> String {
        form == .image ? "\(folder)/image-\(layout).so" : "\(folder)/program-\(layout)"
    }

    /// The path of the image with the layout `layout`, linked if it is not there.
    ///
    /// - Throws: ``BuildFailure`` with the linker's words.
    package func image(layout: Int) throws -> String { try linked(layout: layout, as: .image) }

    /// The path of the image or program with the layout `layout`, linked if it is not there.
    func linked(layout: Int, as form: LinkCommand.Form) throws -> String {
        let path = path(layout: layout, form)
        if isLinked(layout: layout, as: form) { return path }
        guard let data = FileManager.default.contents(atPath: "\(folder)/contents.json"),
            let contents = try? JSONDecoder().decode(Contents.self, from: data)
        else { throw BuildFailure("The folder '\(folder)' is damaged. Remove it and run this again.") }
        try contents.link.link(
            contents.objects.map { "\(folder)/\($0)" }, layout: layout, as: form, to: path, in: folder)
        return path
    }
}
