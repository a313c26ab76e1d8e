import CRx

/// The counts before the first run, after each run, and again at the end. A row is a reading. A column has the counts
/// of one kind of thing.
///
/// The table is in memory outside the heap, which is reserved at the beginning. If a detection kept its readings on the
/// heap, it would find itself there.
final class GrowthTable {
    private let cells: UnsafeMutablePointer<Int>
    private let bytes: Int
    private let rowLimit: Int
    private let columnLimit: Int

    /// The number of rows: one before the first run and one for each run, without the row of the confirmation.
    private(set) var rows = 0
    private var isConfirmed = false
    private var columns: [Column: Int] = [:]

    /// The counted things of a column.
    enum Column: Hashable {
        /// The resources of a type, by the type's number. Its name is looked up at the end.
        case type(UInt32)
        case other(GrowthMetric)
        /// The bytes of the runs that were left out of the bytes of the heap.
        case bytesLeftOut
        /// The bytes of the heap that other threads have freed, as a count that falls.
        case bytesFreedByOthers
        /// The elements that a collection has gained, by its first storage.
        case collection(CollectionStorage)
    }

    /// The counts of a column, minus the count of the first row.
    struct Series {
        /// After each run.
        var counts: [Int]
        /// The count some time after the last run; `nil` if the detection did not wait.
        var confirmed: Int?
        /// The counts with all changes that were left out of `counts`; `nil` if no change was left out.
        var countsOfAllRuns: [Int]?

        /// The increments of the runs.
        fileprivate var steps: [Int] { zip(counts, [0] + counts).map(-) }

        fileprivate static func + (one: Series, other: Series) -> Series {
            Series(
                counts: zip(one.counts, other.counts).map(+),
                confirmed: one.confirmed.flatMap { one in other.confirmed.map { one + $0 } })
        }

        /// Returns the series with the changes of the runs in `other`, which were left out of it. A change is restored
        /// only if it is no larger than the largest change of another run and no smaller than the smallest. Changes by
        /// other threads are rarely that similar.
        ///
        /// Without this, a run that empties a cache would be left out, and the bytes would never fall again.
        fileprivate func restoring(_ other: Series) -> Series {
            let usual = zip(steps, other.steps).filter { $1 == 0 }.map { $0.0 }
            guard let least = usual.min(), let most = usual.max() else { return self }
            var restored = 0
            var result = self
            for (run, step) in other.steps.enumerated() {
                if (least...most).contains(step) { restored += step }
                result.counts[run] += restored
            }
            result.confirmed = confirmed.map { $0 + restored }
            result.countsOfAllRuns = zip(counts, other.counts).map(+)
            return result
        }

        /// Returns the series without the memory that other threads have freed, if that happened in one or two runs.
        /// Such a free would hide a leak of the same size. Memory that other threads free more often may belong to the
        /// runs.
        fileprivate func leavingOutFew(_ falls: Series) -> Series {
            guard (1...2).contains(falls.steps.count { $0 != 0 }) else { return self }
            var result = self
            result.counts = zip(counts, falls.counts).map(-)
            result.confirmed = confirmed.map { $0 - (falls.counts.last ?? 0) }
            result.countsOfAllRuns = counts
            return result
        }
    }

    /// - Parameter rowLimit: the maximum number of readings.
    init(rowLimit: Int, columnLimit: Int = 4_096) {
        self.rowLimit = rowLimit
        self.columnLimit = columnLimit
        bytes = rowLimit * columnLimit * MemoryLayout<Int>.stride
        guard let memory = rx_reserve(bytes) else {
            fatalError("There is no room for '\(bytes)' bytes of readings. Ask for fewer runs.")
        }
        cells = memory.bindMemory(to: Int.self, capacity: rowLimit * columnLimit)
    }

    deinit { rx_release(cells, bytes) }

    /// Begins a row of zeroes.
    func beginRow() {
        precondition(!isConfirmed && rows < rowLimit, "A table of '\(rowLimit)' rows is full.")
        rows += 1
    }

    /// Begins the row of the counts some time after the last run. It replaces an earlier such row.
    func beginConfirmation() {
        precondition(rows < rowLimit, "A table of '\(rowLimit)' rows is full.")
        if isConfirmed { (cells + rows * columnLimit).update(repeating: 0, count: columnLimit) }
        isConfirmed = true
    }

