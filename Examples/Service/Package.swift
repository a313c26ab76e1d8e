// swift-tools-version: 6.2
import PackageDescription

// Retention paths are read from jemalloc's heap. They are unavailable on other systems.
let jemalloc: [LinkerSetting] = [.linkedLibrary("jemalloc", .when(platforms: [.linux]))]

let package = Package(
    name: "Service",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without the trait that links jemalloc: nothing here counts allocations.
        .package(name: "rx", path: "../..", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "Currency",
            dependencies: [
                .product(name: "Rx", package: "rx"), .product(name: "RxTrace", package: "rx"),
                .product(name: "RxTraceMetrics", package: "rx"), .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]),
        .executableTarget(
            name: "CurrencyService",
            dependencies: [
                "Currency", .product(name: "Rx", package: "rx"), .product(name: "RxTrace", package: "rx"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            linkerSettings: jemalloc),
        .testTarget(
            name: "CurrencyTests",
            dependencies: [
                "Currency", "CurrencyService",
                .product(name: "Rx", package: "rx"), .product(name: "RxTrace", package: "rx"),
                .product(name: "RxTraceTesting", package: "rx"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            linkerSettings: jemalloc),
    ],
    swiftLanguageModes: [.v6]
)
