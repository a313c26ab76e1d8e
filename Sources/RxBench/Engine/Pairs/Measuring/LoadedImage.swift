import Foundation
import RxBench

/// An image that this process has loaded in addition to its own code. The image has separate types, static variables
/// and generic specialisations.
struct LoadedImage {
    private let interface: Symbols

    /// The environment of a process that loads images. It reserves space for the images' thread-local variables, which
    /// are at fixed offsets like the variables of a program. The C library reserves only 1,664 bytes by default.
    static var environment: [String: String] {
        let name = "GLIBC_TUNABLES"
        let others = ProcessInfo.processInfo.environment[name].map { "\($0):" } ?? ""
        return [name: "\(others)glibc.rtld.optional_static_tls=65536"]
    }

    /// The reason why an image cannot be used.
    struct LoadError: Error, CustomStringConvertible {
        let description: String
    }

    private struct Symbols {
        let open: ImageInterface.Open
        let list: ImageInterface.List
        let measure: ImageInterface.Measure
        let setUp: ImageInterface.SetUp
        let time: ImageInterface.Time
        let check: ImageInterface.Check
        let latencies: ImageInterface.Latencies
        let tearDown: ImageInterface.TearDown
        let main: UnsafeRawPointer
    }

    /// Loads the images at `paths` one after the other and passes them to `body`, which ends the process.
    ///
    /// The `main` function of each image runs on this thread and calls back once its suites exist, so the images nest
    /// on the stack. This keeps the promise that benchmarks run on the main thread. Throws an error if an image cannot
    /// be loaded or never serves its suites.
    static func open(_ paths: [String], _ body: @escaping ([LoadedImage]) -> Never) throws(LoadError) -> Never {
        try open(paths[...], after: [], body)
    }

    private static func open(
        _ paths: ArraySlice<String>, after loaded: [LoadedImage], _ body: @escaping ([LoadedImage]) -> Never
    ) throws(LoadError) -> Never {
        guard let path = paths.first else { body(loaded) }
        let image = try LoadedImage(path: path)
        let continuation = Continuation {
            // An image cannot be left again, because its `main` function does not return.
            do throws(LoadError) { try open(paths.dropFirst(), after: loaded + [image], body) } catch {
                FileHandle.standardError.write(Data("Fatal error: \(error.description)\n".utf8))
                _exit(70)
            }
        }
        let ready: ImageInterface.Ready = { context in
            guard let context else { return }
            // `context` is the continuation created below, which outlives the call of `ready`.
            Unmanaged<Continuation>.fromOpaque(context).takeUnretainedValue().run()
        }
        let context = Unmanaged.passRetained(continuation).toOpaque()
        image.interface.open(image.interface.main, unsafeBitCast(ready, to: UnsafeRawPointer.self), context)
        throw LoadError(
            description: "The image '\(path)' ended without serving its suites. Its 'main' has to call RxBenchMain.run."
        )
    }

    /// The code that runs once an image has served its suites.
    private final class Continuation {
        let run: () -> Never
        init(_ run: @escaping () -> Never) { self.run = run }
    }

    private init(path: String) throws(LoadError) {
        // RTLD_LOCAL, because the two sides define the same symbols. RTLD_NOW, so that no symbol is looked up during a
        // measurement.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw LoadError(
                description:
                    """
                    The image '\(path)' cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "unknown reason").
                    """
            )
        }
        func symbol(_ name: String) throws(LoadError) -> UnsafeRawPointer {
            guard let address = dlsym(handle, "rxbench_image_\(name)") else {
                throw LoadError(description: "The image '\(path)' exports no 'rxbench_image_\(name)'.")
            }
            return UnsafeRawPointer(address)
        }
        // Each pointer is cast to the type that the interface declares for the function of that name. The version check
        // ensures that both sides declare the same types.
        let version = unsafeBitCast(try symbol("version"), to: ImageInterface.Version.self)()
        guard version == ImageInterface.version else {
            throw LoadError(
                description:
                    """
                    The image '\(path)' speaks version \(version) of the interface; this tool speaks \
                    \(ImageInterface.version).
                    """
            )
        }
        interface = Symbols(
            open: unsafeBitCast(try symbol("open"), to: ImageInterface.Open.self),
            list: unsafeBitCast(try symbol("list"), to: ImageInterface.List.self),
            measure: unsafeBitCast(try symbol("measure"), to: ImageInterface.Measure.self),
            setUp: unsafeBitCast(try symbol("set_up"), to: ImageInterface.SetUp.self),
            time: unsafeBitCast(try symbol("time"), to: ImageInterface.Time.self),
            check: unsafeBitCast(try symbol("check"), to: ImageInterface.Check.self),
            latencies: unsafeBitCast(try symbol("latencies"), to: ImageInterface.Latencies.self),
            tearDown: unsafeBitCast(try symbol("tear_down"), to: ImageInterface.TearDown.self), main: try symbol("main")
        )
    }

    /// Returns the benchmarks of the image as a list of ``ListedBenchmark`` in JSON.
    func list() -> Data {
        guard let bytes = interface.list() else { return Data() }
        defer { free(bytes) }
        return Data(bytes: bytes, count: strlen(bytes))
    }

    /// Sends a request to the image, which answers it with its own harness and probes.
    func measure(_ request: WorkerRequest) -> WorkerReply {
        guard let text = try? JSONEncoder().encode(request),
            let bytes = interface.measure(String(decoding: text, as: UTF8.self))
        else { return WorkerReply(failure: "The image does not understand the request.") }
        defer { free(bytes) }
        return (try? JSONDecoder().decode(WorkerReply.self, from: Data(String(cString: bytes).utf8)))
            ?? WorkerReply(failure: "The image's reply cannot be read.")
    }

    /// Sets up a benchmark in the image.
    func prepare(_ id: String) throws(PairedFailure) -> LoadedWorkload {
        var problem: UnsafeMutablePointer<CChar>?
        guard let handle = interface.setUp(id, &problem) else {
            defer { free(problem) }
            let sentence = problem.map { String(cString: $0) } ?? ""
            throw sentence.isEmpty ? .unknownBenchmark : .refused(sentence)
        }
        return LoadedWorkload(
            handle: handle, time: interface.time, problem: interface.check, latencies: interface.latencies,
            tearDown: interface.tearDown)
    }
}