    /// Adds a number to a column in the row that was begun last. Ignores new columns beyond the limit.
    func add(_ count: Int, to column: Column) {
        let row = isConfirmed ? rows : rows - 1
        guard let index = columns[column] ?? (columns.count < columnLimit ? columns.count : nil) else { return }
        columns[column] = index
        cells[row * columnLimit + index] += count
    }

    /// The series of each metric: one for each name of a type, one for each kind of resources, and one for each other
    /// column. Several type numbers may have the same name.
    var series: [(metric: GrowthMetric, series: Series)] {
        var sums: [GrowthMetric: Series] = [:]
        func add(_ series: Series, to metric: GrowthMetric) {
            sums[metric] = sums[metric].map { $0 + series } ?? series
        }
        let nothing = Series(counts: [Int](repeating: 0, count: max(rows, 1) - 1), confirmed: isConfirmed ? 0 : nil)
        for kind in TracedKind.allCases where TracedResources.areCounted { add(nothing, to: .kind(kind)) }
        for (column, index) in columns {
            let series = series(inColumn: index)
            switch column {
            case .other(.heapBytes):
                add(heapBytes(series), to: .heapBytes)
            case .other(let metric): add(series, to: metric)
            case .bytesLeftOut, .bytesFreedByOthers, .collection: continue
            case .type(let number):
                guard let kind = TracedResources.kind(ofType: number) else { continue }
                add(series, to: .type(TracedResources.name(ofType: number), kind))
                add(series, to: .kind(kind))
            }
        }
        return sums.map { (metric: $0.key, series: $0.value) }.sorted { $0.metric.description < $1.metric.description }
    }

    private func heapBytes(_ series: Series) -> Series {
        if let leftOut = columns[.bytesLeftOut] { return series.restoring(self.series(inColumn: leftOut)) }
        if let freed = columns[.bytesFreedByOthers] { return series.leavingOutFew(self.series(inColumn: freed)) }
        return series
    }

    /// The series of the elements of each collection, with the first address of its storage.
    var collections: [(metric: GrowthMetric, address: UInt, series: Series)] {
        columns.compactMap { column, index in
            guard case .collection(let storage) = column else { return nil }
            return (.elements(ofStorage: storage.type), storage.address, series(inColumn: index))
        }
        .sorted { ("\($0.metric)", $0.address) < ("\($1.metric)", $1.address) }
    }

    private func series(inColumn column: Int) -> Series {
        func cell(_ row: Int) -> Int { cells[row * columnLimit + column] - cells[column] }
        return Series(counts: (1..<max(rows, 1)).map(cell), confirmed: isConfirmed ? cell(rows) : nil)
    }
}

/// The behaviour of a count of live things over repeated runs of a round trip.
public enum GrowthVerdict: Equatable, Sendable {
    /// The count returns to its value before the first run.
    case clean
    /// The first runs made things that were kept, and later runs made none: a singleton, a cache that is filled once.
    case lazy(kept: Int)
    /// The count rose, and stopped: a cache with a bound, a pool.
    case bounded(by: Int)
    /// The count rises and falls. It neither stopped rising nor certainly grew: a pool with much noise, a cache that is
    /// flushed now and then.
    case unsteady(by: Int)
    /// The count still rose in the last half of the runs and did not fall back, but too unevenly to be called a leak.
    case rising(by: Int)
    /// The count rose, and fell again some time after the last run: things were released late.
    case late(afterSeconds: Double)
    /// The count had not settled after the last run: some work is still in progress.
    case pending
    /// The count rises with the runs: a leak.
    case growing(GrowthSlope)

    /// Whether the runs have shown a leak.
    public var isGrowing: Bool { if case .growing = self { true } else { false } }

    /// Whether the count grows, or still rises and may grow.
    var mayGrow: Bool {
        switch self {
        case .rising, .growing: true
        default: false
        }
    }

    /// Whether it is still unknown whether the count grows.
    var isOpen: Bool {
        switch self {
        case .rising, .pending: true
        default: false
        }
    }

