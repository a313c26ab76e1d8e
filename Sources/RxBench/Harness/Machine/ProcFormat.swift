/// The formats of Linux's files under `/proc` and `/sys`; `nil` for a text that is none. Pure functions of the text.
enum ProcFormat {
    /// The first line of `/proc/stat`: all processors' ticks by what they did.
    struct Ticks: Equatable {
        var total: Int
        var stolen: Int
        var working: Int
    }

    /// proc(5): user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice; guests are part of user and
    /// nice.
    static func ticks(_ text: String) -> Ticks? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else { return nil }
        let fields = line.split(separator: " ").dropFirst().prefix(8).map { Int($0) }
        let numbers = fields.compactMap { $0 }
        guard numbers.count == 8 else { return nil }
        return Ticks(
            total: numbers.reduce(0, +), stolen: numbers[7],
            working: numbers[0] + numbers[1] + numbers[2] + numbers[5] + numbers[6])
    }

    /// `/proc/<pid>/stat`: the program's name, which may hold spaces and parentheses, and its ticks in user and kernel
    /// mode.
    static func process(_ text: String) -> (name: String, ticks: Int)? {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
        let fields = text[text.index(after: close)...].split(separator: " ")
        // Fields 14 and 15, counted from 1; the first behind the name is the third.
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return (String(text[text.index(after: open)..<close]), user + system)
    }

    /// A list of processors such as `0-3,8`: how many there are.
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

    /// The value of `name` in lines of the form `name: value` or `name value`.
    static func field(_ name: String, in text: String) -> Substring? {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let rest = line.dropFirst(name.count)
            if let separator = rest.first, separator == ":" || separator.isWhitespace {
                return rest.dropFirst().drop(while: \.isWhitespace)
            }
        }
        return nil
    }

    /// `/proc/meminfo`.
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

    /// The chosen word of a list such as `always [madvise] never`.
    static func choice(_ text: String) -> String? {
        text.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("[") && $0.hasSuffix("]") }.map {
            String($0.dropFirst().dropLast())
        }
    }

    /// `cpu.max` of a control group of the second version: quota and period in microseconds, or `max` and a period.
    static func quota(_ text: String) -> ProcessorQuota? {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let period = Double(fields[1]), period > 0 else { return nil }
        if fields[0] == "max" { return ProcessorQuota(cores: nil) }
        return Double(fields[0]).map { ProcessorQuota(cores: $0 / period) }
    }

    /// `/proc/self/cgroup`: the folder of this process's control group of the second version and those above it, whose
    /// limits hold too.
    static func groupFolders(_ text: String) -> [String] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return [] }
        let names = line.dropFirst("0::/".count).split(separator: "/")
        return (0...names.count).map {
            (["/sys/fs/cgroup"] + names.dropLast($0).map(String.init)).joined(separator: "/")
        }
    }

    /// `/proc/vmstat`: pages that were swapped in or out since the system began.
    static func swappedPages(_ text: String) -> Int? {
        guard let pagesIn = field("pswpin", in: text).flatMap({ Int($0) }),
            let pagesOut = field("pswpout", in: text).flatMap({ Int($0) })
        else {
            return nil
        }
        return pagesIn + pagesOut
    }
}
