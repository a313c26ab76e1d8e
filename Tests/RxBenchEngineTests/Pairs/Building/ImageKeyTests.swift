import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Key of an image") struct ImageKeyTests {
    private let tree: SourceTree
    private let dependency: SourceTree

    init() throws {
        dependency = try SourceTree.temporary([
            "Package.swift": "let package = 1", "Sources/Dependency/One.swift": "let one = 1",
            "Sources/Dependency/include/One.h": "int one;",
            "Tests/T.swift": "test", ".build/debug/One.swift": "built",
        ])
        tree = try SourceTree.temporary([
            "Package.swift": ".package(name: \"rx\", path: \"\(dependency.folder)\")",
            "Sources/Suite/main.swift": "suite", "Sources/Work/Work.swift": "work",
            "Tests/T.swift": "test", "README.md": "page",
        ])
    }

    private func remove() {
        tree.remove()
        dependency.remove()
    }

    private func key(pins: String = "/nowhere") throws -> String {
        let compared = try ComparedPaths(paths: [], root: tree.folder, package: "", product: "Suite")
        return compared.key(
            of: tree, root: tree.folder, package: "", product: "Suite", compiler: "c", flags: [], pins: pins)
    }

    /// Returns whether the key changes when `text` is written to the file at `path`.
    private func changes(_ tree: SourceTree, _ path: String, _ text: String = "other") throws -> Bool {
        let before = try key()
        let file = "\(tree.folder)/\(path)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return try key() != before
    }

    @Test func `what is compiled changes the key`() throws {
        defer { remove() }
        #expect(try changes(tree, "Sources/Work/Work.swift"))
        #expect(try changes(tree, "Sources/Work/New.swift"))
        #expect(try changes(tree, "Sources/Shim/include/Shim.h"))
    }

    @Test func `what is not compiled changes no key`() throws {
        defer { remove() }
        for path in [
            "notes.txt", "Sources/Work/notes.txt", "Tests/T.swift", "README.md", ".github/workflow.yml",
            "results/a.json", "Sources/Work/Page.md",
        ] {
            #expect(try !changes(tree, path), "\(path)")
        }
    }

    @Test func `a package that is depended on by its path is a part of the key, as far as it is compiled`() throws {
        defer { remove() }
        #expect(try changes(dependency, "Sources/Dependency/One.swift", "let one = 1 // the same"))
        #expect(try changes(dependency, "Sources/Dependency/include/One.h"))
        #expect(try changes(dependency, "Package.swift", "let package = 2"))
        for path in ["notes.txt", "Tests/T.swift", ".build/debug/One.swift"] {
            #expect(try !changes(dependency, path), "\(path)")
        }
    }

    @Test func `a package within the tree is a part of the key if another one names its folder`() throws {
        defer { remove() }
        #expect(try !changes(tree, "Examples/App/Package.swift", ".package(path: \"../..\")"))
        #expect(try !changes(tree, "Examples/App/Sources/App/main.swift"))
        #expect(try changes(tree, "Package.swift", ".package(path: \"Examples/App/\")"))
        #expect(try changes(tree, "Examples/App/Sources/App/main.swift", "another"))
    }

    @Test func `so is one that this one depends on`() throws {
        let farther = try SourceTree.temporary(["Package.swift": "", "Sources/Farther/Two.swift": "let two = 2"])
        defer {
            remove()
            farther.remove()
        }
        let name = (farther.folder as NSString).lastPathComponent
        try ".package(path: \"../\(name)\")".write(
            toFile: "\(dependency.folder)/Package.swift", atomically: false, encoding: .utf8)
        #expect(try changes(farther, "Sources/Farther/Two.swift"))
    }

    @Test func `the versions of dependencies are a part of the key, wherever they stand`() throws {
        defer { remove() }
        let pins = "\(dependency.folder)/pins.json"
        try "one".write(toFile: pins, atomically: false, encoding: .utf8)
        let one = try key(pins: pins)
        try "two".write(toFile: pins, atomically: false, encoding: .utf8)
        #expect(try key(pins: pins) != one)
        // Equal versions give the same key, whether they are in the commit or in the folder.
        try "one".write(toFile: "\(tree.folder)/Package.resolved", atomically: false, encoding: .utf8)
        #expect(try key(pins: pins) == one)
    }

    @Test func `where a manifest has resources, other files of its folders change the key too`() throws {
        defer { remove() }
        #expect(try changes(tree, "Package.swift", "resources: [.process(\"Page.html\")]"))
        #expect(try changes(tree, "Sources/Work/Page.html"))
        #expect(try !changes(tree, "notes.txt"))
    }

    @Test func `a manifest for a version of the tools is read like the other`() throws {
        defer { remove() }
        #expect(try !changes(tree, "Sources/Work/Page.html"))
        #expect(try changes(tree, "Package@swift-6.1.swift", "resources: [.process(\"Page.html\")]"))
        #expect(try changes(tree, "Sources/Work/Page.html", "another"))
    }
}

@Suite("Retired names") struct RetiredNamesTests {
    private func retired(_ base: [String: String], _ head: [String: String]) throws -> [String] {
        let (old, new) = (try SourceTree.temporary(base), try SourceTree.temporary(head))
        defer {
            old.remove()
            new.remove()
        }
        return BenchmarkFiles(of: old).names { $0.hasPrefix("Benchmarks/") }
            .subtracting(BenchmarkFiles(of: new).names()).sorted()
    }

    @Test func `a benchmark that head's sources name no more is retired`() throws {
        let base = """
            import RxBench
            let all = [Benchmark("operator/map", decides: "x"), push("operator/merge?sources=8"), \
            push("operator/sum?count=\\(count)"), text("No name.")]
            """
        let head = "import RxBench\nlet all = [Benchmark(\"operator/map\", decides: \"x\")]\n"
        #expect(
            try retired(["Benchmarks/a.swift": base], ["Benchmarks/b.swift": head]) == [
                "operator/merge?sources=8", "operator/sum?count=…",
            ])
        #expect(try retired(["Benchmarks/a.swift": base], ["Benchmarks/b.swift": base]) == [])
        // The compared code, tests, and files that define no benchmarks are not read.
        #expect(try retired(["Sources/a.swift": base, "Tests/a.swift": base], ["Benchmarks/b.swift": head]) == [])
        #expect(
            try retired(
                ["Benchmarks/a.swift": base.replacing("import RxBench", with: "")], ["Benchmarks/b.swift": head]) == [])
    }
}
