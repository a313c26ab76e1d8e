import Foundation
import Testing

/// The oldest supported Swift version is stated in many places. The manifest decides, because the package manager reads
/// it to refuse older versions. `nonisolated(nonsending)` is the feature that needs this version.
@Suite("Swift version") struct SwiftVersionTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func toolsVersions(in path: String) throws -> [Substring] {
        try text(path).matches(of: #/swift-tools-version: *([0-9.]+)/#).map(\.output.1)
    }

    @Test(arguments: [
        "Benchmarks/Peers/Package.swift", "Benchmarks/Requests/Package.swift", "Benchmarks/TracingCost/Package.swift",
        "Compatibility/RxSwift/Package.swift", "Examples/Leaks/Package.swift", "Examples/OwnSuite/Package.swift",
        "Examples/SearchAsYouType/Package.swift", "Examples/Service/Package.swift", "Examples/ViewModel/Package.swift",
        "Sources/RxBench/Commands/Init/SuiteTemplate.swift",
    ])
    func `every package of this repository, and the one that init writes, needs what the manifest needs`(
        path: String
    ) throws {
        #expect(try Set(Self.toolsVersions(in: path)) == Set(Self.toolsVersions(in: "Package.swift")))
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md", "scripts/prepare"])
    func `what users read names the version that the manifest needs`(path: String) throws {
        let named = try Self.text(path).matches(of: #/Swift ([0-9.]+) or later/#).map(\.output.1)
        #expect(try named == Self.toolsVersions(in: "Package.swift"))
    }
}
