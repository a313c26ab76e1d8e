import Foundation

/// The command that links an executable. It is read from the package manager's build plan and changed so that it links
/// an image.
struct LinkCommand: Codable, Equatable {
    /// The compiler's driver. Its `arguments` are stored without the objects and the output.
    let driver: String
    let arguments: [String]

    /// Returns the link command of `product` in the plan at `path`, with the objects that it links.
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

    /// Converts the arguments that link an executable to arguments that link a dynamic library. The library exports
    /// only the image's interface.
    init(executable words: [String]) {
        driver = words[0]
        var kept: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "-o": _ = rest.popFirst()
            case "-emit-executable": kept.append("-emit-library")
            // Both images and the tool must share one Swift runtime. With separate runtimes, they could not even
            // exchange an error.
            case "-g", "-static-stdlib", "-static-executable": break
            case _ where word.hasPrefix("@"): break
            case _ where word.hasPrefix("main="): kept.append("rxbench_image_" + word)
            default: kept.append(word)
            }
        }
        arguments = kept
    }

    /// Removes the quotes that enclose paths with spaces in lists of objects.
    private static func unquoted(_ line: String) -> String {
        let line = line.trimmingCharacters(in: .whitespaces)
        return line.count > 1 && line.hasPrefix("'") && line.hasSuffix("'") ? String(line.dropFirst().dropLast()) : line
    }

    /// The result of linking the objects.
    enum Form: String {
        /// A library that the tool loads in addition to another image.
        case image
        /// A separate program, linked in the same way as by the package manager.
        case program
    }

    /// Returns the arguments that link `form`. The stored arguments link an image. For a program, `main` gets its
    /// original name back.
    private func arguments(for form: Form, exports: String) -> [String] {
        guard form == .image else {
            return arguments.map { word in
                word == "-emit-library" ? "-emit-executable" : word.replacing("rxbench_image_main=", with: "main=")
            }
        }
        // The image contains neither its path nor a build identifier, so images of the same code are equal files.
        return arguments
            + ["--version-script=\(exports)", "--build-id=none", "-soname=rxbench-image.so"].flatMap {
                ["-Xlinker", $0]
            }
    }

    /// Links `objects` to the image or program at `path`. `layout` determines the order of the objects.
    func link(_ objects: [String], layout: Int, as form: Form, to path: String, in folder: String) throws {
        let list = "\(folder)/objects-\(layout).list"
        let exports = "\(folder)/exports.map"
        let lines = Self.order(objects, layout: layout).map { "'\($0)'\n" }
        try AtomicFile.write(Array(lines.joined().utf8), to: list)
        // All other symbols are local to the image, so the other image cannot find them and the tool cannot override
        // them.
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

    /// Returns the objects in the order of a hash of their names. Two versions of one program have the same order for
    /// the same layout number, except for objects that only one version has.
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

/// A compiled side. Its objects, from which images of any layout are linked, are stored in a folder of the cache.
package struct BuiltImage: Sendable, Equatable {
    /// The side's folder in the cache.
    let folder: String
    /// The hash of the sources, compiler and flags.
    package let key: String

    private struct Contents: Codable {
        let link: LinkCommand
        /// The names of files in the folder.
        let objects: [String]
    }

    /// Stores `objects` as the compiled form of `key`. Stores either all of them or none.
    ///
    /// - Parameter resources: The resource bundles that were built with the objects.
    static func store(
        _ link: LinkCommand, objects: [String], resources: [String] = [], key: String, in cache: String
    ) throws -> BuiltImage {
        let folder = "\(cache)/\(key)"
        let partial = "\(folder).\(getpid()).partial"
        try? FileManager.default.removeItem(atPath: partial)
        defer { try? FileManager.default.removeItem(atPath: partial) }
        var names: [String] = []
        for object in objects {
            // The name of the module's folder and the file name identify an object together, and they are the same in
            // every version.
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

    /// Returns the side that is stored for `key`, or `nil`.
    static func find(_ key: String, in cache: String) -> BuiltImage? {
        let folder = "\(cache)/\(key)"
        guard FileManager.default.fileExists(atPath: "\(folder)/contents.json") else { return nil }
        // The entry's date is updated, so that the most recently used entries are removed last.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder)
        return BuiltImage(folder: folder, key: key)
    }

    /// The format of an image's folder. A folder in an older format is not used as an image of this tool. For example,
    /// it has no resources to compare.
    static let format = "objects and resources"

    /// The folder with the resource bundles, inside the image's folder.
    private static let resources = "resources"

    /// Returns the resources that differ from `other`, each by its bundle and name. Privacy manifests are ignored: they
    /// are intended for app stores, and no code reads them.
    func differingResources(from other: BuiltImage) -> [String] {
        func tree(_ image: BuiltImage) -> SourceTree { SourceTree(folder: "\(image.folder)/\(Self.resources)") }
        return tree(self).differences(from: tree(other)).filter { !$0.hasSuffix("/PrivacyInfo.xcprivacy") }
    }

    /// Whether the image or program with the layout `layout` is in the cache.
    func isLinked(layout: Int, as form: LinkCommand.Form = .image) -> Bool {
        FileManager.default.fileExists(atPath: path(layout: layout, form))
    }

    /// Returns the path of the image or program with the layout `layout`, whether or not it is linked.
    func path(layout: Int, _ form: LinkCommand.Form) -> String {
        form == .image ? "\(folder)/image-\(layout).so" : "\(folder)/program-\(layout)"
    }

    /// Returns the path of the image with the layout `layout`. Links the image if it doesn't exist.
    ///
    /// - Throws: ``BuildFailure`` with the linker's messages.
    package func image(layout: Int) throws -> String { try linked(layout: layout, as: .image) }

    /// Returns the path of the image or program with the layout `layout`. Links it if it doesn't exist.
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
