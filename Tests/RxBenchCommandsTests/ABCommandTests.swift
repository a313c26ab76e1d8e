import Foundation
import Testing

@testable import RxBench

@Suite("ab", .serialized) struct ABCommandTests {
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
            let script = try tools.write("#!/bin/sh\n\(swift)\n", to: "swift")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        }

        func commit() throws {
            try git("add", "-A")
            try git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x")
        }

        @discardableResult func git(_ arguments: String...) throws -> String {
            let child = try ChildProcess(executable: try #require(ChildProcess.find("git")), arguments: ["-C", folder.path] + arguments)
            let result = try child.wait(timeoutSeconds: 20)
            #expect(result.ending == .exited(0))
            return String(decoding: result.output, as: UTF8.self)
        }

        var path: String { "\(tools.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")" }

        func ab(_ arguments: String...) throws -> Tool.Result {
            try Tool.run("RxBenchFixture", ["ab"] + arguments, ["PATH": path], in: folder.path)
        }

        /// What an interrupted or failed comparison could have left behind.
        var leftovers: [String] {
            folder.files.filter { $0.contains("incoming") || $0.contains("partial") }
        }
    }

    @Test func `an interrupt while a side compiles leaves no file, no worktree and no process`() throws {
        // The compiler has a child in a session of its own, as the package manager's compilers are, and passes an interrupt on; it tells the numbers of
        // both once it can.
        let repository = try Repository(
            swift: "setsid sleep 600 & child=$!; trap 'kill $child; exit 130' INT TERM; echo $$ $child > \"$0.new\"; mv \"$0.new\" \"$0.running\"; wait")
        let running = "\(repository.tools.path)/swift.running"
        let before = try repository.git("worktree", "list") + repository.git("branch", "--list") + repository.git("status", "--porcelain")
        // The tool runs in the background of a shell that interrupts it once the compiler runs.
        let script = "\"$1\" ab HEAD & tool=$!; while ! [ -s \"$2\" ]; do sleep 0.05; done; kill -INT $tool; wait $tool; echo \"code $?\""
        let child = try ChildProcess(
            executable: "/bin/sh", arguments: ["-c", "cd \"$3\"; set -m; \(script)", "sh", Tool.path("RxBenchFixture"), running, repository.folder.path],
            environment: ["PATH": repository.path])
        let result = try child.wait(timeoutSeconds: 60)
        #expect(String(decoding: result.output, as: UTF8.self).contains("code 130"))
        #expect(result.complaints.contains("Interrupted: the workers have ended, and no temporary file is left."))
        #expect(repository.leftovers == [])
        #expect(try repository.git("worktree", "list") + repository.git("branch", "--list") + repository.git("status", "--porcelain") == before)
        let processes = try String(contentsOfFile: running, encoding: .utf8).split { $0.isWhitespace }.compactMap { pid_t($0) }
        #expect(processes.count == 2)
        for process in processes {
            // Ended, though its new parent may not have noticed yet.
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            #expect(status.isEmpty || status.contains("State:\tZ"))
        }
    }

    @Test func `a build that fails shows the compiler's error and leaves no file`() throws {
        let repository = try Repository(swift: "echo '/x/One.swift:1:5: error: one is none'; exit 1")
        let result = try repository.ab("HEAD")
        #expect(result.code == 3)
        #expect(result.errors.contains("Error: working tree does not compile:\n/x/One.swift:1: one is none"))
        #expect(repository.leftovers == [])
    }

    @Test func `a name that is no commit is refused`() throws {
        let result = try Repository(swift: "exit 1").ab("nowhere")
        #expect(result.code == 64)
        #expect(result.sentence == "Error: 'nowhere' is no commit of this repository. Run 'git log --oneline' to see what there is.")
    }

    @Test func `a name that looks like an option of git is refused`() throws {
        let result = try Repository(swift: "exit 1").ab("--", "--output=x")
        #expect(result.code == 64)
        #expect(result.sentence == "Error: '--output=x' is no commit of this repository. Run 'git log --oneline' to see what there is.")
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
        (["--layouts", "3"], "'--layouts 3' is not between 10 and 500; fewer cannot convince."),
    ]) func `a value out of range is refused`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["ab", "HEAD"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.errors.contains(sentence))
    }

    @Test func `a folder without a repository is refused`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("// swift-tools-version: 6.1\n", to: "Package.swift")
        let result = try Tool.run("RxBenchFixture", ["ab", "HEAD"], [:], in: folder.path)
        #expect(result.code == 3)
        #expect(result.sentence.contains("is in no git repository, and 'ab' compares commits."))
    }
}
