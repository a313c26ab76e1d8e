import Foundation
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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

// The exports of a tool that is linked as a dynamic library: an *image*, of which a comparison loads two into one
// process. C functions, as the two sides share no Swift type: each has this module, and all others, once more. All are
// called on the process's main thread.

/// The C interface between the tool and the images that it loads.
package enum ImageInterface {
    /// Raised with every change of the functions below; a tool refuses images of another version.
    package static let version: Int32 = 3
    /// Returned by the functions of ``ImageInterface`` in the place of a duration after a failure.
    package static let failed = UInt64.max

    package typealias Main = @convention(c) (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    package typealias Ready = @convention(c) (UnsafeMutableRawPointer?) -> Void
    package typealias Version = @convention(c) () -> Int32
    package typealias Open = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer?) -> Void
    package typealias List = @convention(c) () -> UnsafeMutablePointer<CChar>?
    package typealias Measure = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
    package typealias SetUp =
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) ->
        UnsafeMutableRawPointer?
    package typealias Time = @convention(c) (UnsafeMutableRawPointer, Int64) -> UInt64
    package typealias Check = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutablePointer<CChar>?
    package typealias Latencies = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutablePointer<CChar>?
    package typealias TearDown = @convention(c) (UnsafeMutableRawPointer) -> Void
}

/// The version of the interface that this image speaks.
@_cdecl("rxbench_image_version") public func _imageVersion() -> Int32 { ImageInterface.version }

/// Runs the image's own `main`, which ends up in ``Image/serve(_:probes:)``, which calls `ready`. Returns only when
/// `main` never got there.
@_cdecl("rxbench_image_open") public func _imageOpen(
    _ main: UnsafeRawPointer, _ ready: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?
) {
    // C functions of the types that the interface states; a pointer is how they pass through a C function of Swift.
    let main = unsafeBitCast(main, to: ImageInterface.Main.self)
    Image.caller = Image.Caller(ready: unsafeBitCast(ready, to: ImageInterface.Ready.self), context: context)
    _ = main(CommandLine.argc, CommandLine.unsafeArgv)
}

/// A list of ``ListedBenchmark`` in JSON, for the caller to free.
@_cdecl("rxbench_image_list") public func _imageList() -> UnsafeMutablePointer<CChar>? { strdup(Image.list()) }

/// The reply to a ``WorkerRequest`` in JSON, for the caller to free; null when the request cannot be read.
@_cdecl("rxbench_image_measure") public func _imageMeasure(
    _ request: UnsafePointer<CChar>
) -> UnsafeMutablePointer<CChar>? {
    Image.measure(String(cString: request)).map { strdup($0) }
}

/// A benchmark that is set up, run once and checked; or null, and in `problem` a sentence for the caller to free, empty
/// for an unknown ID.
@_cdecl("rxbench_image_set_up") public func _imageSetUp(
    _ id: UnsafePointer<CChar>, _ problem: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> UnsafeMutableRawPointer? {
    do throws(Image.Refusal) {
        return Unmanaged.passRetained(try Image.prepare(String(cString: id))).toOpaque()
    } catch {
        problem.pointee = strdup(error.sentence)
        return nil
    }
}

/// Nanoseconds of so many iterations, or the largest number when one threw.
@_cdecl("rxbench_image_time") public func _imageTime(_ handle: UnsafeMutableRawPointer, _ iterations: Int64) -> UInt64 {
    // The pointer that `rxbench_image_set_up` returned, not yet torn down.
    let prepared = Unmanaged<Image.Prepared>.fromOpaque(handle).takeUnretainedValue()
    return (try? prepared.workload.time(Int(iterations))) ?? ImageInterface.failed
}

/// Why what the latest iteration left behind is wrong, a sentence for the caller to free; null when it is not.
@_cdecl("rxbench_image_check") public func _imageCheck(
    _ handle: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
    // The pointer that `rxbench_image_set_up` returned, not yet torn down.
    let prepared = Unmanaged<Image.Prepared>.fromOpaque(handle).takeUnretainedValue()
    do throws(PreparedWorkload.Refusal) { try prepared.workload.check(after: .last) } catch {
        return strdup(error.description)
    }
    return nil
}

/// The durations that were recorded since this was asked last, a list of ``LatencyBucket`` in JSON for the caller to
/// free; null for a workload that records none.
@_cdecl("rxbench_image_latencies") public func _imageLatencies(
    _ handle: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
    // The pointer that `rxbench_image_set_up` returned, not yet torn down.
    let prepared = Unmanaged<Image.Prepared>.fromOpaque(handle).takeUnretainedValue()
    return Image.takeLatencies(prepared.workload).map { strdup($0) }
}

/// Tears a benchmark down; its handle is void from here on.
@_cdecl("rxbench_image_tear_down") public func _imageTearDown(_ handle: UnsafeMutableRawPointer) {
    // Takes back the reference that `rxbench_image_set_up` handed out.
    Unmanaged<Image.Prepared>.fromOpaque(handle).takeRetainedValue().workload.tearDown()
}
