import CRx
import Foundation
import Rx

/// The live resources of a running process at one moment.
///
///     let report = ProcessReport(number: 1)
///     print(report)  // Report 1 of process …, …Z, … resources: total …
public struct ProcessReport: Sendable {
    /// The number of the report within the process, from 1.
    public let number: Int
    /// The time at which it was made.
    public let date: Date
    /// The process's identifier.
    public let processIdentifier: Int32
    /// The level of tracing.
    public let level: RxTrace.Level
    /// The live reactive resources.
    public let resources: ResourceSnapshot
    /// The places at which the resources were made, the place with the most resources first. Empty below the level
    /// `stacks`. Resources that were made before that level was set are not included.
    public let places: [ResourcePlace]
    /// The pending work of schedulers; `nil` in a build that does not trace resources.
    public let pending: PendingWork?
    /// The bytes of the heap in use, or the reason why they are not known.
    public let heapBytes: Result<Int, HeapUnavailable>
    /// The readings of the counters that were added by `RxTrace.follow(_:)`, with their names.
    public let others: [(name: String, reading: GrowthReading)]

    /// Takes a report. Call it from any thread. It takes the time of a few snapshots, and stops no thread.
    public init(number: Int) {
        var pending: PendingWork?
        var places: [ResourcePlace] = []
        #if TRACE_RESOURCES
            pending = TracedResources.pendingWork
            if RxTrace.level >= .stacks { places = ResourcePlace.registered() }
        #endif
        self.init(
            number: number, date: Date(), processIdentifier: ProcessInfo.processInfo.processIdentifier,
            level: RxTrace.level, resources: ResourceSnapshot(), places: places, pending: pending,
            heapBytes: HeapBytes.inUse().map(Result.success) ?? .failure(.notJemalloc),
            others: RxTrace.followed.map { ($0.name, $0.read()) })
    }

    /// Creates a report with the given values, for tests of renderers.
    public init(
        number: Int, date: Date, processIdentifier: Int32, level: RxTrace.Level, resources: ResourceSnapshot,
        places: [ResourcePlace] = [], pending: PendingWork?, heapBytes: Result<Int, HeapUnavailable>,
        others: [(name: String, reading: GrowthReading)]
    ) {
        self.number = number
        self.date = date
        self.processIdentifier = processIdentifier
        self.level = level
        self.resources = resources
        self.places = places
        self.pending = pending
        self.heapBytes = heapBytes
        self.others = others
    }
}

extension ProcessReport: CustomStringConvertible {
    /// A heading with the process and the time in UTC, then a paragraph for each metric, with its 20 most frequent
    /// types.
    public var description: String {
        let heading = [
            "Report \(number) of process \(processIdentifier), \(date.ISO8601Format())", "level: \(level)",
            "resources: \(resources)",
        ]
        let types = Self.lines(resources.types.map { ("\($0.key)", $0.value) })
        let work = pending.map { ["pending: \($0)"] } ?? []
        let paragraphs = heading + types + placeLines + work + [heapLine] + others.flatMap(Self.paragraph)
        return paragraphs.joined(separator: "\n")
    }

    private var placeLines: [String] {
        guard !places.isEmpty else { return [] }
        let registered = places.reduce(0) { $0 + $1.count }
        return ["made at, as far as stacks were recorded: \(registered)"] + places.prefix(20).map { "  \($0)" }
    }

    private var heapLine: String {
        switch heapBytes {
        case .success(let bytes): "heap: \(String.counted(bytes, "byte")) in use"
        case .failure(let unavailable): "heap: unavailable, because \(unavailable.reason)"
        }
    }

    private static func paragraph(name: String, reading: GrowthReading) -> [String] {
        switch reading {
        case .unavailable(let reason): return ["\(name): unavailable, because \(reason)"]
        case .counts(let counts):
            let total = counts.values.reduce(0, +)
            return ["\(name): \(total)"] + (counts.count > 1 ? lines(counts.map { (text(of: $0.key), $0.value) }) : [])
        }
    }

    /// The text of a metric; only the type for a metric of objects, because the heading of the paragraph names these.
    private static func text(of metric: GrowthMetric) -> String {
        if case .objects(let type) = metric { type } else { "\(metric)" }
    }

