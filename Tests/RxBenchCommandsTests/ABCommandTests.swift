import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("ab", .serialized) struct ABCommandTests {
    @Test func `unsteady benchmarks are compared where words select them, or where there are no others`() throws {
        let steady = ListedBenchmark(id: "a/steady", tags: ["crowd"], operations: 1)
        let unsteady = ListedBenchmark(id: "a/unsteady", tags: ["crowd", "unsteady"], operations: 1)
        func selected(_ filters: String..., among listed: [ListedBenchmark]? = nil) throws -> [[String]] {
            let (compared, leftOut) = try Selection.ids(filters, among: listed ?? [steady, unsteady])
            return [compared, leftOut]
        }
        #expect(try selected() == [["a/steady"], ["a/unsteady"]])
        #expect(try selected("tag:crowd") == [["a/steady", "a/unsteady"], []])
        #expect(try selected("a/unsteady") == [["a/unsteady"], []])
        #expect(try selected(among: [unsteady]) == [["a/unsteady"], []])
    }

    /// A repository with a package whose compiler is a script.
    private final class Repository {
        let folder: TemporaryFolder
        let tools: TemporaryFolder

        init(swift: String) throws {
            folder = try TemporaryFolder()
            tools = try TemporaryFolder()
            _ = try folder.write("// swift-tools-version: 6.1\n", to: "Package.swift")
            _ = try folder.write(".build/\n", to: ".gitignore")
            _ = try folder.write("let one = 1\n", to: "Sources/Library/One.swift")
            _ = try folder.write("print(1)\n", to: "Sources/RxBenchFixture/main.swift")
            try git("init", "-q")
            try commit()
            _ = try tools.writeProgram("#!/bin/sh\n\(swift)\n", to: "swift")
        }

        /// The script of a compiler that uses the fixture's own objects as its output, and that counts how often it is
        /// called.
        ///
        /// - Parameter compilesLibrary: Whether the real compiler compiles the library's only file, which is then
        /// linked with those objects.
        static func countingCompiler(compilesLibrary: Bool = false) -> String {
            let library = """
                list="$(sed -nE 's/.*"@([^"]*RxBenchFixture[^"]*LinkFileList)".*/\\1/p' "$scratch/release.yaml" |
                    head -n 1)"
                swiftc -O -parse-as-library -module-name Library -c "$package/Sources/Library/One.swift" \\
                    -o "$scratch/One.o" || exit 1
                { cat "$list"; echo "'$scratch/One.o'"; } > "$scratch/All.LinkFileList"
                sed -i "s|@$list|@$scratch/All.LinkFileList|" "$scratch/release.yaml"
                """
            let products = URL(fileURLWithPath: Tool.path("RxBenchFixture")).deletingLastPathComponent()
            let plan = products.deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "\(products.lastPathComponent).yaml"
            ).path
            return """
                while [ $# -gt 0 ]; do
                    case "$1" in --scratch-path) scratch="$2" ;; --package-path) package="$2" ;; esac
                    shift
                done
                mkdir -p "$scratch"; cp '\(plan)' "$scratch/release.yaml"; echo x >> "$0.log"
                \(compilesLibrary ? library : "")
                """
        }

        /// The number of times that the compiler of ``countingCompiler()`` was called.
        var compilations: Int {
            (try? String(contentsOfFile: "\(tools.path)/swift.log", encoding: .utf8))?.split(separator: "\n").count ?? 0
        }

        func commit() throws {
            try git("add", "-A")
            try git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x")
        }

        @discardableResult func git(_ arguments: String...) throws -> String {
            let child = try ChildProcess(
                executable: try #require(ChildProcess.find("git")), arguments: ["-C", folder.path] + arguments)
            let result = try child.wait(timeoutSeconds: 20)
            #expect(result.ending == .exited(0))
            return String(decoding: result.output, as: UTF8.self)
        }

        var path: String { "\(tools.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")" }

        func ab(_ arguments: String...) throws -> Tool.Result {
            try Tool.run("RxBenchFixture", ["ab"] + arguments, ["PATH": path], in: folder.path)
        }

        /// Files that an interrupted or failed comparison could leave, and the compiler's temporary folders that exist.
        var leftovers: [String] {
            let compilers = try? String(contentsOfFile: "\(tools.path)/swift.temporary", encoding: .utf8)
            return folder.files.filter { $0.contains("incoming") || $0.contains("partial") }
                + (compilers?.split(separator: "\n").map(String.init) ?? []).filter {
                    FileManager.default.fileExists(atPath: $0)
                }
        }
    }

    @Test func `from a repository's root, the suite in a folder below is found`() throws {
        let repository = try Repository(swift: "exit 1")
        try repository.git("rm", "-q", "-r", "Package.swift", "Sources")
        // Another package comes first, but doesn't name the tool.
        _ = try repository.folder.write("let package = Package(name: \"other\")", to: "Another/Package.swift")
        _ = try repository.folder.write(
            "let package = Package(name: \"RxBenchFixture\")", to: "Benchmarks/Package.swift")
        try repository.commit()
        let result = try repository.ab("nowhere")
        #expect(result.code == 64)
        #expect(result.sentence.contains("'nowhere' is no commit of this repository."))
        func isTaken(_ package: String) -> Bool {
            FileManager.default.fileExists(atPath: "\(repository.folder.path)/\(package)/.build/rxbench-ab")
        }
        #expect(isTaken("Benchmarks") && !isTaken("Another"))
    }

    @Test func `a branch that is mistyped is named, whichever side it is`() throws {
        let repository = try Repository(swift: "exit 1")
        try repository.git("branch", "faster-parser")
        try repository.git("branch", "trunk")
        let base = try repository.ab("fastr-parser")
        #expect(base.code == 64)
        #expect(
            base.sentence == """
                Error: 'fastr-parser' is no commit of this repository. Run 'git log --oneline' to see what there is. \
                Did you mean 'faster-parser'?
                """)
        let head = try repository.ab("trunk", "fasterparser")
        #expect(head.code == 64)
        #expect(
            head.sentence == """
                Error: 'fasterparser' is no commit of this repository, and no benchmark matches it. Did you mean \
                'faster-parser'?
                """)
        let option = try repository.ab("trunk", "--head", "fasterparser")
        #expect(option.sentence.hasSuffix("Did you mean 'faster-parser'?"))
        // A clone has a branch only under its remote's name.
        try repository.git("update-ref", "refs/remotes/origin/develop", "HEAD")
        #expect(try repository.ab("develop").sentence.hasSuffix("Did you mean 'origin/develop'?"))
        // Not similar to any existing name.
        #expect(try !repository.ab("qqqqqqq").sentence.contains("Did you mean"))
    }

    @Test func `where a bound decides, a whole suite has what compiling leaves of ten minutes`() {
        func seconds(_ count: Int, _ isBounded: Bool, spent: Double) -> Double {
            ABCommand.seconds(forBenchmarks: count, isBounded: isBounded, spent: spent)
        }
        #expect(seconds(166, true, spent: 1) == 498)
        #expect(seconds(166, true, spent: 140) == 400)
        #expect(seconds(166, true, spent: 900) == 360)
        #expect(seconds(166, false, spent: 900) == 498)
        #expect(seconds(1, true, spent: 10) == 60)
    }

    @Test func `an interrupt while a side compiles leaves no file, no worktree and no process`() throws {
        // The compiler has a child in its own session, like the package manager's compilers, and forwards interrupts to
        // it. It writes the numbers of both processes once it can be interrupted.
        let repository = try Repository(
            swift:
                """
                mktemp -d > \"$0.temporary\"; \
                setsid sleep 600 & child=$!; trap 'kill $child; exit 130' INT TERM; echo $$ $child > \"$0.new\"; \
                mv \"$0.new\" \"$0.running\"; wait
                """
        )
        let running = "\(repository.tools.path)/swift.running"
        let before =
            try repository.git("worktree", "list") + repository.git("branch", "--list")
            + repository.git("status", "--porcelain")
        // The tool runs in the background of a shell, which interrupts it once the compiler runs.
        let script =
            """
            \"$1\" ab HEAD & tool=$!; while ! [ -s \"$2\" ]; do sleep 0.05; done; kill -INT $tool; wait $tool; \
            echo \"code $?\"
            """
        let child = try ChildProcess(
            executable: "/bin/sh",
            arguments: [
                "-c", "cd \"$3\"; set -m; \(script)", "sh", Tool.path("RxBenchFixture"), running,
                repository.folder.path,
            ],
            environment: ["PATH": repository.path])
        let result = try child.wait(timeoutSeconds: 60)
        #expect(String(decoding: result.output, as: UTF8.self).contains("code 130"))
        #expect(result.complaints.contains("Interrupted: the workers have ended, and no temporary file is left."))
        #expect(repository.leftovers == [])
        #expect(
            try repository.git("worktree", "list") + repository.git("branch", "--list")
                + repository.git("status", "--porcelain") == before)
        let processes = try String(contentsOfFile: running, encoding: .utf8).split { $0.isWhitespace }.compactMap {
            pid_t($0)
        }
        #expect(processes.count == 2)
        for process in processes {
            // The process has ended, though its new parent may not have noticed yet.
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            #expect(status.isEmpty || status.contains("State:\tZ"))
        }
    }

    @Test func `a build that fails shows the compiler's error and leaves no file`() throws {
        let repository = try Repository(
            swift: "mktemp -d > \"$0.temporary\"; echo '/x/One.swift:1:5: error: one is none'; exit 1")
        let result = try repository.ab("HEAD")
        #expect(result.code == 3)
        #expect(result.errors.contains("Error: working tree does not compile:\n/x/One.swift:1: one is none"))
        #expect(repository.leftovers == [])
    }

    @Test func `a temporary folder that cannot be written is named`() throws {
        let repository = try Repository(swift: "exit 1")
        let temporary = "\(repository.tools.path)/none"
        let result = try Tool.run(
            "RxBenchFixture", ["ab", "HEAD"], ["PATH": repository.path, "TMPDIR": temporary],
            in: repository.folder.path)
        #expect(result.code == 3)
        #expect(result.sentence.contains("No folder can be made in '\(temporary)'"))
    }

    @Test func `what differs among the benchmarks alone is named, and nothing is called compared`() throws {
        let repository = try Repository(swift: Repository.countingCompiler())
        _ = try repository.folder.write("print(2)\n", to: "Sources/RxBenchFixture/main.swift")
        let result = try repository.ab("HEAD")
        #expect(result.code == 4)
        #expect(result.verdict.hasPrefix("Not judged: the differences between HEAD ("))
        #expect(
            result.verdict.hasSuffix(
                """
                and the working tree lies with the benchmarks, which are head's on both sides: \
                'Sources/RxBenchFixture/main.swift'. Name the code that is \
                compared, as in '--subject Sources/RxBenchFixture', or move it to a target of its own.
                """))
        #expect(repository.compilations == 1)
        // Its twin, in which the library differs too, continues and compiles the other side.
        _ = try repository.folder.write("let one = 2\n", to: "Sources/Library/One.swift")
        _ = try repository.tools.writeProgram("#!/bin/sh\nexit 1\n", to: "swift")
        let twin = try repository.ab("HEAD")
        #expect(twin.code == 3)
        #expect(!twin.output.contains("Nothing was compared"))
    }

    @Test func `a side has its own manifest, and where base does not build with it nothing is judged`() throws {
        // The compiler requires a word in the manifest, as head's benchmarks may require a target.
        let wanting =
            "\(Repository.countingCompiler())\ngrep -q '\(Self.target)' \"$package/Package.swift\" || "
            + "{ echo 'error: no such target'; exit 1; }\n"
        for (compiler, code) in [(wanting, Int32(4)), (Repository.countingCompiler(), 0)] {
            let repository = try Repository(swift: compiler)
            _ = try repository.folder.write(
                "// swift-tools-version: 6.1\n// \(Self.target)\n", to: "Package.swift")
            _ = try repository.folder.write("let one = 1 // touched\n", to: "Sources/Library/One.swift")
            let result = try repository.ab("HEAD", "fixture/paired/steady")
            #expect(result.code == code, "\(result.output)\(result.errors)")
            #expect(result.output.hasPrefix("Not judged: 'Package.swift' differs, and HEAD (") == (code == 4))
            #expect(
                result.verdict == (code == 4 ? "1 not judged." : "1 benchmark with identical machine code."))
        }
    }

    /// A compiler that finds an error in the benchmarks if they call a function that the library does not have.
    private static func checkingCompiler(for functions: String...) -> String {
        let checks = functions.map { name in
            """
            main="$package/Sources/RxBenchFixture/main.swift"
            if grep -q '\(name)()' "$main" && ! grep -q '\(name)()' "$package/Sources/Library/One.swift"; then
                echo "$main:2:1: error: cannot find '\(name)' in scope"; exit 1
            fi
            """
        }
        return ([Repository.countingCompiler()] + checks).joined(separator: "\n")
    }

    @Test func `where base does not compile head's benchmarks, both sides use base's`() throws {
        let repository = try Repository(swift: Self.checkingCompiler(for: "one", "two"))
        func write(library: String, benchmarks: String) throws {
            _ = try repository.folder.write("func \(library)() {}\n", to: "Sources/Library/One.swift")
            _ = try repository.folder.write(
                "import RxBench\n\(benchmarks)()\n", to: "Sources/RxBenchFixture/main.swift")
        }
        try write(library: "one", benchmarks: "one")
        try repository.commit()
        try write(library: "one() {}; func two", benchmarks: "two")
        let result = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(result.code == 0, "\(result.output)\(result.errors)")
        let file = "'Sources/RxBenchFixture/main.swift'"
        #expect(
            result.errors.contains("does not compile head's benchmarks; both sides use its own version of \(file)."))
        #expect(result.errors.contains("main.swift:2: cannot find 'two' in scope"))
        #expect(result.output.contains("Not compared: \(file), HEAD ("))
        #expect(result.verdict == "1 benchmark with identical machine code.")
        // Head, base with head's benchmarks, base with its own, head with base's.
        #expect(repository.compilations == 4)
        #expect(try repository.ab("HEAD", "fixture/paired/steady").code == 0)
        #expect(repository.compilations == 4)
        #expect(repository.leftovers == [])

        try write(library: "two", benchmarks: "two")
        let neither = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(neither.code == 3)
        #expect(neither.errors.contains("Neither side compiles the other's benchmarks. Compare in two steps"))
        #expect(repository.leftovers == [])
    }

    private static let target = "a target that head adds"

    @Test func `a mistyped benchmark is refused before base is compiled`() throws {
        let repository = try Repository(swift: Repository.countingCompiler())
        _ = try repository.folder.write("let one = 1 // renamed\n", to: "Sources/Library/One.swift")
        // The tool itself has the working tree's benchmarks.
        #expect(try repository.ab("HEAD", "fixture/paired/staedy").code == 64)
        #expect(repository.compilations == 0)
        try repository.commit()
        let result = try repository.ab("HEAD~1", "HEAD", "fixture/paired/staedy")
        #expect(result.code == 64)
        #expect(
            result.errors.contains("No benchmark of either side matches 'fixture/paired/staedy'. The nearest: "))
        #expect(result.errors.contains("This tool has no benchmark that matches 'fixture/paired/staedy'. The "))
        #expect(repository.compilations == 1)
    }

    @Test func `sides of identical machine code are told so, with exit code 0`() throws {
        let repository = try Repository(swift: Repository.countingCompiler())
        _ = try repository.folder.write("let one = 1 // renamed\n", to: "Sources/Library/One.swift")
        let result = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(result.code == 0, "\(result.errors)")
        #expect(repository.compilations == 2)
        #expect(result.verdict == "1 benchmark with identical machine code.")
    }

    @Test(arguments: [("Page.txt", Int32(4)), ("Page.md", 4), ("PrivacyInfo.xcprivacy", 0)])
    func `a resource that differs is not judged, though the machine code is identical`(
        name: String, code: Int32
    ) throws {
        let copies = """
            bundle="$scratch/release/Library_Library.resources"
            mkdir -p "$bundle"; cp "$package/Sources/Library/\(name)" "$bundle"
            """
        let repository = try Repository(swift: "\(Repository.countingCompiler())\n\(copies)")
        _ = try repository.folder.write(
            "// swift-tools-version: 6.1\n// resources: [.copy(\"\(name)\")]\n", to: "Package.swift")
        _ = try repository.folder.write("one", to: "Sources/Library/\(name)")
        try repository.commit()
        _ = try repository.folder.write("let one = 1 // touched\n", to: "Sources/Library/One.swift")
        let twin = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(twin.code == 0, "\(twin.errors)")
        _ = try repository.folder.write("two", to: "Sources/Library/\(name)")
        let result = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(result.code == code, "\(result.errors)")
        #expect(
            result.output.hasPrefix("Not judged: the resource 'Library_Library.resources/\(name)' differs")
                == (code == 4))
    }

    @Test func `a renamed variable is identical machine code to the compiler, another constant is not`() throws {
        func library(_ name: String, _ factor: Int) -> String {
            """
            public func scaled(_ value: Int) -> Int {
                let \(name) = value &* \(factor)
                return \(name) &+ 1
            }

            """
        }
        let repository = try Repository(swift: Repository.countingCompiler(compilesLibrary: true))
        _ = try repository.folder.write(library("product", 3), to: "Sources/Library/One.swift")
        try repository.commit()
        _ = try repository.folder.write(library("scaledValue", 3), to: "Sources/Library/One.swift")
        let renamed = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(renamed.code == 0, "\(renamed.errors)")
        #expect(renamed.verdict == "1 benchmark with identical machine code.")
        #expect(repository.compilations == 2)
        _ = try repository.folder.write(library("product", 5), to: "Sources/Library/One.swift")
        let other = try repository.ab("HEAD", "fixture/paired/steady", "--time", "1", "--layouts", "10")
        #expect(repository.compilations == 3)
        #expect(!other.verdict.contains("identical machine code"), "\(other.errors)")
        // On a busy machine no times may be judged.
        let isBusy = other.output.hasPrefix("Not judged: no times, as ")
        #expect(other.output.contains("sees: a change of ") || isBusy, "\(other.output)")
    }

    @Test func `a failure that nothing foresees is no regression, and names its file`() throws {
        let repository = try Repository(swift: "exit 0")
        _ = try repository.folder.write("no folder", to: ".build")
        let result = try repository.ab("HEAD", "fixture/paired/steady")
        #expect(result.code == 3)
        #expect(result.errors.contains("Nothing was concluded, as something unexpected failed: '"))
        #expect(result.errors.contains(".build"))
    }

    @Test func `a side is compiled again when what it depends on by a path has changed, and for nothing else`() throws {
        let dependency = try TemporaryFolder()
        _ = try dependency.write("let one = 1\n", to: "Sources/Dependency/One.swift")
        let repository = try Repository(swift: Repository.countingCompiler())
        _ = try repository.folder.write(
            "// swift-tools-version: 6.1\n.package(path: \"\(dependency.path)\")\n", to: "Package.swift")
        try repository.commit()
        _ = try repository.folder.write("print(2)\n", to: "Sources/RxBenchFixture/main.swift")
        func compilations() throws -> Int {
            #expect(try repository.ab("HEAD").code == 4)
            return repository.compilations
        }
        #expect(try compilations() == 1)
        _ = try repository.folder.write("a note", to: "notes.txt")
        _ = try dependency.write("a note", to: "notes.txt")
        #expect(try compilations() == 1)
        _ = try dependency.write("let one = 1 // as before\n", to: "Sources/Dependency/One.swift")
        #expect(try compilations() == 2)
        _ = try repository.folder.write("{}", to: "Package.resolved")
        #expect(try compilations() == 3)
    }

    @Test func `an error is shown in the user's own file, not in the copy that was compiled`() throws {
        let repository = try Repository(
            swift:
                """
                while [ $# -gt 0 ]; do [ \"$1\" = --package-path ] && p=\"$2\"; shift; done; echo \
                \"$p/Sources/Library/One.swift:1:5: error: one is none\"; exit 1
                """
        )
        let result = try repository.ab("HEAD")
        let root = try repository.git("rev-parse", "--show-toplevel").trimmingCharacters(in: .newlines)
        #expect(result.errors.contains("does not compile:\n\(root)/Sources/Library/One.swift:1: one is none"))
    }

    @Test func `a package that another comparison holds is no failure of a benchmark`() throws {
        let repository = try Repository(swift: "exit 1")
        let folder = "\(repository.folder.path)/.build/rxbench-ab"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lock = try FolderLock(folder: folder)
        let result = try repository.ab("HEAD")
        #expect(result.code == 4)
        #expect(result.sentence == "Error: Another 'ab' is at work on this package. Wait for it to end.")
        withExtendedLifetime(lock) {}
    }

    @Test func `a lack of processes is the machine's fault and no commit's`() throws {
        let repository = try Repository(swift: "exit 1")
        let result = try Tool.starved(
            "RxBenchFixture", ["ab", "HEAD"], ["PATH": repository.path], in: repository.folder.path)
        #expect(result.code == 4)
        #expect(
            result.sentence
                == """
                Error: The machine can start no further process: Too many open files. End others or raise the \
                limit ('ulimit -a'), and run this again.
                """
        )
    }

    @Test func `a name that is no commit is refused`() throws {
        let result = try Repository(swift: "exit 1").ab("nowhere")
        #expect(result.code == 64)
        #expect(
            result.sentence
                == "Error: 'nowhere' is no commit of this repository. Run 'git log --oneline' to see what there is.")
    }

    @Test func `a word that names a commit and selects benchmarks is refused, until it is said what it is`() throws {
        let repository = try Repository(swift: "exit 1")
        try repository.git("branch", "steady")
        let result = try repository.ab("HEAD", "steady")
        #expect(result.code == 64)
        #expect(
            result.sentence
                == """
                Error: 'steady' names a commit and selects benchmarks. Write '--head steady' for the commit, or \
                add '--head .' to select benchmarks.
                """
        )
        for head in [".", "steady"] {
            let said = try repository.ab("HEAD", "--head", head, "steady")
            #expect(said.code == 3)
            let name = head == "." ? "working tree" : String(try repository.git("rev-parse", "HEAD").prefix(12))
            #expect(said.errors.contains("Compiling \(name);"))
        }
    }

    @Test func `a name that looks like an option of git is refused`() throws {
        let result = try Repository(swift: "exit 1").ab("--", "--output=x")
        #expect(result.code == 64)
        #expect(
            result.sentence
                == "Error: '--output=x' is no commit of this repository. Run 'git log --oneline' to see what there is.")
    }

    @Test func `a word that is neither commit nor benchmark is refused before anything is built`() throws {
        let result = try Repository(swift: "exit 1").ab("HEAD", "nothing-like-it")
        #expect(result.code == 64)
        #expect(result.sentence.hasPrefix("Error: No benchmark matches 'nothing-like-it'."))
    }

    @Test(arguments: [
        (["--time", "0"], "'--time 0.0' is not between 0 and 86400 seconds."),
        (["--margin=-1"], "'--margin -1.0' is not between 0 and 1000 per cent."),
        (["--precision", "0"], "'--precision 0.0' is not between 0 and 1000 per cent."),
        (["--no-slower-than", "0"], "'--no-slower-than 0.0' is not between 0 and 1000 per cent."),
        (["--no-slower-than", "5", "--precision", "1"], "both say when to stop. Give one of them."),
        (["--layouts", "3"], "'--layouts 3' is not between 10 and 500; fewer cannot convince."),
    ]) func `a value out of range is refused`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["ab", "HEAD"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.errors.contains(sentence))
    }

    @Test func `a subject that is no path of the repository is wrong usage`() throws {
        let repository = try Repository(swift: "exit 1")
        let result = try repository.ab("HEAD", "--subject", "Nowhere")
        #expect(result.code == 64)
        #expect(result.sentence.contains("'Nowhere' is no path in the repository"))
    }

    @Test func `a folder without a repository is refused`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("// swift-tools-version: 6.1\n", to: "Package.swift")
        let result = try Tool.run("RxBenchFixture", ["ab", "HEAD"], [:], in: folder.path)
        #expect(result.code == 3)
        #expect(result.sentence.contains("is in no git repository, and 'ab' compares commits."))
    }
}
