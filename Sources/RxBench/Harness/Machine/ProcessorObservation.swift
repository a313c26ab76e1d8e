import Foundation

/// The processors' counters at one moment; two of them make a window.
package struct ProcessorObservation: Sendable {
    private let ticks: ProcFormat.Ticks
    private let processes: [Int: (name: String, ticks: Int)]
    private let swappedPages: Int
    private let nanoseconds: UInt64

    /// The counters now, or why they cannot be read.
    package static func now() -> Result<ProcessorObservation, Obstacle> {
        switch SystemFile.read("/proc/stat") {
        case .unavailable(let reason): return .failure(Obstacle(reason: reason))
        case .value(let text):
            guard let ticks = ProcFormat.ticks(text) else {
                return .failure(Obstacle(reason: "'/proc/stat' has an unknown form"))
            }
            let pages = SystemFile.read("/proc/vmstat").value.flatMap(ProcFormat.swappedPages) ?? 0
            return .success(
                ProcessorObservation(
                    ticks: ticks, processes: runningProcesses, swappedPages: pages,
                    nanoseconds: MonotonicClock.nanoseconds))
        }
    }

    /// Why counters cannot be read.
    package struct Obstacle: Error, Equatable {
        /// As the end of a sentence.
        package let reason: String
    }

    /// The window from `start` to this observation.
    package func since(_ start: ProcessorObservation) -> ProcessorWindow {
        let seconds = Double(nanoseconds - start.nanoseconds) / 1e9
        let own = Int(getpid())
        let others = processes.compactMap { identifier, process -> ProcessorUser? in
            // A process that began meanwhile has used all its ticks in the window.
            let used = process.ticks - (start.processes[identifier]?.ticks ?? 0)
            guard identifier != own, used > 0 else { return nil }
            return ProcessorUser(
                process: identifier, name: process.name, cores: Double(used) / Self.ticksPerSecond / seconds)
        }
        return ProcessorWindow(
            ticks: ticks.total - start.ticks.total, stolenTicks: ticks.stolen - start.ticks.stolen,
            workingTicks: ticks.working - start.ticks.working, seconds: seconds,
            swappedPages: swappedPages - start.swappedPages,
            others: Array(others.sorted { ($1.cores, $0.process) < ($0.cores, $1.process) }.prefix(10)))
    }

    private static var ticksPerSecond: Double { Double(max(1, sysconf(Int32(_SC_CLK_TCK)))) }

    private static var runningProcesses: [Int: (name: String, ticks: Int)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var processes: [Int: (name: String, ticks: Int)] = [:]
        for identifier in names.compactMap({ Int($0) }) {
            // One that has ended since is none.
            processes[identifier] = SystemFile.read("/proc/\(identifier)/stat").value.flatMap(ProcFormat.process)
        }
        return processes
    }
}

/// Small files in which Linux tells of itself.
enum SystemFile {
    /// The text of a file, or why there is none.
    static func read(_ path: String) -> Reading<String> {
        #if os(Linux)
            // Not through FileManager: files of the kernel state a size of 0.
            guard let file = fopen(path, "re") else {
                return .unavailable("'\(path)' cannot be read (\(String(cString: strerror(errno))))")
            }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = fread(&bytes, 1, bytes.count, file)
            return .value(String(decoding: bytes[..<count], as: UTF8.self))
        #else
            return .unavailable("only Linux tells it")
        #endif
    }

    /// The result of `parse` for a file's text, or why there is none.
    static func read<Value>(_ path: String, _ parse: (String) -> Value?) -> Reading<Value> {
        switch read(path) {
        case .unavailable(let reason): .unavailable(reason)
        case .value(let text): parse(text).map(Reading.value) ?? .unavailable("'\(path)' has an unknown form")
        }
    }
}
