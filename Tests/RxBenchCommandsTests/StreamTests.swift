import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench and its streams", .serialized) struct StreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a shell command in which `$0` is the fixture. It stores results in the folder of this test.
    private func shell(_ line: String) throws -> Tool.Result {
        let child = try ChildProcess(executable: "/bin/sh", arguments: ["-c", line, Tool.path("RxBenchFixture")])
        let result = try child.wait(timeoutSeconds: 60)
        guard case .exited(let code) = result.ending else {
            return Tool.Result(code: -1, output: "", errors: result.complaints)
        }
        return Tool.Result(
            code: code, output: String(decoding: result.output, as: UTF8.self), errors: result.complaints)
    }

    private var run: String { "$0 run fixture/loop/short --time 0.1 --processes 1 --output '\(folder.path)/results'" }

    private var stored: RunResult? {
        ResultStore(folder: "\(folder.path)/results").files.first.flatMap { entry in
            FileManager.default.contents(atPath: entry.path).flatMap {
                try? RunResult.decoded(from: Array($0), name: entry.stem)
            }
        }
    }

    @Test func `a reader that has gone away is no error`() throws {
        let result = try shell("trap '' PIPE; $0 list | true; $0 list >&-")
        #expect(result.code == 0)
        #expect(result.errors == "")
    }

    @Test func `a run whose reader leaves after a line ends well and is stored`() throws {
        let result = try shell("(\(run); echo \"code $?\" >&2) | head -1")
        #expect(result.output.hasPrefix("benchmark "))
        #expect(result.sentence.hasSuffix("code 0"))
        #expect(stored?.benchmarks.count == 1)
    }

    @Test func `a run with closed standard output ends well, and its table is in no file`() throws {
        let result = try shell("\(run) >&-")
        #expect(result.code == 0)
        #expect(stored?.benchmarks.count == 1)
    }

    @Test func `a full disk behind standard output is an error, and the result is stored`() throws {
        let result = try shell("\(run) >/dev/full")
        #expect(result.code == 64)
        #expect(
            result.sentence.hasSuffix(
                "\nError: Standard output cannot be written: No space left on device. The output is incomplete."))
        #expect(stored?.benchmarks.count == 1)
    }

    @Test func `a result that does not fit is shown, is an error and leaves no file`() throws {
        // A limit on the size of files simulates a full disk, which would need a mount.
        let result = try shell("trap '' XFSZ; ulimit -f 1; \(run)")
        #expect(result.code == 64)
        #expect(result.output.hasPrefix("benchmark "))
        #expect(
            result.sentence.hasSuffix(
                """
                .json' cannot be written: File too large. Choose another folder with '--output', or run with \
                '--no-store'.
                """
            ))
        #expect(folder.files == [])
    }

    @Test(arguments: [("INT", 130 as Int32), ("TERM", 143)])
    func `a run that is interrupted kills its workers, stores nothing and says so`(signal: String, code: Int32) throws {
        // The benchmark sends the signal from inside the run's second process.
        let result = try shell(
            """
            FIXTURE_SIGNAL=\(signal) $0 run fixture/loop/short fixture/hang/interrupt --output \
            '\(folder.path)/results'
            """
        )
        #expect(result.code == code)
        #expect(result.output == "")
        #expect(result.sentence.hasSuffix("\nInterrupted: the workers have ended and nothing was stored."))
        #expect(folder.files == [])
    }
}