/// A benchmark that was set up in an image.
struct LoadedWorkload: PairedWorkload {
    fileprivate let handle: UnsafeMutableRawPointer
    fileprivate let time: ImageInterface.Time
    fileprivate let problem: ImageInterface.Check
    fileprivate let latencies: ImageInterface.Latencies
    fileprivate let tearDown: ImageInterface.TearDown

    func time(_ iterations: Int) throws(PairedFailure) -> UInt64 {
        let nanoseconds = time(handle, Int64(iterations))
        guard nanoseconds != ImageInterface.failed else { throw .refused("An iteration threw an error.") }
        return nanoseconds
    }

    func check() throws(PairedFailure) {
        guard let problem = problem(handle) else { return }
        defer { free(problem) }
        throw .refused(String(cString: problem))
    }

    func takeLatencies() throws(PairedFailure) -> [LatencyBucket]? {
        guard let bytes = latencies(handle) else { return nil }
        defer { free(bytes) }
        return try [LatencyBucket](sent: Data(bytes: bytes, count: strlen(bytes)))
    }

    func end() { tearDown(handle) }
}

/// The current step of a process that compares two sides. The step is stored in two bytes that are shared with the
/// parent process, so that it survives a crash, a hang or a kill.
final class Whereabouts {
    /// The current task.
    enum Step: UInt8 {
        case loading = 1
        case settingUp, timing, checking

        /// A description of the step, as the beginning of a sentence.
        var words: String {
            switch self {
            case .loading: "Loading the images"
            case .settingUp: "Setting it up"
            case .timing: "A batch of its iterations"
            case .checking: "Its check"
            }
        }
    }

    /// The descriptor of the shared memory. A child process inherits the descriptor, and the child's request names it.
    let descriptor: Int32
    private let bytes: UnsafeMutablePointer<UInt8>
    private static let length = 2

    /// Creates shared memory in an unnamed file. Returns `nil` if the system refuses.
    init?() {
        var template = Array((FileManager.default.temporaryDirectory.path + "/rxbench-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        unlink(template)
        guard ftruncate(descriptor, off_t(Self.length)) == 0, let bytes = Self.map(descriptor) else {
            close(descriptor)
            return nil
        }
        self.bytes = bytes
    }

    /// Maps the memory of an inherited descriptor. Returns `nil` if the descriptor cannot be mapped.
    init?(inherited descriptor: Int32) {
        guard let bytes = Self.map(descriptor) else { return nil }
        self.descriptor = descriptor
        self.bytes = bytes
    }

    deinit {
        munmap(bytes, Self.length)
        close(descriptor)
    }

    private static func map(_ descriptor: Int32) -> UnsafeMutablePointer<UInt8>? {
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        return memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Stores the step that begins now and its side. Costs two stores.
    func note(_ step: Step, _ side: PairedSide? = nil) {
        bytes[0] = step.rawValue
        bytes[1] = side.map { $0 == .base ? 1 : 2 } ?? 0
    }

    /// The step that was stored last.
    var step: Step? { Step(rawValue: bytes[0]) }
    var side: PairedSide? { [1: .base, 2: .head][bytes[1]] }
}
