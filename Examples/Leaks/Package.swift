// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Leaks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Debug builds trace resources. The trait enables tracing in release builds.
        .package(name: "rx", path: "../..", traits: [.defaults, "TRACE_RESOURCES"])
    ],
    targets: [
        .executableTarget(
            name: "Leaks",
            dependencies: [
                .product(name: "Rx", package: "rx"),
                .product(name: "RxTrace", package: "rx"),
                .product(name: "RxTraceObjects", package: "rx"),
            ],
            // A leak's holders are read from jemalloc's heap. They are unavailable on other systems.
            linkerSettings: [.linkedLibrary("jemalloc", .when(platforms: [.linux]))])
    ],
    swiftLanguageModes: [.v6]
)
