#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
