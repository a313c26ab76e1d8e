import Foundation
import Testing

@testable import RxBenchEngine

/// The built executables, which are in the same folder as the tests.
enum Tool {
    struct Result {
        let code: Int32
        let output: String
        let errors: String
        /// The errors without warnings about the build and the machine, which differ from run to run.
        var sentence: String {
            errors.split(separator: "\n").filter { !$0.hasPrefix("Warning: ") }.joined(separator: "\n")
        }
        /// The last line of the output.
        var verdict: String { output.split(separator: "\n").last.map(String.init) ?? "" }
    }

    static func fixture(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
        try run("RxBenchFixture", arguments, environment)
    }

    static func rxbench(_ arguments: String...) throws -> Result { try run("rxbench", arguments, [:]) }

    /// Runs a tool. `folder` is its working directory; the default is the working directory of the tests.
    static func run(
        _ name: String, _ arguments: [String], _ environment: [String: String], in folder: String? = nil
    ) throws -> Result {
        let command =
            folder.map { ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", $0, path(name)] } ?? [path(name)]
        return try launch(command + arguments, environment)
    }

    static func launch(_ command: [String], _ environment: [String: String] = [:]) throws -> Result {
        let child = try ChildProcess(
            executable: command[0], arguments: Array(command.dropFirst()), environment: environment)
        let result = try child.wait(timeoutSeconds: 120)
        let code: Int32 =
            switch result.ending {
            case .exited(let code): code
            case .killed(let signal): -signal
            case .timedOut: -1000
            }
        return Result(code: code, output: String(decoding: result.output, as: UTF8.self), errors: result.complaints)
    }

    /// Runs a tool like ``run(_:_:_:in:)``, but the system refuses the tool the pipes of another process, as a machine
    /// without room for one would.
    static func starved(
        _ name: String, _ arguments: [String], _ environment: [String: String] = [:], in folder: String = "."
    ) throws -> Result {
        let script = "cd \"$0\" && exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && ulimit -n 6 && exec \"$@\""
        return try launch(["/bin/sh", "-c", script, folder, path(name)] + arguments, environment)
    }

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    private static var folder: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        let url = bundle.bundleURL
        return url.pathExtension == "xctest" ? url.deletingLastPathComponent() : url
    }
}

/// A terminal like a user's.
enum Terminal {
    enum Stream { case results, errors }

    /// Returns the text that the tool at `path` writes to a stream which is a terminal with `columns` columns. The
    /// other stream is discarded.
    static func text(
        on stream: Stream, of path: String, _ arguments: [String], columns: Int = 80,
        environment: [String: String] = [:]
    ) throws -> String {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        // TIOCSPTLCK and TIOCGPTN of Linux. Swift doesn't import them, nor 'openpty'.
        var (lock, number): (Int32, UInt32) = (0, 0)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0,
            ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0
        else {
            throw CocoaError(.fileReadUnknown)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
        ) { $1 }
        let end = FileHandle(fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY), closeOnDealloc: true)
        process.standardError = stream == .errors ? end : FileHandle.nullDevice
        process.standardOutput = stream == .results ? end : FileHandle.nullDevice
        try process.run()
        try end.close()
        var collected: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            // Fails once the process has closed the other end.
            let count = read(terminal, &buffer, buffer.count)
            if count <= 0 { break }
            collected += buffer[..<count]
        }
        process.waitUntilExit()
        return String(decoding: collected, as: UTF8.self)
    }
}

extension TemporaryFolder {
    /// Writes a script that can be executed. Another process makes the file: a child that another test starts would
    /// inherit our file while it is open for writing, and the system doesn't execute such a file.
    func writeProgram(_ text: String, to name: String) throws -> String {
        let draft = try write(text, to: "\(name).draft")
        let program = "\(path)/\(name)"
        let copy = try ChildProcess(executable: "/bin/cp", arguments: [draft, program])
        #expect(try copy.wait(timeoutSeconds: 20).ending == .exited(0))
        try FileManager.default.removeItem(atPath: draft)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return program
    }
}
