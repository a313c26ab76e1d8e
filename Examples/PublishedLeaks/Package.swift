// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PublishedLeaks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "rx", path: "../..", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "published-leaks",
            dependencies: [
                .product(name: "HeapTrace", package: "rx"),
                .product(name: "RxTraceObjects", package: "rx"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/PublishedLeaks",
            // Most of the published code was written before Swift 6.
            swiftSettings: [.swiftLanguageMode(.v5)],
            // A leak's holders are read from jemalloc's heap; on other systems that is unavailable.
            linkerSettings: [.linkedLibrary("jemalloc", .when(platforms: [.linux]))]),
        .testTarget(
            name: "PublishedLeaksTests",
            dependencies: ["published-leaks", .product(name: "RxTraceTesting", package: "rx")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
