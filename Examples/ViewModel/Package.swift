// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ViewModel",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without the trait that links jemalloc: nothing here counts allocations.
        .package(name: "rx", path: "../..", traits: [])
    ],
    targets: [
        .target(name: "SignUp", dependencies: [.product(name: "Rx", package: "rx")]),
        .testTarget(
            name: "SignUpTests",
            dependencies: ["SignUp", .product(name: "Rx", package: "rx"), .product(name: "RxTest", package: "rx")]),
    ],
    swiftLanguageModes: [.v6]
)
