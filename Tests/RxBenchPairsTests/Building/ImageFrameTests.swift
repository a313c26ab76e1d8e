import Foundation
import Testing

import RxBench
@testable import RxBenchPairs

@Suite("Frame of an image") struct ImageFrameTests {
    @Test func `verbs and traces of this repository go, the suite's main stays`() throws {
        let tree = try SourceTree.temporary([
            "Sources/RxBench/Commands/RxBenchMain.swift": "import ArgumentParser",
            "Sources/RxBench/Commands/RunCommand.swift": "struct Run {}",
            "Sources/RxTrace/Growth.swift": "import Rx", "Sources/RxBench/Tool/main.swift": "import RxBenchCommands",
        ])
        defer { tree.remove() }
        try ImageFrame.reduce(tree)
        #expect(
            tree.files == [
                "Sources/RxBench/Commands/RxBenchMain.swift", "Sources/RxBench/Tool/main.swift",
                "Sources/RxTrace/RxBenchMain.swift",
            ])
        let main = try tree.text("Sources/RxBench/Commands/RxBenchMain.swift")
        #expect(main.contains("Image.serve(suites, probes: probes)"))
    }

    @Test func `another repository is left alone`() throws {
        let tree = try SourceTree.temporary(["Sources/Library/One.swift": "let one = 1"])
        defer { tree.remove() }
        try ImageFrame.reduce(tree)
        #expect(tree.files == ["Sources/Library/One.swift"])
    }
}

@Suite("ComparedPaths") struct ComparedPathsTests {
    private func compared(
        _ files: [String], paths: [String] = [], package: String = "", product: String = "Suite"
    ) throws -> (ComparedPaths, SourceTree) {
        let tree = try SourceTree.temporary(Dictionary(uniqueKeysWithValues: files.map { ($0, "head's \($0)") }))
        return (try ComparedPaths(paths: paths, root: tree.folder, package: package, product: product), tree)
    }

    /// The files of head that base's side has, each with whose it is.
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
                    "Package.swift": "head", "Sources/Suite/main.swift": "head", "Sources/Work/Work.swift": "base",
                    "Sources/Work/Old.swift": "base",
                ])
    }

    @Test func `a package within a project is the frame`() throws {
        let (compared, head) = try compared(
            ["Benchmarks/Package.swift", "Sources/Work/Work.swift"], package: "Benchmarks")
        defer { head.remove() }
        #expect(
            try owners(compared, head, base: ["Benchmarks/Package.swift", "Sources/Work/Work.swift"]) == [
                "Benchmarks/Package.swift": "head", "Sources/Work/Work.swift": "base",
            ])
    }

    @Test func `this repository compares its core with the C that it calls`() throws {
        let (compared, head) = try compared([
            "Sources/Rx/Rx.swift", "Sources/RxBench/x.swift", "Benchmarks/b.swift", "Sources/CRx/run.c",
            "Sources/CRx/new.c", "Sources/CRxBench/instructions.c",
        ])
        defer { head.remove() }
        #expect(compared.isShared("Benchmarks/b.swift"))
        #expect(!compared.isShared("Sources/Rx/Rx.swift"))
        // A base from before 'new.c'.
        let owners = try owners(
            compared, head, base: ["Sources/Rx/Rx.swift", "Benchmarks/b.swift", "Sources/CRx/run.c"])
        #expect(
            owners == [
                "Sources/Rx/Rx.swift": "base", "Sources/RxBench/x.swift": "head", "Benchmarks/b.swift": "head",
                "Sources/CRx/run.c": "base", "Sources/CRxBench/instructions.c": "head",
            ])
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