    private static func lines(_ counts: [(name: String, count: Int)]) -> [String] {
        counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(20).map { "  \($0.count)  \($0.name)" }
    }
}

#if TRACE_RESOURCES
    /// Writes a report of the live resources to standard error, when the process exits and `RX_TRACE` requests it.
    ///
    /// The core calls it once, in `exit`. It replaces a weak function that reports that this module is missing.
    ///
    /// - Parameter code: the exit code if a resource is alive; 0 keeps the process's own code.
    @_cdecl("rx_exit_report")
    func writeExitReport(_ code: Int32) {
        let report = ProcessReport(number: ReportSignals.shared.takeNumber())
        let decidesCode = code != 0 && (report.resources.total ?? 0) > 0
        let ending =
            decidesCode ? "Resources are alive at exit: the process ends with code \(code), as RX_TRACE asks.\n" : ""
        let text = Array("\(report)\n\(ending)".utf8)
        var written = 0
        while written < text.count {
            let count = text[written...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { break }
            written += max(0, count)
        }
        guard decidesCode else { return }
        // Handlers that were registered earlier do not run. Buffered output is written.
        fflush(nil)
        _exit(code)
    }
#endif

/// Live resources of one type that were made at one place.
public struct ResourcePlace: Sendable {
    /// The type: `map<Int, String> (sink)`.
    public let metric: GrowthMetric
    /// The number of live resources.
    public let count: Int
    /// The innermost call of your code that made them, `Screen.open() at Screen.swift:42`; `nil` if it is not known.
    public let maker: String?
    /// The holders of one of them; `nil` below the level `paranoid`, and if no holder was found.
    public let retention: Retention?

    /// Creates a place with the given values, for tests of renderers.
    public init(metric: GrowthMetric, count: Int, maker: String?, retention: Retention? = nil) {
        (self.metric, self.count, self.maker, self.retention) = (metric, count, maker, retention)
    }
}

extension ResourcePlace: CustomStringConvertible {
    /// `500  PublishSubject<Int> (subject), made by Screen.init() at Screen.swift:12`, and below it the holder of one
    /// of the resources, if it is known.
    public var description: String {
        let line = "\(count)  \(metric), made by \(maker ?? "calls of which none is yours")"
        return retention.map { "\(line)\n    \($0.headline)" } ?? line
    }
}

#if TRACE_RESOURCES
    extension ResourcePlace {
        /// The maximum number of stacks to name, because naming a stack can take some milliseconds. The stacks with the
        /// most resources are named.
        private static let stackLimit = 256
        /// The maximum number of places whose holders are searched for.
        private static let holderLimit = 20

        /// Returns the places at which the registered resources were made, the place with the most resources first.
        ///
        /// O(n) for *n* registered resources. At the level `paranoid` the heap is read, too.
        static func registered() -> [ResourcePlace] {
            struct Made: Hashable { let type, stack: UInt32 }
            struct Place: Hashable { let metric: GrowthMetric, maker: String? }
            var made: [Made: [UInt]] = [:]
            var places: [Place: [UInt]] = [:]
            TracedResources.forEachRegistered { resource in
                made[Made(type: resource.type, stack: resource.stack), default: []].append(UInt(resource.address))
            }
            for (key, addresses) in made.sorted(by: { $0.value.count > $1.value.count }).prefix(stackLimit) {
                guard let kind = TracedResources.kind(ofType: key.type) else { continue }
                let maker = TracedResources.callStack(key.stack)?.framesOfYours.first?.description
                let metric = GrowthMetric.type(TracedResources.name(ofType: key.type), kind)
                places[Place(metric: metric, maker: maker), default: []] += addresses
            }
            let sorted = places.sorted { ($1.value.count, "\($0.key)") < ($0.value.count, "\($1.key)") }
            let heap = RxTrace.level == .paranoid && !sorted.isEmpty ? try? HeapSnapshot.capture() : nil
            return sorted.enumerated().map { index, place in
                let retention = index < holderLimit ? heap?.retention(of: Array(place.value.prefix(8))) : nil
                return ResourcePlace(
                    metric: place.key.metric, count: place.value.count, maker: place.key.maker, retention: retention)
            }
        }
    }
#endif
