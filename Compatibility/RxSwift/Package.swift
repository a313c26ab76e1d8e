// swift-tools-version: 6.2
import PackageDescription

// If a root manifest names this package by path, it replaces every dependency called 'RxSwift', including those in
// third-party libraries. 'Documentation/FromRxSwift.md' shows the line, and how to switch back.

/// Returns a module with the product's name that re-exports modules of the package 'rx'.
func module(_ name: String, _ modules: String...) -> Target {
    .target(name: name, dependencies: modules.map { .product(name: $0, package: "rx") })
}

let package = Package(
    name: "RxSwift",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "RxSwift", targets: ["RxSwift"]),
        .library(name: "RxRelay", targets: ["RxRelay"]),
        .library(name: "RxCocoa", targets: ["RxCocoa"]),
        .library(name: "RxTest", targets: ["RxTestForwarding"]),
        .library(name: "RxBlocking", targets: ["RxBlockingForwarding"]),
    ],
    dependencies: [
        .package(name: "rx", path: "../..")
    ],
    targets: [
        module("RxSwift", "Rx"),
        module("RxRelay", "Rx"),
        module("RxCocoa", "Rx", "RxFoundation"),
        // The modules of 'rx' already have these names, and a package graph can contain each name only once.
        module("RxTestForwarding", "RxTest"),
        module("RxBlockingForwarding", "RxBlocking"),
    ],
    swiftLanguageModes: [.v6]
)
