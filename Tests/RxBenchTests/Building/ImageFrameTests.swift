import Foundation
import Testing

@testable import RxBench

@Suite("Frame of an image") struct ImageFrameTests {
    private func tree(_ files: [String: String]) throws -> SourceTree {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-frame-\(UUID().uuidString)").path
        for (path, text) in files {
            let file = "\(folder)/\(path)"
            try FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: false, encoding: .utf8)
        }
        return SourceTree(folder: folder)
    }

    @Test func `verbs and traces of this repository go, the suite's main stays`() throws {
        let tree = try tree([
            "Sources/RxBench/Commands/RxBenchMain.swift": "import ArgumentParser", "Sources/RxBench/Commands/RunCommand.swift": "struct Run {}",
            "Sources/RxTrace/Growth.swift": "import Rx", "Sources/RxBench/Tool/main.swift": "import RxBenchCommands",
        ])
        defer { try? FileManager.default.removeItem(atPath: tree.folder) }
        try ImageFrame.reduce(tree)
        #expect(tree.files == ["Sources/RxBench/Commands/RxBenchMain.swift", "Sources/RxBench/Tool/main.swift", "Sources/RxTrace/RxBenchMain.swift"])
        let main = try String(contentsOfFile: "\(tree.folder)/Sources/RxBench/Commands/RxBenchMain.swift", encoding: .utf8)
        #expect(main.contains("Image.serve(suites, probes: probes)"))
    }

    @Test func `another repository is left alone`() throws {
        let tree = try tree(["Sources/Library/One.swift": "let one = 1"])
        defer { try? FileManager.default.removeItem(atPath: tree.folder) }
        try ImageFrame.reduce(tree)
        #expect(tree.files == ["Sources/Library/One.swift"])
    }
}

@Suite("Subjects") struct SubjectsTests {
    private func subjects(_ files: [String], paths: [String] = [], package: String = "", product: String = "Suite") throws -> (Subjects, SourceTree) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-subjects-\(UUID().uuidString)").path
        for path in files {
            let file = "\(folder)/\(path)"
            try FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try path.write(toFile: file, atomically: false, encoding: .utf8)
        }
        return (try Subjects(paths: paths, root: folder, package: package, product: product), SourceTree(folder: folder))
    }

    @Test func `in a package with a suite, all but the suite is compared`() throws {
        let (subjects, tree) = try subjects(["Package.swift", "Sources/Suite/main.swift", "Sources/Work/Work.swift"])
        #expect(subjects.compared(in: tree, tree) == ["Sources/Work/Work.swift"])
        #expect(subjects.isShared("Sources/Suite/main.swift"))
        #expect(!subjects.isShared("Sources/Work/Work.swift"))
    }

    @Test func `a package within a project is the frame`() throws {
        let (subjects, tree) = try subjects(["Benchmarks/Package.swift", "Sources/Work/Work.swift"], package: "Benchmarks")
        #expect(subjects.compared(in: tree, tree) == ["Sources/Work/Work.swift"])
    }

    @Test func `this repository compares its core and the shims that it uses`() throws {
        let (subjects, tree) = try subjects(["Sources/Rx/Rx.swift", "Sources/RxBench/x.swift", "Benchmarks/b.swift"])
        #expect(subjects.compared(in: tree, tree).prefix(2) == ["Sources/Rx", "Sources/CPlatform/run.c"])
        #expect(subjects.isShared("Benchmarks/b.swift"))
        #expect(!subjects.isShared("Sources/Rx/Rx.swift"))
    }

    @Test func `a path that is not there, or leads out, is refused`() {
        #expect(throws: BuildFailure.self) { try subjects(["a/b.swift"], paths: ["c"]) }
        #expect(throws: BuildFailure.self) { try subjects(["a/b.swift"], paths: ["a/../.."]) }
        #expect(throws: BuildFailure.self) { try subjects(["a/b.swift"], product: "Nothing") }
    }

    @Test func `pages and tests change no key, sources do`() throws {
        let (subjects, tree) = try subjects(["Package.swift", "Sources/Suite/main.swift", "Sources/Work/Work.swift", "Tests/T.swift", "README.md"])
        func key() -> String { subjects.key(of: tree, package: "", product: "Suite", compiler: "c", flags: []) }
        let before = key()
        try "other".write(toFile: "\(tree.folder)/Tests/T.swift", atomically: false, encoding: .utf8)
        try "other".write(toFile: "\(tree.folder)/README.md", atomically: false, encoding: .utf8)
        #expect(key() == before)
        try "other".write(toFile: "\(tree.folder)/Sources/Work/Work.swift", atomically: false, encoding: .utf8)
        #expect(key() != before)
    }
}
