import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("ImageRecipe") struct ImageRecipeTests {
    private let recipe = ImageRecipe(comparing: ["Sources/Core"], standIns: ["Sources/Verbs/Main.swift": "serve()"])

    @Test func `a stand-in takes the place of all its folder, the rest stays`() throws {
        let tree = try SourceTree.temporary([
            "Sources/Verbs/Main.swift": "parse()", "Sources/Verbs/Deep/Run.swift": "struct Run {}",
            "Sources/Tool/main.swift": "run()",
        ])
        defer { tree.remove() }
        try recipe.reduce(tree)
        #expect(tree.files == ["Sources/Tool/main.swift", "Sources/Verbs/Main.swift"])
        #expect(try tree.text("Sources/Verbs/Main.swift") == "serve()")
    }

    @Test func `a stand-in may lie in the folder of another one`() throws {
        let recipe = ImageRecipe(
            comparing: ["Sources/Core"],
            standIns: ["Sources/Verbs/Deep/page.css": "", "Sources/Verbs/Main.swift": "serve()"])
        let tree = try SourceTree.temporary([
            "Sources/Verbs/Main.swift": "parse()", "Sources/Verbs/Deep/Run.swift": "struct Run {}",
            "Sources/Verbs/Deep/page.css": "p {}",
        ])
        defer { tree.remove() }
        try recipe.reduce(tree)
        #expect(tree.files == ["Sources/Verbs/Deep/page.css", "Sources/Verbs/Main.swift"])
        #expect(try tree.text("Sources/Verbs/Deep/page.css") == "")
    }

    /// Otherwise 'rxbench ab' can't compile this repository.
    @Test func `the tool's own stand-ins replace each module that imports one of them`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../Sources").standardizedFileURL
        let tool = try String(contentsOf: sources.appendingPathComponent("RxBench/Tool/main.swift"), encoding: .utf8)
        let folders = tool.matches(of: #/"Sources\/(?<folder>[^"]*)\/[^"\/]*\.swift":/#).map { String($0.folder) }
        #expect(folders.sorted() == ["HeapTrace", "RxBench/Commands"])
        let modules = Set(folders.map { $0.replacing("/", with: "") })
        let files = FileManager.default.enumerator(atPath: sources.appendingPathComponent("RxBench").path)
        for case let file as String in files ?? .init() where file.hasSuffix(".swift") {
            let path = "RxBench/\(file)"
            if path.hasPrefix("RxBench/Tool/") || folders.contains(where: { path.hasPrefix($0 + "/") }) { continue }
            let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            let imports = text.matches(of: #/(?m)^(@testable |package )?import (?<module>\w+)/#).map {
                String($0.module)
            }
            #expect(modules.isDisjoint(with: imports), "\(path)")
        }
    }

    @Test func `a commit without the folder is left alone`() throws {
        let tree = try SourceTree.temporary(["Sources/Library/One.swift": "let one = 1"])
        defer { tree.remove() }
        try recipe.reduce(tree)
        #expect(tree.files == ["Sources/Library/One.swift"])
    }
}

@Suite("ComparedPaths") struct ComparedPathsTests {
    private func compared(
        _ files: [String], paths: [String] = [], standard: [String] = [], package: String = "",
        product: String = "Suite"
    ) throws -> (ComparedPaths, SourceTree) {
        let tree = try SourceTree.temporary(Dictionary(uniqueKeysWithValues: files.map { ($0, "head's \($0)") }))
        return (
            try ComparedPaths(
                paths: paths, standard: standard, root: tree.folder, package: package, product: product), tree
        )
    }

    /// Returns the files in head after it has taken base's files. Each maps to the side that its text comes from.
    private func owners(_ compared: ComparedPaths, _ head: SourceTree, base files: [String]) throws -> [String: String]
    {
        let base = try SourceTree.temporary(Dictionary(uniqueKeysWithValues: files.map { ($0, "base's \($0)") }))
        defer { base.remove() }
        try compared.take(from: base, into: head)
        return Dictionary(uniqueKeysWithValues: try head.files.map { ($0, String(try head.text($0).prefix(4))) })
    }

