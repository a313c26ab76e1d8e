import Foundation
import RxBench
import RxBenchEngine

/// A package that a new suite measures.
struct ProjectPackage {
    let folder: URL
    let name: String
    /// The name of the library product that contains ``subject``, the first type that the suite measures.
    let product: String
    let subject: PublicType
    /// The names of the package's targets. The suite must not use any of them.
    let targets: Set<String>

    /// Reads the package at `folder` through the package manager.
    init(at folder: URL) throws(CommandFailure) {
        guard let swift = ChildProcess.find("swift"),
            let output = ChildProcess.output(
                of: swift, ["package", "--package-path", folder.path, "dump-package"], timeoutSeconds: 300),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(output.utf8))
        else {
            throw CommandFailure(
                .usage,
                """
                The package at '\(folder.path)' cannot be read. 'swift package dump-package' says why; an empty folder \
                elsewhere takes a suite without a package.
                """)
        }
        let libraries = manifest.products.filter { $0.type.library != nil }
        guard !libraries.isEmpty else {
            throw CommandFailure(
                .usage,
                """
                The package '\(manifest.name)' has no library product to measure. Add '.library(name: "…", targets: \
                ["…"])' to its products.
                """)
        }
        let targets = Dictionary(manifest.targets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var best: (product: String, type: PublicType)?
        for product in libraries {
            for target in product.targets {
                guard let target = targets[target], target.type == "regular" else { continue }
                let files = Self.sources(of: target, in: folder)
                // The library has no public type yet, so the suite measures nothing until a call is added.
                let type =
                    PublicTypes(module: target.moduleName, files: files).all.first
                    ?? PublicType(
                        module: target.moduleName, name: target.moduleName, kind: .nothing, expression: "opaque(0)")
                if best.map({ type.kind.rawValue < $0.type.kind.rawValue }) ?? true { best = (product.name, type) }
            }
        }
        guard let best else {
            throw CommandFailure(
                .usage,
                """
                The libraries of '\(manifest.name)' have no Swift module to measure. Write the suite in a folder \
                elsewhere, and add the package to its manifest.
                """)
        }
        self.folder = folder
        name = manifest.name
        self.targets = Set(targets.keys)
        (product, subject) = best
    }

    private static func sources(of target: Manifest.Target, in folder: URL) -> [String] {
        let places =
            target.path.map { [$0] } ?? ["Sources/\(target.name)", "Source/\(target.name)", "src/\(target.name)"]
        let root = places.map { folder.appending(path: $0) }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
        guard let root, let all = FileManager.default.enumerator(atPath: root.path) else { return [] }
        return all.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted()
            .compactMap { try? String(contentsOfFile: root.appending(path: $0).path, encoding: .utf8) }
    }

    /// A manifest in the format that `swift package dump-package` prints.
    private struct Manifest: Decodable {
        let name: String
        let products: [Product]
        let targets: [Target]

        struct Product: Decodable {
            let name: String
            let targets: [String]
            let type: Kind
        }

        struct Kind: Decodable {
            let library: [String]?
        }

        struct Target: Decodable {
            let name: String
            let type: String
            let path: String?

            /// The name in `import` statements.
            var moduleName: String {
                String(
                    name.unicodeScalars.map { scalar in
                        let isWord = CharacterSet.alphanumerics.contains(scalar) || scalar == "_"
                        return Character(isWord ? scalar : "_")
                    })
            }
        }
    }
}
