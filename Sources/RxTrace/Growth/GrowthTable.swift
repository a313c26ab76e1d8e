import CRx
import Rx

/// The counts before the first run, after each, and at the end once more: a row a reading, a column a counted thing.
///
/// In memory outside the heap, all of it reserved at the beginning: a detection that kept its readings on the heap
/// would find itself there.
final class GrowthTable {
    private let cells: UnsafeMutablePointer<Int>
    private let bytes: Int
    private let rowLimit: Int
    private let columnLimit: Int

    /// How many rows were begun, one before the first run and one for each; the one of the confirmation apart.
    private(set) var rows = 0
    private var isConfirmed = false
    private var columns: [Column: Int] = [:]

    /// The counted things of a column.
    enum Column: Hashable {
        /// The resources of a type, by its number: its name is looked up at the end.
        case type(UInt32)
        case other(GrowthMetric)
    }

    /// The counts of a column, less those of the first row.
    struct Series {
        /// After each run.
        var counts: [Int]
        /// The count a while after the last run; `nil` if nobody waited.
        var confirmed: Int?

        fileprivate static func + (one: Series, other: Series) -> Series {
            Series(
                counts: zip(one.counts, other.counts).map(+),
                confirmed: one.confirmed.flatMap { one in other.confirmed.map { one + $0 } })
        }
    }

    /// - Parameter rowLimit: how many readings there will be at most.
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

    /// Begins the row of what is left a while after the last run.
    func beginConfirmation() {
        precondition(!isConfirmed && rows < rowLimit, "A table of '\(rowLimit)' rows is full.")
        isConfirmed = true
    }

    /// Adds to a column in the row that was begun last. Columns beyond the limit are left out.
    func add(_ count: Int, to column: Column) {
        let row = isConfirmed ? rows : rows - 1
        guard let index = columns[column] ?? (columns.count < columnLimit ? columns.count : nil) else { return }
        columns[column] = index
        cells[row * columnLimit + index] += count
    }

    /// The series of each counted thing: the types under their names, of which several numbers may have one, each
    /// kind as a whole, and whatever else was added.
    var series: [(metric: GrowthMetric, series: Series)] {
        var sums: [GrowthMetric: Series] = [:]
        func add(_ series: Series, to metric: GrowthMetric) {
            sums[metric] = sums[metric].map { $0 + series } ?? series
        }
        #if TRACE_RESOURCES
            let nothing = Series(counts: [Int](repeating: 0, count: max(rows, 1) - 1), confirmed: isConfirmed ? 0 : nil)
            for kind in Resources.Kind.allCases { add(nothing, to: .kind(kind)) }
        #endif
        for (column, index) in columns {
            let series = series(inColumn: index)
            switch column {
            case .other(let metric): add(series, to: metric)
            case .type(let number):
                #if TRACE_RESOURCES
                    guard let kind = TracedResources.kind(ofType: number) else { continue }
                    add(series, to: .type(TracedResources.name(ofType: number), kind))
                    add(series, to: .kind(kind))
                #endif
            }
        }
        return sums.map { (metric: $0.key, series: $0.value) }.sorted {
            $0.metric.description < $1.metric.description
        }
    }

    private func series(inColumn column: Int) -> Series {
        func cell(_ row: Int) -> Int { cells[row * columnLimit + column] - cells[column] }
        return Series(counts: (1..<max(rows, 1)).map(cell), confirmed: isConfirmed ? cell(rows) : nil)
    }
}
