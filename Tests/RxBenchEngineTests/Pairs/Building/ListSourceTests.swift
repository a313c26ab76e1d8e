import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Source of lists") struct ListSourceTests {
    private let text = """
        import RxBench

        // A comment with [ brackets, "and quotes.
        let list: [Benchmark] = [
            .push("operator/map", decides: "A \\"word\\", [and] more.") { $0.map { [$0, 1][0] } },
            .push("operator/new-one", decides: "New.") {
                $0.newOperator { [1, 2] }
            },
            .push("operator/last", decides: "Last.") { $0 }
        ]
        """

    @Test func `the element around an error is blanked, and lines stay`() {
        var source = ListSource(text)
        let element = source.removeElement(line: 7, column: 12)
        #expect(element.flatMap(ListSource.name) == "operator/new-one")
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(lines.count == 10)
        #expect(lines[5...7].joined() == "")
        #expect(lines[4].hasPrefix(".push(\"operator/map\""))
        #expect(lines[8].hasPrefix(".push(\"operator/last\""))
        #expect(source.isRemoved(line: 7))
        #expect(!source.isRemoved(line: 5))
    }

    @Test func `the last element has no comma behind it`() {
        var source = ListSource(text)
        #expect(source.removeElement(line: 9, column: 40).flatMap(ListSource.name) == "operator/last")
        #expect(source.text.hasSuffix("\n]"))
    }

    @Test func `a place outside of lists has no element`() {
        var source = ListSource(text)
        #expect(source.removeElement(line: 1, column: 1) == nil)
        #expect(source.removeElement(line: 4, column: 12) == nil)
        #expect(source.text == text)
    }

    @Test func `a declaration beside the lists goes as a whole, an import and a statement stay`() {
        let text = """
            import RxBench
            // One line at the edge.
            private struct Decoder: DataDecoder {
                let brackets = "}"
            }

            let list: [Benchmark] = [
                .push("operator/map", decides: "Nothing.") { $0 }
            ]
            RxBenchMain.run(list)
            """
        var source = ListSource(text)
        #expect(source.removeDeclaration(line: 4)?.hasPrefix("private struct Decoder") == true)
        #expect(source.isRemoved(line: 3))
        #expect(!source.isRemoved(line: 2))
        #expect(source.text.split(separator: "\n", omittingEmptySubsequences: false).count == 10)
        #expect(source.text.contains("let list: [Benchmark] = ["))
        #expect(!source.text.contains("Decoder"))
        let rest = source.text
        #expect(source.removeDeclaration(line: 1) == nil)
        #expect(source.removeDeclaration(line: 10) == nil)
        #expect(source.text == rest)
    }

    @Test func `a second error of an element that is gone takes no other with it`() throws {
        let tree = try SourceTree.temporary(["Sources/Suite/main.swift": text, "Sources/Work/Work.swift": ""])
        defer { tree.remove() }
        var pruner = BenchmarkPruner(
            tree: tree, compared: try ComparedPaths(paths: [], root: tree.folder, package: "", product: "Suite"))
        let place = "/built/Sources/Suite/main.swift:7"
        #expect(
            try pruner.prune(after: "\(place):12: error: no member\n\(place):14: error: and no type\n", root: "/built"))
        #expect(pruner.omissions == ["'operator/new-one': no member"])
        #expect(try tree.text("Sources/Suite/main.swift").contains("operator/last"))
        #expect(try !pruner.prune(after: "/built/Sources/Work/Work.swift:1:1: error: elsewhere\n", root: "/built"))
    }

    @Test func `a subscript within an element is no list of benchmarks`() {
        var source = ListSource(text)
        #expect(source.removeElement(line: 5, column: 70).flatMap(ListSource.name) == "operator/map")
    }
}

@Suite("Messages of the compiler") struct CompilerMessageTests {
    private let output = """
        [3/9] Compiling Rx Map.swift
        /a/b/List.swift:7:12: error: value of type 'Observable<Int>' has no member 'newOperator'
        /a/b/List.swift:7:12: error: value of type 'Observable<Int>' has no member 'newOperator'
        /a/b/List.swift:9:1: warning: unused
        error: emit-module command failed
        """

    @Test func `errors have a place and come once`() {
        #expect(
            CompilerMessage.errors(in: output) == [
                CompilerMessage(
                    file: "/a/b/List.swift", line: 7, column: 12,
                    text: "value of type 'Observable<Int>' has no member 'newOperator'")
            ])
    }

    @Test func `a build without places is summed up by its last words`() {
        #expect(CompilerMessage.summary("one\ntwo") == "one\ntwo")
        // The package manager's own errors have no place, and lines about fetching surround them.
        #expect(
            CompilerMessage.summary("Fetching a\nerror: 'rx': unknown dependency\nFetched a")
                == "error: 'rx': unknown dependency")
    }

    @Test func `a linker's reason is shown, and not the names of its objects`() {
        let output = """
            /usr/bin/clang -o Suite \(String(repeating: "/a/b/Object.swift.o ", count: 400))
            /a/Work.swift.o:Work.swift.o:function $s4Work: error: undefined reference to 'planted_function'
            clang: error: linker command failed with exit code 1 (use -v to see invocation)
            error: link command failed with exit code 1 (use -v to see invocation)
            """
        #expect(
            CompilerMessage.summary(output) == """
                /a/Work.swift.o:Work.swift.o:function $s4Work: error: undefined reference to 'planted_function'
                error: link command failed with exit code 1 (use -v to see invocation)
                """)
    }
}
