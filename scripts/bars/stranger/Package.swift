// swift-tools-version: 6.2
import PackageDescription

// A user's package that does not use Rx, with planted faults and their clean twins, for 'scripts/bars/coverage'.
let hasJemalloc = Context.environment["WITHOUT_JEMALLOC"] != "1"

let package = Package(
    name: "Stranger",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "rx", path: "../../..", traits: hasJemalloc ? [.defaults] : [])],
    targets: [
        .target(name: "Plants"),
        .testTarget(
            name: "WithXCTest",
            dependencies: [
                "Plants", .product(name: "HeapTrace", package: "rx"), .product(name: "RxTraceTesting", package: "rx"),
            ]),
        .testTarget(
            name: "WithSwiftTesting",
            dependencies: [
                "Plants", .product(name: "HeapTrace", package: "rx"), .product(name: "RxTraceTesting", package: "rx"),
            ]),
        .target(
            name: "StrangerBenchmarks", dependencies: ["Plants", .product(name: "RxBench", package: "rx")]),
        .executableTarget(
            name: "Stranger",
            dependencies: ["StrangerBenchmarks", .product(name: "RxBenchCommands", package: "rx")]),
        .executableTarget(
            name: "StrangerObjects",
            dependencies: [
                "StrangerBenchmarks", .product(name: "RxBenchCommands", package: "rx"),
                .product(name: "HeapTrace", package: "rx"), .product(name: "RxTraceObjects", package: "rx"),
            ]),
        .executableTarget(name: "Stranger-races", dependencies: [.product(name: "RxBench", package: "rx")]),
    ],
    swiftLanguageModes: [.v6]
)
