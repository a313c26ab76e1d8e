import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Link command") struct LinkCommandTests {
    @Test func `an executable's link becomes an image's`() {
        let command = LinkCommand(executable: [
            "/usr/bin/swiftc", "-ljemalloc", "-o", "/x/tool", "-emit-executable", "-Xlinker", "--gc-sections",
            "-Xlinker", "--defsym", "-Xlinker",
            "main=Tool_main", "@/x/tool.product/Objects.LinkFileList", "-lm", "-g",
        ])
        #expect(command.driver == "/usr/bin/swiftc")
        #expect(
            command.arguments == [
                "-ljemalloc", "-emit-library", "-Xlinker", "--gc-sections", "-Xlinker", "--defsym", "-Xlinker",
                "rxbench_image_main=Tool_main", "-lm",
            ])
    }

    @Test func `a layout is a fixed order of all objects, and another layout another`() {
        let objects = (0..<50).map { "/x/M.build/\($0).swift.o" }
        let first = LinkCommand.order(objects, layout: 1)
        #expect(first == LinkCommand.order(objects.shuffled(), layout: 1))
        #expect(first != LinkCommand.order(objects, layout: 2))
        #expect(first.sorted() == objects.sorted())
    }

    @Test func `an object that one side has leaves the order of the others alone`() {
        let objects = (0..<50).map { "/x/M.build/\($0).swift.o" }
        let more = LinkCommand.order(objects + ["/x/M.build/New.swift.o"], layout: 3)
        #expect(more.filter { !$0.contains("New") } == LinkCommand.order(objects, layout: 3))
    }

    @Test func `a plan without the product is refused`() {
        #expect(throws: BuildFailure.self) { try LinkCommand.read(product: "tool", plan: "/nonexistent/release.yaml") }
    }
}

@Suite("Paths of manifests") struct ManifestPathsTests {
    @Test func `only paths that leave the repository become absolute`() {
        let manifest = """
            dependencies: [
                .package(name: "rx", path: "../../rx"), .package(path: ".."),
                .package(url: "https://example.com/x", from: "1.0.0"),
            ]
            """
        let expected = manifest.replacing("\"../../rx\"", with: "\"/home/rx\"")
        #expect(ManifestPaths.rewritten(manifest, origin: "/home/mine/Benchmarks", root: "/home/mine") == expected)
    }
}

@Suite("Source tree") struct SourceTreeTests {
    @Test func `synchronising touches what differs alone`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-tree-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ text: String, _ path: String) throws {
            try FileManager.default.createDirectory(
                atPath: ("\(folder)/\(path)" as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: "\(folder)/\(path)", atomically: false, encoding: .utf8)
        }
        func date(_ path: String) throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.modificationDate] as? Date
        }
        try write("same", "new/a/same")
        try write("after", "new/a/changed")
        try write("same", "target/a/same")
        try write("before", "target/a/changed")
        try write("gone", "target/b/gone")
        try write("kept", "target/.build/kept")
        let longAgo = Date(timeIntervalSince1970: 1_000_000)
        for path in ["target/a/same", "new/a/changed"] {
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: "\(folder)/\(path)")
        }
        try SourceTree(folder: "\(folder)/new").synchronize(to: "\(folder)/target", keeping: [".build"])
        #expect(SourceTree(folder: "\(folder)/target").files == [".build/kept", "a/changed", "a/same"])
        #expect(try String(contentsOfFile: "\(folder)/target/a/changed", encoding: .utf8) == "after")
        let same = try date("target/a/same")
        #expect(same == longAgo)
        let changed = try #require(try date("target/a/changed"))
        #expect(changed > longAgo)
    }
}

@Suite("Hash of content") struct ContentHashTests {
    @Test func `the known value of an empty input`() {
        // The 128-bit offset basis of FNV-1a, folded.
        #expect(
            ContentHash().text == String(0x6c62_272e_07bb_0142 as UInt64 ^ 0x62b8_2175_6295_c58d, radix: 16).leftPadded)
    }

    @Test func `texts end where they end`() {
        var first = ContentHash()
        first.add("ab")
        first.add("c")
        var second = ContentHash()
        second.add("a")
        second.add("bc")
        #expect(first.text != second.text)
    }
}

extension String {
    fileprivate var leftPadded: String { String(repeating: "0", count: 16 - count) + self }
}
