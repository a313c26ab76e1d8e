/// Where a run was made: everything that makes figures comparable or not. Holds no host name, no user and no path.
public struct Environment: Codable, Sendable, Equatable {
    /// The stable name of this kind of machine: `linux-x86_64-amd-epyc-2c`.
    public let machine: String
    /// The operating system's name and version.
    public let operatingSystem: String
    /// The kernel's name and version.
    public let kernel: String
    /// The processor's architecture: `x86_64`.
    public let architecture: String
    /// The processor's model name.
    public let processor: Reading<String>
    /// Logical cores that are online.
    public let cores: Int
    /// Physical memory.
    public let memoryBytes: UInt64
    /// The compiler that built the tool.
    public let swiftVersion: Reading<String>
    /// `release` or `debug`.
    public let configuration: String
    /// Whether the measured code counts its resources.
    public let isTracing: Bool
    /// The version of jemalloc.
    public let jemalloc: Reading<String>
    /// Average number of runnable processes over the minute before the run.
    public let loadAverage: Reading<Double>
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
