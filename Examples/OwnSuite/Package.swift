// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "OwnSuite",
    platforms: [.macOS(.v15)],
    traits: ["TRACE_RESOURCES"],
    dependencies: [
        .package(
            name: "rx", path: "../..",
            traits: [.defaults, .trait(name: "TRACE_RESOURCES", condition: .when(traits: ["TRACE_RESOURCES"]))])
    ],
    targets: [
        .target(name: "OwnSuiteWork", dependencies: [.product(name: "Rx", package: "rx")]),
        .executableTarget(
            name: "OwnSuite",
            dependencies: [
                "OwnSuiteWork",
                .product(name: "Rx", package: "rx"),
                .product(name: "RxBench", package: "rx"),
                .product(name: "RxBenchCommands", package: "rx"),
            ]),
        // Apart, as 'OwnSuite races' compiles all that this one links with instrumentation.
        .executableTarget(
            name: "OwnSuite-races",
            dependencies: ["OwnSuiteWork", .product(name: "RxBench", package: "rx")]),
    ],
    swiftLanguageModes: [.v6]
)