    /// Whether the count fell again some time after the last run.
    var isLate: Bool { if case .late = self { true } else { false } }

    /// The verdict without figures.
    var summary: String { ranked.summary }

    /// The severity of the verdict. A leak has the highest one.
    var severity: Int { ranked.severity }

    private var ranked: (summary: String, severity: Int) {
        switch self {
        case .clean: ("clean", 0)
        case .lazy: ("lazy", 1)
        case .bounded: ("bounded", 2)
        case .late: ("late", 3)
        case .unsteady: ("unsteady", 4)
        case .rising: ("rising", 5)
        case .pending: ("pending", 6)
        case .growing: ("growing", 7)
        }
    }
}

/// The number of live things that each run adds, as an estimate.
public struct GrowthSlope: Equatable, Sendable {
    /// The mean, in things a run.
    public let perRun: Double
    /// The interval that contains the slope with 95 % confidence, in things a run.
    public let interval: ClosedRange<Double>
}

extension GrowthVerdict: CustomStringConvertible {
    /// `growing by 1 a run [1 1]`, for example.
    public var description: String {
        switch self {
        case .clean: "clean"
        case .lazy(let kept): "lazy: \(kept) made in the first runs and kept"
        case .bounded(let bound): "bounded: rose by \(bound) and stopped"
        case .unsteady(let bound): "unsteady: rose by \(bound) at most, too unevenly to show whether it still rises"
        case .rising(let bound): "rising: rose by \(bound), also in the last half of the runs, too unevenly to be sure"
        case .late(let seconds):
            "late: released \(seconds < 0.1 ? "within 0.1" : GrowthSlope.text(seconds)) s after the last run"
        case .pending: "pending: not at rest after the last run"
        case .growing(let slope): "growing by \(slope)"
        }
    }
}

extension GrowthSlope: CustomStringConvertible {
    /// `0.5 a run [0.45 0.55]`: the slope and its interval, to three significant digits.
    public var description: String {
        "\(Self.text(perRun)) a run [\(Self.text(interval.lowerBound)) \(Self.text(interval.upperBound))]"
    }

    /// A figure to three significant digits.
    static func text(_ value: Double) -> String {
        guard value != 0, value.isFinite else { return "0" }
        var scale = 1.0
        while abs(value) * scale < 100 { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
}

/// `{"verdict": "growing", "perRun": 1, "low": 1, "high": 1}`: the verdict's name and its figures.
extension GrowthVerdict: Codable {
    private enum CodingKeys: String, CodingKey { case verdict, kept, bound, seconds, perRun, low, high }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .verdict) {
        case "clean": self = .clean
        case "lazy": self = .lazy(kept: try container.decode(Int.self, forKey: .kept))
        case "bounded": self = .bounded(by: try container.decode(Int.self, forKey: .bound))
        case "unsteady": self = .unsteady(by: try container.decode(Int.self, forKey: .bound))
        case "late": self = .late(afterSeconds: try container.decode(Double.self, forKey: .seconds))
        case "rising": self = .rising(by: try container.decode(Int.self, forKey: .bound))
        case "pending": self = .pending
        case "growing":
            let low = try container.decode(Double.self, forKey: .low)
            let high = try container.decode(Double.self, forKey: .high)
            guard low <= high else {
                throw DecodingError.dataCorruptedError(
                    forKey: .low, in: container, debugDescription: "'low' is above 'high'.")
            }
            self = .growing(
                GrowthSlope(perRun: try container.decode(Double.self, forKey: .perRun), interval: low...high))
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .verdict, in: container, debugDescription: "'\(other)' is no verdict.")
        }
    }

    /// Writes the verdict's name and its figures.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary, forKey: .verdict)
        switch self {
        case .clean, .pending: break
        case .lazy(let kept): try container.encode(kept, forKey: .kept)
        case .bounded(let bound), .unsteady(let bound), .rising(let bound): try container.encode(bound, forKey: .bound)
        case .late(let seconds): try container.encode(seconds, forKey: .seconds)
        case .growing(let slope):
            try container.encode(slope.perRun, forKey: .perRun)
            try container.encode(slope.interval.lowerBound, forKey: .low)
            try container.encode(slope.interval.upperBound, forKey: .high)
        }
    }
}
