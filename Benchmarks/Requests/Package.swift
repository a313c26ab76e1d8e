// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Rx compiles a server.
let package = Package(
    name: "Requests",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "rx", path: "../..")],
    targets: [
        .target(
            name: "RequestsWork",
            dependencies: [.product(name: "Rx", package: "rx"), .product(name: "RxBench", package: "rx")]),
        .executableTarget(
            name: "Requests", dependencies: ["RequestsWork", .product(name: "RxBenchCommands", package: "rx")]),
        .testTarget(name: "RequestsTests", dependencies: ["RequestsWork"]),
    ],
    swiftLanguageModes: [.v6]
)
