// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Rx do not download its peers.
//
// 'PEERS=RxSwift' adds RxSwift from the network. 'PEERS=forwarding' compiles the same leg against
// 'Compatibility/RxSwift', which has RxSwift's name and re-exports Rx: this shows that the leg compiles where RxSwift
// cannot be fetched.
let choice = Context.environment["PEERS"]
let hasRxSwift = choice == "RxSwift" || choice == "forwarding"

let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "rx", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    ],
    targets: [
        .target(name: "PeersWork", dependencies: [.product(name: "RxBench", package: "rx")]),
        .target(name: "RxLeg", dependencies: ["PeersWork", .product(name: "Rx", package: "rx")]),
        .target(
            name: "OpenCombineLeg",
            dependencies: [
                "PeersWork", .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
            ]),
        .target(
            name: "AsyncLeg",
            dependencies: ["PeersWork", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")]),
        .target(name: "LoopLeg", dependencies: ["PeersWork"]),
        .target(
            name: "PeersSuite", dependencies: ["PeersWork", "RxLeg", "OpenCombineLeg", "AsyncLeg", "LoopLeg"]),
        .executableTarget(
            name: "Peers",
            dependencies: ["PeersSuite", .product(name: "RxBenchCommands", package: "rx")]),
        .testTarget(name: "PeersTests", dependencies: ["PeersSuite", "PeersWork"]),
    ],
    swiftLanguageModes: [.v6]
)

if hasRxSwift {
    package.dependencies.append(
        choice == "forwarding"
            ? .package(name: "RxSwift", path: "../../Compatibility/RxSwift")
            : .package(url: "https://github.com/ReactiveX/RxSwift", from: "6.0.0"))
    package.targets.append(
        // The sources of RxLeg, as symbolic links. RxSwift is written in language mode 5.
        .target(
            name: "RxSwiftLeg", dependencies: ["PeersWork", .product(name: "RxSwift", package: "RxSwift")],
            swiftSettings: [.define("PEER_RXSWIFT"), .swiftLanguageMode(.v5)]))
    if let suite = package.targets.first(where: { $0.name == "PeersSuite" }) {
        suite.dependencies.append("RxSwiftLeg")
        suite.swiftSettings = [.define("PEER_RXSWIFT")]
    }
}
