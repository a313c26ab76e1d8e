import CRxBench
import Foundation

/// The environment of a run: all conditions that decide whether figures are comparable. It contains no host name, no
/// user name and no path.
package struct Environment: Codable, Sendable, Equatable {
    /// The stable name of this kind of machine, such as `linux-x86_64-amd-epyc-2c`.
    package let machine: String
    /// The operating system's name and version.
    package let operatingSystem: String
    /// The kernel's name and version.
    package let kernel: String
    /// The processor's architecture, such as `x86_64`.
    package let architecture: String
    /// The processor's model name.
    package let processor: Reading<String>
    /// The number of logical cores that are online.
    package let cores: Int
    /// The size of the physical memory in bytes.
    package let memoryBytes: UInt64
    /// The compiler that built the tool.
    package let swiftVersion: Reading<String>
    /// `release` or `debug`.
    package let configuration: String
    /// Whether the measured code counts its resources.
    package let isTracing: Bool
    /// The version of jemalloc.
    package let jemalloc: Reading<String>
    /// Whether the measured code was optimised.
    package var isOptimised: Bool { configuration != "debug" }
    /// The average number of runnable processes in the minute before the run.
    package let loadAverage: Reading<Double>
}

/// The name of a kind of machine. The results of machines with the same name are stored together.
package enum MachineName {
    /// Returns a stable lowercase name such as `linux-x86_64-amd-epyc-2c`. It consists of the system, the architecture,
    /// the processor and the number of cores.
    package static func slug(system: String, architecture: String, processor: String?, cores: Int) -> String {
        "\(system.lowercased())-\(architecture.lowercased())-\(model(of: processor))-\(cores)c"
    }

    /// Returns whether `text` is a valid name of a machine. It must consist of lowercase letters, digits and
    /// underscores, with single hyphens between them.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.count <= 100
            && text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
                    }
            }
    }

    /// Returns a processor's name without marketing terms, such as `amd-epyc`.
    package static func model(of processor: String?) -> String {
        let marketing: Set<String> = ["cpu", "processor", "r", "tm", "with", "core", "cores", "virtual"]
        let words = (processor ?? "unknown").lowercased().prefix { $0 != "@" }
            .replacing("(r)", with: " ").replacing("(tm)", with: " ")
            .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .filter { !marketing.contains(String($0)) && !$0.hasSuffix("-core") }
        return words.isEmpty ? "unknown" : words.prefix(5).joined(separator: "-")
    }
}

extension Environment {
    /// Returns the environment of this process.
    ///
    /// - Parameter isTracing: Whether the measured code counts its resources. The harness does not know this itself.
    package static func current(isTracing: Bool) -> Environment {
        let names = SystemNames()
        let processor = Processor.model
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Environment(
            machine: MachineName.slug(
                system: names.system, architecture: names.architecture, processor: processor.value, cores: cores),
            operatingSystem: OperatingSystem.name, kernel: "\(names.system) \(names.release)",
            architecture: names.architecture,
            processor: processor, cores: cores, memoryBytes: ProcessInfo.processInfo.physicalMemory,
            swiftVersion: .value(Compiler.version), configuration: Compiler.configuration, isTracing: isTracing,
            jemalloc: HeapProbe.allocatorVersion, loadAverage: loadAverageNow)
    }

    private static var loadAverageNow: Reading<Double> {
        var averages = [0.0, 0.0, 0.0]
        guard getloadavg(&averages, 3) >= 1 else { return .unavailable("the system keeps no load average") }
        return .value((averages[0] * 100).rounded() / 100)
    }
}

/// The names that `uname` returns, except the name of the host.
private struct SystemNames {
    let system: String
    let release: String
    let architecture: String

    init() {
        var names = utsname()
        uname(&names)
        system = Self.text(names.sysname)
        release = Self.text(names.release)
        architecture = Self.text(names.machine)
    }

