import Foundation
import RxBench
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The state of an image. An image is a complete tool that was linked as a dynamic library. Another process loads it
/// and measures its benchmarks.
package enum Image {
    /// The process that has loaded the image and waits for its suites.
    struct Caller {
        let ready: ImageInterface.Ready
        let context: UnsafeMutableRawPointer?
    }

    /// The image's benchmarks and probes.
    private struct Served {
        let catalog: Catalog
        let probes: () -> [any MetricProbe]
    }

    // Unsafe: an image is opened and called only on the main thread.
    nonisolated(unsafe) static var caller: Caller?
    nonisolated(unsafe) private static var served: Served?

    /// Whether this code was loaded as an image. In this case the tool's `main` must serve its suites and not read its
    /// arguments.
    package static var isLoaded: Bool { caller != nil }

    /// Passes the suites to the process that has loaded the image. This function does not return: the process ends
    /// after its measurements.
    package static func serve(_ suites: [Suite], probes: @escaping () -> [any MetricProbe]) -> Never {
        guard let caller else { preconditionFailure("Suites are served by loaded images alone.") }
        // The catalogue is not checked, because a side may lack a benchmark that it cannot compile, even if other
        // benchmarks use it as their baseline.
        served = Served(catalog: Catalog(unchecked: suites), probes: probes)
        caller.ready(caller.context)
        preconditionFailure("The process that loaded the image went on without it.")
    }

    /// The reason why a benchmark of this image cannot be measured.
    enum Refusal: Error {
        case unknown
        case refused(PreparedWorkload.Refusal)

        /// A sentence with the reason. It is empty for an unknown ID.
        var sentence: String {
            switch self {
            case .unknown: ""
            case .refused(let refusal): refusal.description
            }
        }
    }

    /// A workload whose handle the C interface returns.
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

/// A benchmark of an image.
package struct ListedBenchmark: Codable, Sendable, Equatable {
    /// The stable name.
    package let id: String
    /// Words by which the benchmark can be selected.
    package let tags: [String]
    /// The number of operations in an iteration.
    package let operations: Int

    /// Creates a benchmark with these properties.
    package init(id: String, tags: [String], operations: Int) {
        self.id = id
        self.tags = tags
        self.operations = operations
    }
}

// The exports of a tool that is linked as a dynamic library, which is called an *image*. A comparison loads two images
// into one process. The exports are C functions because the two sides share no Swift types: each side has its own copy
// of this module and of all other modules. All functions are called on the process's main thread.

/// The C interface between the tool and the images that it loads.
package enum ImageInterface {
    /// The version of the interface. It increases with every change to the functions below. A tool rejects images with
    /// a different version.
    package static let version: Int32 = 3
    /// The value that the functions of ``ImageInterface`` return after a failure, instead of a duration.
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

/// Returns the version of the interface that this image implements.
@_cdecl("rxbench_image_version") public func _imageVersion() -> Int32 { ImageInterface.version }

/// Runs the image's `main`, which calls ``Image/serve(_:probes:)``, which in turn calls `ready`. Returns only if `main`
/// never calls that function.
@_cdecl("rxbench_image_open") public func _imageOpen(
    _ main: UnsafeRawPointer, _ ready: UnsafeRawPointer, _ context: UnsafeMutableRawPointer?
) {
    // The pointers are C functions of the types that the interface declares. A Swift function that is exported to C can
    // only receive them as raw pointers.
    let main = unsafeBitCast(main, to: ImageInterface.Main.self)
    Image.caller = Image.Caller(ready: unsafeBitCast(ready, to: ImageInterface.Ready.self), context: context)
    _ = main(CommandLine.argc, CommandLine.unsafeArgv)
}

/// Returns a list of ``ListedBenchmark`` in JSON. The caller must free it.
@_cdecl("rxbench_image_list") public func _imageList() -> UnsafeMutablePointer<CChar>? { strdup(Image.list()) }

/// Returns the reply to a ``WorkerRequest`` in JSON, or null if the request cannot be read. The caller must free the
/// reply.
@_cdecl("rxbench_image_measure") public func _imageMeasure(
    _ request: UnsafePointer<CChar>
) -> UnsafeMutablePointer<CChar>? {
    Image.measure(String(cString: request)).map { strdup($0) }
}

/// Sets up a benchmark, runs it once, checks it and returns its handle. If this fails, returns null and stores a
/// sentence with the reason in `problem`. The caller must free the sentence. The sentence is empty for an unknown ID.
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

/// Returns the time of `iterations` iterations in nanoseconds, or the largest number if an iteration threw an error.
@_cdecl("rxbench_image_time") public func _imageTime(_ handle: UnsafeMutableRawPointer, _ iterations: Int64) -> UInt64 {
    // `handle` is the pointer that `rxbench_image_set_up` returned, and it has not been torn down yet.
    let prepared = Unmanaged<Image.Prepared>.fromOpaque(handle).takeUnretainedValue()
    return (try? prepared.workload.time(Int(iterations))) ?? ImageInterface.failed
}

/// Returns a sentence that says why the result of the latest iteration is wrong, or null if it is correct. The caller
/// must free the sentence.
@_cdecl("rxbench_image_check") public func _imageCheck(
    _ handle: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
    // `handle` is the pointer that `rxbench_image_set_up` returned, and it has not been torn down yet.
    let prepared = Unmanaged<Image.Prepared>.fromOpaque(handle).takeUnretainedValue()
    do throws(PreparedWorkload.Refusal) { try prepared.workload.check(after: .last) } catch {
        return strdup(error.description)
    }
    return nil
}

/// Returns the durations that were recorded since the last call, as a list of ``LatencyBucket`` in JSON, or null if the
/// workload does not record durations. The caller must free the list.
@_cdecl("rxbench_image_latencies") public func _imageLatencies(
    _ handle: UnsafeMutableRawPointer
) -> UnsafeMutablePointer<CChar>? {
    // `handle` is the pointer that `rxbench_image_set_up` returned, and it has not been torn down yet.
    let prepared = Unmanaged<Image.Prepared>.fromOpaque(handle).takeUnretainedValue()
    return Image.takeLatencies(prepared.workload).map { strdup($0) }
}

/// Tears down a benchmark. Its handle is invalid after this call.
@_cdecl("rxbench_image_tear_down") public func _imageTearDown(_ handle: UnsafeMutableRawPointer) {
    // Releases the reference that `rxbench_image_set_up` returned.
    Unmanaged<Image.Prepared>.fromOpaque(handle).takeRetainedValue().workload.tearDown()
}
