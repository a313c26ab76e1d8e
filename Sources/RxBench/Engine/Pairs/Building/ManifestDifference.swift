import Foundation

/// Compares two manifests of one package in the form in which the package manager reads them.
enum ManifestDifference {
    /// Returns whether the manifests in two folders build the code that both have in different ways.
    ///
    /// A target, product or dependency that only `new` has does not build any code of `old`. Every other difference
    /// matters: the settings of a target, the requirements of a dependency, traits, the language mode and the tools
    /// version.
    ///
    /// - Parameter isShared: Whether the folder of a target, relative to the package's folder, is taken from head on
    ///   both sides.
    static func matters(_ old: String, _ new: String, isShared: (String) -> Bool) -> Bool {
        guard let before = read(old), let after = read(new) else { return true }
        let partial: Set = ["targets", "products", "dependencies", "packageKind", "name"]
        func rest(_ manifest: [String: Any]) -> NSDictionary {
            manifest.filter { !partial.contains($0.key) } as NSDictionary
        }
        if rest(before) != rest(after) { return true }
        let targets = named(after, "targets")
        for (name, target) in named(before, "targets") {
            let folder = target["path"] as? String ?? "Sources/\(name)"
            if target["type"] as? String == "test" || isShared(folder) { continue }
            if let other = targets[name], target as NSDictionary != other as NSDictionary { return true }
        }
        let dependencies = identified(after)
        return identified(before).contains { identity, dependency in
            dependencies[identity].map { $0 != dependency } ?? false
        }
    }

    private static func named(_ manifest: [String: Any], _ key: String) -> [String: [String: Any]] {
        let elements = manifest[key] as? [[String: Any]] ?? []
        return Dictionary(
            elements.compactMap { element in (element["name"] as? String).map { ($0, element) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns dependencies by identity. Each dependency is a dictionary that maps the name of its kind to a list with
    /// one description.
    private static func identified(_ manifest: [String: Any]) -> [String: NSDictionary] {
        var dependencies: [String: NSDictionary] = [:]
        for dependency in manifest["dependencies"] as? [[String: [[String: Any]]]] ?? [] {
            for description in dependency.values.joined() {
                guard let identity = description["identity"] as? String else { continue }
                // The path is ignored, because two copies of the repository have the same dependency at two absolute
                // paths.
                dependencies[identity] = description.filter { $0.key != "path" } as NSDictionary
            }
        }
        return dependencies
    }

    private static func read(_ folder: String) -> [String: Any]? {
        guard let swift = ChildProcess.find("swift"),
            let output = ChildProcess.output(
                of: swift, ["package", "--package-path", folder, "dump-package"], timeoutSeconds: 120)
        else { return nil }
        return (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    }
}
