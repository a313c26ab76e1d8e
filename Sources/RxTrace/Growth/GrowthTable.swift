import CPlatform
import Rx

/// What was counted before the first run and after each: a row a reading, a column a subject.
///
/// In memory outside the heap, all of it reserved at the beginning: a detection that kept its readings on the heap would find itself there.
final class GrowthTable {
    private let cells: UnsafeMutablePointer<Int>
    private let bytes: Int
    private let rowLimit: Int
    private let columnLimit: Int

    /// How many rows were begun.
    private(set) var rows = 0
    private var columns: [Column: Int] = [:]

    /// What a column counts.
    enum Column: Hashable {
        /// The resources of a type, by its number: its name is looked up at the end.
        case type(UInt32)
        case other(GrowthSubject)
        /// What the thread that runs has allocated and not freed: whether it is the runs that take the heap's bytes, or others.
        case heapOfThisThread
    }

    /// - Parameter rowLimit: how many readings there will be at most.
    init(rowLimit: Int, columnLimit: Int = 4_096) {
        self.rowLimit = rowLimit
        self.columnLimit = columnLimit
        bytes = rowLimit * columnLimit * MemoryLayout<Int>.stride
        guard let memory = rx_reserve(bytes) else { fatalError("There is no room for '\(bytes)' bytes of readings. Ask for fewer runs.") }
        cells = memory.bindMemory(to: Int.self, capacity: rowLimit * columnLimit)
    }

    deinit { rx_release(cells, bytes) }

    /// Begins a row of zeroes.
    func beginRow() {
        precondition(rows < rowLimit, "A table of '\(rowLimit)' rows is full.")
        rows += 1
    }

    /// Adds to what the row that was begun last says of a subject. Subjects beyond the limit are left out.
    func add(_ count: Int, to subject: Column) {
        if let column = columns[subject] { return cells[(rows - 1) * columnLimit + column] += count }
        guard columns.count < columnLimit else { return }
        cells[(rows - 1) * columnLimit + columns.count] += count
        columns[subject] = columns.count
    }

    /// What the rows say of each subject, the first row apart, and less what that says: the types under their names, of which several numbers
    /// may have one, each kind as a whole, and whatever else was added.
    var series: [(subject: GrowthSubject, counts: [Int])] {
        var sums: [GrowthSubject: [Int]] = [:]
        func add(_ counts: [Int], to subject: GrowthSubject) {
            sums[subject] = sums[subject].map { zip($0, counts).map(+) } ?? counts
        }
#if TRACE_RESOURCES
        for kind in Resources.Kind.allCases { add((1..<max(rows, 1)).map { _ in 0 }, to: .kind(kind)) }
#endif
        for (column, index) in columns {
            let counts = counts(inColumn: index)
            switch column {
            case .heapOfThisThread: continue
            case .other(let subject): add(counts, to: subject)
            case .type(let number):
#if TRACE_RESOURCES
                guard let kind = TracedResources.kind(ofType: number) else { continue }
                add(counts, to: .type(TracedResources.name(ofType: number), kind))
                add(counts, to: .kind(kind))
#endif
            }
        }
        return sums.map { (subject: $0.key, counts: $0.value) }.sorted { $0.subject.description < $1.subject.description }
    }

    /// Whether the heap's bytes rise, and those that this thread has taken do not.
    func isHeapTakenByOthers(_ rule: GrowthRule) -> Bool {
        guard let whole = columns[.other(.heapBytes)], let own = columns[.heapOfThisThread] else { return false }
        return rule.isRising(after: counts(inColumn: whole)) && !rule.isRising(after: counts(inColumn: own))
    }

    /// How many resources a row counts.
    func counts(inRow row: Int) -> Int {
        columns.reduce(0) { sum, column in if case .type = column.key { sum + cells[row * columnLimit + column.value] } else { sum } }
    }

    private func counts(inColumn column: Int) -> [Int] {
        (1..<max(rows, 1)).map { cells[$0 * columnLimit + column] - cells[column] }
    }
}
