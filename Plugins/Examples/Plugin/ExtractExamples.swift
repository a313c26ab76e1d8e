import Foundation
import PackagePlugin

/// Turns the code examples of doc comments and Markdown pages into tests of the target that uses this plugin.
///
/// Runs one command for each page, so that only changed pages are extracted again. See `Documentation/Examples.md`.
@main
struct ExtractExamples: BuildToolPlugin {
    /// The places to search for pages, relative to the package's folder.
    private static let places = ["README.md", "CONTRIBUTING.md", "Documentation", "Sources", "results/README.md"]

    /// The target's folder of pages with planted faults: its tests check that these are found.
    private static let planted = "Planted"

    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let root = context.package.directoryURL
        let extractor = try context.tool(named: "ExampleExtractor").url
        let plantedPages = pages(in: target.directoryURL.appending(path: Self.planted))
        let allPages = Self.places.flatMap { pages(in: root.appending(path: $0)) }
        return (allPages.map { ($0, "tested") } + plantedPages.map { ($0, "planted") }).map { page, use in
            let name = page.path.dropFirst(root.path.count).drop { $0 == "/" }
            let file = name.map { $0.isLetter || $0.isNumber ? $0 : "_" }
            let output = context.pluginWorkDirectoryURL.appending(path: String(file) + ".swift")
            return .buildCommand(
                displayName: "Extracting examples of \(name)", executable: extractor,
                arguments: [use, page.path, String(name), scenery(for: String(name), in: root), output.path],
                inputFiles: [page], outputFiles: [output])
        }
    }

    /// The names in scope for the examples of a page, from `Tests/ExampleScenery/<Name>Scenery.swift`. The name is the
    /// page's name, or the name of the innermost folder that has such a file.
    private func scenery(for name: String, in root: URL) -> String {
        let names = name.split(separator: "/").reversed().map { "\($0.prefix { $0 != "." })Scenery" }
        let folder = root.appending(path: "Tests/ExampleScenery")
        return names.first { FileManager.default.fileExists(atPath: folder.appending(path: $0 + ".swift").path) }
            ?? "EverydayScenery"
    }

    /// The pages at or below a place that may contain an example, each once; the extractor rejects false matches.
    private func pages(in place: URL) -> [URL] {
        let below =
            FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return ([place] + below).filter { page in
            guard ["swift", "md"].contains(page.pathExtension),
                (try? page.resourceValues(forKeys: [.isSymbolicLinkKey]))?.isSymbolicLink != true,
                let text = try? String(contentsOf: page, encoding: .utf8)
            else { return false }
            return text.contains("```") || page.pathExtension == "swift" && text.contains("///     ")
        }.sorted { $0.path < $1.path }
    }
}
