import CRxBench
import Foundation

extension Environment {
    /// The environment of this process.
    ///
    /// - Parameter isTracing: Whether the measured code counts its resources, which the harness does not know.
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

/// The names that `uname` tells, without the host's.
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

enum Compiler {
    /// The Swift version known at compile time, and the toolchain's C compiler with its revision, which tells patch
    /// versions apart.
    static var version: String {
        let words = String(cString: rxbench_compiler()).split(separator: " ")
        let revision = words.last.map { $0.prefix(12) } ?? "unknown"
        return "\(swift) (clang \(words.first ?? "unknown") \(revision))"
    }

    /// Whether this module was built with optimisation, which is what a measurement depends on.
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
