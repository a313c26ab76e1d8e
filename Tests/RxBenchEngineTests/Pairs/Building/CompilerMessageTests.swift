import Testing

@testable import RxBenchEngine

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
