import Foundation

/// A file that differs between two revisions but is the same on both sides of their comparison.
package struct UncomparedFile: Codable, Sendable, Equatable {
    /// The effect that the difference may have on the figures.
    package enum Kind: String, Codable, Sendable {
        /// The file defines benchmarks. Both sides run head's benchmarks.
        case benchmark
        /// The file defines benchmarks, and base does not compile head's version. Both sides run base's benchmarks.
        case exchangedBenchmark
        /// The file is code outside the paths that the user chose to compare.
        case outsideSubject
        /// The file is code that is not compared.
        case code
        /// The file defines how the code is built, and base does not build with its own version.
        case buildDescription
        /// The file is a resource. Both sides read the resources of the tool that loads them.
        case resource
    }

    /// The path, relative to the repository's root.
    package let path: String
    /// The effect that the difference may have on the figures.
    package let kind: Kind

    /// Creates a file of the given kind.
    package init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Whether a comparison that leaves out this file gives no information about the change.
    package var spoilsComparison: Bool {
        switch kind {
        case .code, .buildDescription, .resource: true
        case .benchmark, .exchangedBenchmark, .outsideSubject: false
        }
    }
}