    private static func text<Tuple>(_ characters: Tuple) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

private enum OperatingSystem {
    static var name: String {
        #if os(Linux)
            let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
            let pretty = lines.first { $0.hasPrefix("PRETTY_NAME=") }
            if let pretty { return pretty.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""]) }
        #endif
        return ProcessInfo.processInfo.operatingSystemVersionString
    }
}

private enum Processor {
    static var model: Reading<String> {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0, size > 0 else {
                return .unavailable("the system does not name its processor")
            }
            var bytes = [UInt8](repeating: 0, count: size)
            sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0)
            return .value(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        #else
            let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
            guard let line = lines.first(where: { $0.hasPrefix("model name") }), let colon = line.firstIndex(of: ":")
            else {
                return .unavailable("the system does not name its processor")
            }
            return .value(line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        #endif
    }
}

/// The compiler that built the harness.
package enum Compiler {
    /// The Swift version at compile time, followed by the version and revision of the toolchain's C compiler. The
    /// revision distinguishes patch versions.
    package static var version: String {
        let words = String(cString: rxbench_compiler()).split(separator: " ")
        let revision = words.last.map { $0.prefix(12) } ?? "unknown"
        return "\(swift) (clang \(words.first ?? "unknown") \(revision))"
    }

    /// Whether this module was built with optimisation. Measurements depend on it.
    static var isOptimised: Bool { !_isDebugAssertConfiguration() }

    static var configuration: String { isOptimised ? "release" : "debug" }

    private static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3.2)
            "6.3.2 or later"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}

/// A commit of the measured code.
package struct Commit: Codable, Sendable, Equatable {
    /// The full hash.
    package let sha: String
    /// Whether files outside the results folder differ from the commit.
    package let isDirty: Bool
}

extension Commit {
    /// Returns the commit that is checked out in `folder`, and whether any file other than stored results differs from
    /// it.
    package static func current(in folder: URL) -> Reading<Commit> {
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        func run(_ arguments: [String]) -> String? {
            ChildProcess.output(of: git, ["-C", folder.path] + arguments, timeoutSeconds: 20)?
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard let sha = run(["rev-parse", "--verify", "HEAD"]) else {
            return .unavailable("not in a git repository with a commit")
        }
        // Results are stored in the current folder, which need not be the root of the repository.
        let places = [":(top)", ":(top,exclude)results", ":(exclude)results"]
        guard let changes = run(["status", "--porcelain", "--"] + places) else {
            return .unavailable("git cannot list the changes")
        }
        return .value(Commit(sha: sha, isDirty: !changes.isEmpty))
    }

    /// Returns the content of a file at the commit `sha`. `path` is relative to `folder`, in git's notation
    /// (`./budgets.json`).
    package static func file(_ path: String, at sha: String, in folder: URL) -> Reading<String> {
        // The hash may come from an untrusted file, and git must not interpret it as an option.
        guard !sha.isEmpty, sha.allSatisfy(\.isHexDigit) else { return .unavailable("'\(sha)' is no hash") }
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        let arguments = ["-C", folder.path, "show", "\(sha):\(path)"]
        return ChildProcess.output(of: git, arguments, timeoutSeconds: 20).map(Reading.value)
            ?? .unavailable("git has no such file there, or not that commit")
    }
}

/// The history of the checked-out commit, following first parents. This is the order in which commits reached a main
/// branch.
package struct CommitHistory: Codable, Sendable, Equatable {
    private let positions: [String: Int]

    /// Creates a history from full hashes, with the oldest first.
    package init(_ hashes: [String]) {
        positions = Dictionary(hashes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the number of commits before the commit `hash`, or `nil` if the commit is not in the history.
    package func position(of hash: String) -> Int? { positions[hash] }

    /// Returns the history of the commit that is checked out in `folder`.
    package static func current(in folder: URL) -> Reading<CommitHistory> {
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        let arguments = ["-C", folder.path, "rev-list", "--first-parent", "--reverse", "HEAD"]
        return ChildProcess.output(of: git, arguments, timeoutSeconds: 20).map {
            .value(CommitHistory($0.split(separator: "\n").map(String.init)))
        } ?? .unavailable("not in a git repository with a commit")
    }
}