    @Test func `in a package with a suite, all but the suite is compared`() throws {
        let (compared, head) = try compared([
            "Package.swift", "Sources/Suite/main.swift", "Sources/Work/Work.swift", "Sources/Work/New.swift",
        ])
        defer { head.remove() }
        #expect(compared.isShared("Sources/Suite/main.swift"))
        #expect(!compared.isShared("Sources/Work/Work.swift"))
        #expect(
            try owners(
                compared, head,
                base: [
                    "Package.swift", "Sources/Suite/main.swift", "Sources/Work/Work.swift", "Sources/Work/Old.swift",
                ]) == [
                    "Package.swift": "base", "Sources/Suite/main.swift": "head", "Sources/Work/Work.swift": "base",
                    "Sources/Work/Old.swift": "base",
                ])
    }

    @Test func `a package within a project is the frame`() throws {
        let (compared, head) = try compared(
            ["Benchmarks/Package.swift", "Sources/Work/Work.swift"], package: "Benchmarks")
        defer { head.remove() }
        #expect(
            try owners(compared, head, base: ["Benchmarks/Package.swift", "Sources/Work/Work.swift"]) == [
                "Benchmarks/Package.swift": "base", "Sources/Work/Work.swift": "base",
            ])
    }

    @Test func `each side has its own manifest and versions, unless base has none`() throws {
        let files = [
            "Package.swift", "Package@swift-6.3.swift", "Package.resolved", "Benchmarks/Package.swift",
            "Benchmarks/Package.resolved", "Benchmarks/Sources/Benchmarks/main.swift",
        ]
        let (compared, head) = try compared(files, package: "Benchmarks")
        defer { head.remove() }
        let owners = try owners(compared, head, base: Array(files.dropLast(2)))
        #expect(owners.filter { $0.value == "head" }.keys.sorted() == Array(files.suffix(2)).sorted())
        let (named, other) = try self.compared(files + ["Sources/One/a.swift"], paths: ["Sources/One"])
        defer { other.remove() }
        #expect(!named.isShared("Package.swift") && named.isShared("Sources/Two/b.swift"))
    }

    @Test func `what both sides take from head is told apart by what it may change`() throws {
        let tree = try SourceTree.temporary([
            "Benchmarks/Sources/Benchmarks/main.swift": "import RxBench",
            "Benchmarks/Sources/Benchmarks/Inputs.swift": "",
            "Benchmarks/Sources/Work/Work.swift": "let work = 1",
        ])
        defer { tree.remove() }
        let files = BenchmarkFiles(of: tree)
        let kinds = files.uncompared(tree.files, isByName: false)
        #expect(kinds.map(\.kind) == [.benchmark, .benchmark, .code])
        #expect(kinds.map(\.spoilsComparison) == [false, false, true])
        #expect(files.uncompared(tree.files, isByName: true).map(\.spoilsComparison) == [false, false, false])
    }

    @Test func `the tool's own repository compares what the tool names`() throws {
        let (compared, head) = try compared(
            ["Sources/Core/a.swift", "Sources/CCore/run.c", "Sources/CCore/new.c", "Sources/Suite/main.swift"],
            standard: ["Sources/Core", "Sources/CCore"])
        defer { head.remove() }
        // A base that is older than 'new.c'.
        #expect(
            try owners(
                compared, head,
                base: ["Sources/Core/a.swift", "Sources/CCore/run.c", "Sources/Suite/main.swift"]) == [
                    "Sources/Core/a.swift": "base", "Sources/CCore/run.c": "base", "Sources/Suite/main.swift": "head",
                ])
    }

    @Test func `in another repository nothing that the tool names is looked for`() throws {
        let (compared, head) = try compared(
            ["Sources/Suite/main.swift", "Sources/Work/Work.swift"], standard: ["Sources/Core"])
        defer { head.remove() }
        #expect(!compared.isShared("Sources/Work/Work.swift"))
        #expect(compared.isShared("Sources/Suite/main.swift"))
    }

    @Test func `what was named is compared, and nothing else`() throws {
        let (compared, head) = try compared(["Sources/One/a.swift", "Sources/OneMore/b.swift"], paths: ["Sources/One"])
        defer { head.remove() }
        #expect(
            try owners(compared, head, base: ["Sources/One/a.swift", "Sources/OneMore/b.swift"]) == [
                "Sources/One/a.swift": "base", "Sources/OneMore/b.swift": "head",
            ])
    }

    @Test func `a path that is not there, or leads out, is refused`() {
        #expect(throws: BuildFailure.self) { try compared(["a/b.swift"], paths: ["c"]) }
        #expect(throws: BuildFailure.self) { try compared(["a/b.swift"], paths: ["a/../.."]) }
        #expect(throws: BuildFailure.self) { try compared(["a/b.swift"], product: "Nothing") }
    }
}
