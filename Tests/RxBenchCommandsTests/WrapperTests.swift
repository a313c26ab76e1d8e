import Foundation
import Testing

/// Tests `./rxbench` in a temporary folder. Swift is replaced by a script that records its calls and builds a tool that
/// prints its arguments.
@Suite struct WrapperTests {
    private struct Answer {
        let output: String
        let errors: String
        let builds: [String]
    }

    private static func rxbench(_ arguments: String..., variables: [String: String] = [:]) throws -> Answer {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = try TemporaryFolder()
        for name in ["Sources", "Benchmarks"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["rxbench", "scripts/prepare"] {
            _ = try folder.write(String(contentsOf: package.appending(path: name), encoding: .utf8), to: name)
        }
        _ = try folder.write("", to: "Package.swift")
        let swift = try folder.writeProgram(
            """
            #!/usr/bin/env bash
            echo "$*" >>builds
            scratch=.build
            while [ $# -gt 0 ]; do [ "$1" != --scratch-path ] || scratch="$2"; shift; done
            mkdir -p "$scratch/release"
            printf '#!/usr/bin/env bash\\necho "$*"\\n' >"$scratch/release/rxbench"
            chmod +x "$scratch/release/rxbench"

            """, to: "bin/swift")
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "\(folder.path)/rxbench"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }.merging([
            "PATH": (swift as NSString).deletingLastPathComponent + ":"
                + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        ]) { $1 }
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let texts = [output, errors].map {
            String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        process.waitUntilExit()
        let builds = try? String(contentsOfFile: "\(folder.path)/builds", encoding: .utf8)
        return Answer(
            output: texts[0], errors: texts[1], builds: (builds ?? "").split(separator: "\n").map(String.init))
    }

    @Test func `leaks is built with tracing, in a folder of its own, and that is said`() throws {
        let answer = try Self.rxbench("leaks", "merge")
        #expect(
            answer.builds == [
                "build -c release --scratch-path .build/tracing --traits default,TRACE_RESOURCES --product rxbench"
            ])
        #expect(
            answer.errors == """
                Building rxbench in release with tracing, in '.build/tracing'; the first time this takes a few minutes.
                This is rxbench with tracing, in '.build/tracing'.

                """)
        #expect(answer.output == "leaks merge\n")
    }

    @Test func `on request it is built without jemalloc, and nothing is installed`() throws {
        let without = ["WITHOUT_JEMALLOC": "1", "PKG_CONFIG_PATH": "/nowhere"]
        let answer = try Self.rxbench("run", variables: without)
        #expect(
            answer.builds == [
                "build -c release --scratch-path .build/without-jemalloc --disable-default-traits --product rxbench"
            ])
        #expect(answer.errors.hasSuffix("This is rxbench without jemalloc, in '.build/without-jemalloc'.\n"))
        let leaks = try Self.rxbench("leaks", variables: without)
        #expect(leaks.builds.count == 1 && leaks.builds[0].contains(" .build/without-jemalloc/tracing --traits TRACE_"))
    }

    @Test func `other verbs are built without tracing`() throws {
        let answer = try Self.rxbench("run", "leaks")
        #expect(answer.builds == ["build -c release --scratch-path .build --product rxbench"])
        #expect(answer.errors == "Building rxbench in release; the first time this takes a few minutes.\n")
        #expect(answer.output == "run leaks\n")
    }
}
