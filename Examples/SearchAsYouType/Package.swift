// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SearchAsYouType",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without the trait that links jemalloc: nothing here counts allocations.
        .package(name: "rx", path: "../..", traits: []),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(
            name: "WordSearch",
            dependencies: [
                .product(name: "Rx", package: "rx"), .product(name: "RxFoundation", package: "rx"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]),
        .executableTarget(
            name: "SearchAsYouType",
            dependencies: [
                "WordSearch", .product(name: "Rx", package: "rx"), .product(name: "RxFoundation", package: "rx"),
            ]),
        .testTarget(
            name: "WordSearchTests",
            dependencies: [
                "SearchAsYouType", "WordSearch",
                .product(name: "Rx", package: "rx"), .product(name: "RxFoundation", package: "rx"),
                .product(name: "RxTest", package: "rx"), .product(name: "RxTraceTesting", package: "rx"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
