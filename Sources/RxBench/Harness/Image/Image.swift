import Foundation

/// The inside of an image: a whole tool that was linked as a dynamic library and loaded by another process to measure
/// its benchmarks.
package enum Image {
    /// The process that loaded the image, and waits for its suites.
    struct Caller {
        let ready: ImageInterface.Ready
        let context: UnsafeMutableRawPointer?
    }

    /// The image's benchmarks and probes.
    private struct Served {
        let catalog: Catalog
        let probes: () -> [any MetricProbe]
    }

    // Unsafe: an image is opened and asked on the main thread alone.
    nonisolated(unsafe) static var caller: Caller?
    nonisolated(unsafe) private static var served: Served?

    /// Whether this code was loaded as an image, so that the tool's `main` has to serve its suites instead of reading
    /// arguments.
    package static var isLoaded: Bool { caller != nil }

    /// Hands the suites to the process that loaded the image. Does not return: that process ends when it has measured.
    package static func serve(_ suites: [Suite], probes: @escaping () -> [any MetricProbe]) -> Never {
        guard let caller else { preconditionFailure("Suites are served by loaded images alone.") }
        // Unchecked: a side that cannot compile a benchmark goes without it, also where others are relative to it.
        served = Served(catalog: Catalog(unchecked: suites), probes: probes)
        caller.ready(caller.context)
        preconditionFailure("The process that loaded the image went on without it.")
    }

    /// Why a benchmark of this image cannot be measured.
    enum Refusal: Error {
        case unknown
        case refused(PreparedWorkload.Refusal)

        /// One sentence; empty for an unknown ID.
        var sentence: String {
            switch self {
            case .unknown: ""
            case .refused(let refusal): refusal.description
            }
        }
    }

    /// A workload as the interface hands it out.
    final class Prepared {
        let workload: PreparedWorkload
        init(_ workload: PreparedWorkload) { self.workload = workload }
    }

    static func list() -> String {
        let listed = (served?.catalog.benchmarks ?? []).map {
            ListedBenchmark(id: $0.id.text, tags: $0.tags, operations: $0.operations)
        }
        return json(listed) ?? "[]"
    }

    static func prepare(_ text: String) throws(Refusal) -> Prepared {
        guard let id = try? BenchmarkID(text), let benchmark = served?.catalog[id] else { throw .unknown }
        do throws(PreparedWorkload.Refusal) { return Prepared(try PreparedWorkload(benchmark)) } catch {
            throw .refused(error)
        }
    }

    static func takeLatencies(_ workload: PreparedWorkload) -> String? {
        guard workload.recordsLatencies else { return nil }
        return json(workload.latencies.take()) ?? "[]"
    }

    static func measure(_ text: String) -> String? {
        guard let served, let request = try? JSONDecoder().decode(WorkerRequest.self, from: Data(text.utf8)) else {
            return nil
        }
        return json(Worker.measure(request, catalog: served.catalog, probes: served.probes))
    }

    private static func json(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A benchmark that an image has.
package struct ListedBenchmark: Codable, Sendable, Equatable {
    /// The stable name.
    package let id: String
    /// Words to select by.
    package let tags: [String]
    /// Operations of an iteration.
    package let operations: Int

    /// A benchmark of those figures.
    package init(id: String, tags: [String], operations: Int) {
        self.id = id
        self.tags = tags
        self.operations = operations
    }
}
