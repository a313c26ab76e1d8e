// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Rx do not compile a server.
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
