/// Where a run was made: everything that makes figures comparable or not. Holds no host name, no user and no path.
public struct Environment: Codable, Sendable, Equatable {
    /// The stable name of this kind of machine: `linux-x86_64-amd-epyc-2c`; `unknown` in an imported result of which
    /// nothing tells it.
    public let machine: String
    /// The operating system's name and version.
    @Stated public private(set) var operatingSystem: Reading<String>
    /// The kernel's name and version.
    @Stated public private(set) var kernel: Reading<String>
    /// The processor's architecture: `x86_64`.
    @Stated public private(set) var architecture: Reading<String>
    /// The processor's model name.
    public let processor: Reading<String>
    /// Logical cores that are online.
    @Stated public private(set) var cores: Reading<Int>
    /// Physical memory.
    @Stated public private(set) var memoryBytes: Reading<UInt64>
    /// The compiler that built the tool.
    public let swiftVersion: Reading<String>
    /// `release` or `debug`.
    @Stated public private(set) var configuration: Reading<String>
    /// Whether the measured code counts its resources.
    @Stated public private(set) var isTracing: Reading<Bool>
    /// The version of jemalloc.
    public let jemalloc: Reading<String>
    /// Average number of runnable processes over the minute before the run.
    public let loadAverage: Reading<Double>

    /// The environment of an imported result, of which a file may say little.
    package init(
        machine: String, operatingSystem: Reading<String>, kernel: Reading<String>, architecture: Reading<String>,
        processor: Reading<String>,
        cores: Reading<Int>, memoryBytes: Reading<UInt64>, swiftVersion: Reading<String>,
        configuration: Reading<String>, isTracing: Reading<Bool>,
        jemalloc: Reading<String>, loadAverage: Reading<Double>
    ) {
        self.machine = machine
        _operatingSystem = Stated(wrappedValue: operatingSystem)
        _kernel = Stated(wrappedValue: kernel)
        _architecture = Stated(wrappedValue: architecture)
        self.processor = processor
        _cores = Stated(wrappedValue: cores)
        _memoryBytes = Stated(wrappedValue: memoryBytes)
        self.swiftVersion = swiftVersion
        _configuration = Stated(wrappedValue: configuration)
        _isTracing = Stated(wrappedValue: isTracing)
        self.jemalloc = jemalloc
        self.loadAverage = loadAverage
    }

    /// The environment of a run, of which every process knows the greater part.
    init(
        machine: String, operatingSystem: String, kernel: String, architecture: String, processor: Reading<String>,
        cores: Int, memoryBytes: UInt64,
        swiftVersion: Reading<String>, configuration: String, isTracing: Bool, jemalloc: Reading<String>,
        loadAverage: Reading<Double>
    ) {
        self.init(
            machine: machine, operatingSystem: .value(operatingSystem), kernel: .value(kernel),
            architecture: .value(architecture), processor: processor,
            cores: .value(cores), memoryBytes: .value(memoryBytes), swiftVersion: swiftVersion,
            configuration: .value(configuration),
            isTracing: .value(isTracing), jemalloc: jemalloc, loadAverage: loadAverage)
    }
}

/// A commit of the measured code.
public struct Commit: Codable, Sendable, Equatable {
    /// The full hash.
    public let sha: String
    /// Whether files outside the results folder differ from it.
    public let isDirty: Bool

    /// A commit.
    public init(sha: String, isDirty: Bool) {
        self.sha = sha
        self.isDirty = isDirty
    }
}
