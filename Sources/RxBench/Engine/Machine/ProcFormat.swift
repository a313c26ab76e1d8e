import Foundation
import RxBench

/// Parsers for Linux's files in `/proc` and `/sys`. They are pure functions of the text and return `nil` for malformed
/// text.
enum ProcFormat {
    /// The first line of `/proc/stat`: the ticks of all processors by activity.
    struct Ticks: Equatable {
        var total: Int
        var stolen: Int
        var working: Int
    }

    /// Parses the fields described in proc(5): user, nice, system, idle, iowait, irq, softirq, steal, guest,
    /// guest_nice. The times of guests are included in user and nice.
    static func ticks(_ text: String) -> Ticks? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let fields = line.split(separator: " ").dropFirst().prefix(8).map { Int($0) }
        let numbers = fields.compactMap { $0 }
        guard numbers.count == 8 else { return nil }
        return Ticks(
            total: numbers.reduce(0, +), stolen: numbers[7],
            working: numbers[0] + numbers[1] + numbers[2] + numbers[5] + numbers[6])
    }

    /// Parses `/proc/<pid>/stat`. Returns the program's name, which may contain spaces and parentheses, and its ticks
    /// in user mode and kernel mode.
    static func process(_ text: String) -> (name: String, ticks: Int)? {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        // These are fields 14 and 15, counted from 1. The first field after the name is the third.
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return (String(text[text.index(after: open)..<close]), user + system)
    }

    /// Returns the number of processors in a list such as `0-3,8`.
    static func count(ofList text: some StringProtocol) -> Int? {
        var count = 0
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first >= 0, first <= last,
                last < 1 << 20
            else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }

    /// Returns the value of `name` in lines of the form `name: value` or `name value`.
    static func field(_ name: String, in text: String) -> Substring? {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let rest = line.dropFirst(name.count)
            if let separator = rest.first, separator == ":" || separator.isWhitespace {
                return rest.dropFirst().drop(while: \.isWhitespace)
            }
        }
        return nil
    }

    /// Parses `/proc/meminfo`.
    static func memory(_ text: String) -> MemoryReading? {
        func bytes(_ name: String) -> UInt64? {
            field(name, in: text).flatMap { $0.split(separator: " ").first }.flatMap { UInt64($0) }.map { $0 &* 1024 }
        }
        guard let total = bytes("MemTotal"), let available = bytes("MemAvailable"), let swap = bytes("SwapTotal"),
            let free = bytes("SwapFree"),
            free <= swap
        else { return nil }
        return MemoryReading(total: total, available: available, swapTotal: swap, swapUsed: swap - free)
    }

    /// Returns the selected word of a list such as `always [madvise] never`.
    static func choice(_ text: String) -> String? {
        text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("[") && $0.hasSuffix("]") }.map {
            String($0.dropFirst().dropLast())
        }
    }

    /// Parses `cpu.max` of a control group of version 2. The file contains the quota and the period in microseconds, or
    /// `max` and a period.
    static func quota(_ text: String) -> ProcessorQuota? {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let period = Double(fields[1]), period > 0 else { return nil }
        if fields[0] == "max" { return ProcessorQuota(cores: nil) }
        return Double(fields[0]).map { ProcessorQuota(cores: $0 / period) }
    }

    /// Parses `/proc/self/cgroup`. Returns the folder of this process's control group of version 2, and the folders
    /// above it, whose limits also apply.
    static func groupFolders(_ text: String) -> [String] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        let names = line.dropFirst("0::/".count).split(separator: "/")
        return (0...names.count).map {
            (["/sys/fs/cgroup"] + names.dropLast($0).map(String.init)).joined(separator: "/")
        }
    }

    /// Parses `/proc/vmstat`. Returns the number of pages that were swapped in or out since the system was started.
    static func swappedPages(_ text: String) -> Int? {
        guard let pagesIn = field("pswpin", in: text).flatMap({ Int($0) }),
            let pagesOut = field("pswpout", in: text).flatMap({ Int($0) })
        else {
            return nil
        }
        return pagesIn + pagesOut
    }
}

/// The counters of the processors at one moment. Two observations define a window.
package struct ProcessorObservation: Sendable {
    private let ticks: ProcFormat.Ticks
    private let processes: [Int: (name: String, ticks: Int)]
    private let swappedPages: Int
    private let nanoseconds: UInt64

    /// Returns the current counters, or the reason why they cannot be read.
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

    /// The reason why counters cannot be read.
    package struct Obstacle: Error, Equatable {
        /// The reason, as the end of a sentence.
        package let reason: String
    }

    /// Returns the window from `start` to this observation.
    package func since(_ start: ProcessorObservation) -> ProcessorWindow {
        let seconds = Double(nanoseconds - start.nanoseconds) / 1e9
        let own = Int(getpid())
        let others = processes.compactMap { identifier, process -> ProcessorUser? in
            // A process that began after `start` has used all of its ticks within the window.
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
            // A process that has ended in the meantime is skipped.
            processes[identifier] = SystemFile.read("/proc/\(identifier)/stat").value.flatMap(ProcFormat.process)
        }
        return processes
    }
}

/// Reads the small files by which Linux reports its state.
enum SystemFile {
    /// Returns the text of a file, or the reason why it cannot be read.
    static func read(_ path: String) -> Reading<String> {
        #if os(Linux)
            // FileManager is not used, because the kernel's files report a size of 0.
            guard let file = fopen(path, "re") else {
                return .unavailable("'\(path)' cannot be read (\(String(cString: strerror(errno))))")
            }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = fread(&bytes, 1, bytes.count, file)
            return .value(String(decoding: bytes[..<count], as: UTF8.self))
        #else
            return .unavailable("only Linux reports it")
        #endif
    }

    /// Returns the result of `parse` for a file's text, or the reason why it is unavailable.
    static func read<Value>(_ path: String, _ parse: (String) -> Value?) -> Reading<Value> {
        switch read(path) {
        case .unavailable(let reason): .unavailable(reason)
        case .value(let text): parse(text).map(Reading.value) ?? .unavailable("'\(path)' has an unknown form")
        }
    }
}
