/// Where a run was made: everything that makes figures comparable or not. Holds no host name, no user and no path.
package struct Environment: Codable, Sendable, Equatable {
    /// The stable name of this kind of machine: `linux-x86_64-amd-epyc-2c`; `unknown` in an imported result of which
    /// nothing tells it.
    package let machine: String
    /// The operating system's name and version.
    @Stated package private(set) var operatingSystem: Reading<String>
    /// The kernel's name and version.
    @Stated package private(set) var kernel: Reading<String>
    /// The processor's architecture: `x86_64`.
    @Stated package private(set) var architecture: Reading<String>
    /// The processor's model name.
    package let processor: Reading<String>
    /// Logical cores that are online.
    @Stated package private(set) var cores: Reading<Int>
    /// Physical memory.
    @Stated package private(set) var memoryBytes: Reading<UInt64>
    /// The compiler that built the tool.
    package let swiftVersion: Reading<String>
    /// `release` or `debug`.
    @Stated package private(set) var configuration: Reading<String>
    /// Whether the measured code counts its resources.
    @Stated package private(set) var isTracing: Reading<Bool>
    /// The version of jemalloc.
    package let jemalloc: Reading<String>
    /// Average number of runnable processes over the minute before the run.
    package let loadAverage: Reading<Double>

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

/// The name of a kind of machine, under which results are stored together.
package enum MachineName {
    /// The name where nothing tells the machine.
    package static let unknown = "unknown"

    /// A stable lowercase name such as `linux-x86_64-amd-epyc-2c`: system, architecture, processor, cores.
    package static func slug(system: String, architecture: String, processor: String?, cores: Int) -> String {
        "\(system.lowercased())-\(architecture.lowercased())-\(model(of: processor))-\(cores)c"
    }

    /// Whether `text` may name a machine: lowercase letters, digits and underscores, with single hyphens between them.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.count <= 100
            && text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
                    }
            }
    }

    /// A processor's name without marketing: `amd-epyc`.
    package static func model(of processor: String?) -> String {
        let marketing: Set<String> = ["cpu", "processor", "r", "tm", "with", "core", "cores", "virtual"]
        let words = (processor ?? "unknown").lowercased().prefix { $0 != "@" }
            .replacing("(r)", with: " ").replacing("(tm)", with: " ")
            .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .filter { !marketing.contains(String($0)) && !$0.hasSuffix("-core") }
        return words.isEmpty ? "unknown" : words.prefix(5).joined(separator: "-")
    }
}
