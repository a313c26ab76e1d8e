// swift-tools-version: 6.2
import PackageDescription

// Debug builds always trace. The trait with the same name enables tracing in any build. (A package trait is itself a
// compilation condition, so `#if TRACE_RESOURCES` covers both.)
let tracing: [SwiftSetting] = [.define("TRACE_RESOURCES", .when(configuration: .debug))]
// The race search also instruments C code, except this package's own C code.
let exempt: [CSetting] = [.define("RXRACES_EXEMPT")]

// Linked only if the trait requests it.
let jemalloc: Target.Dependency = .target(name: "CJemalloc", condition: .when(traits: ["Jemalloc"]))

let package = Package(
    name: "rx",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Rx", targets: ["Rx"]),
        .library(name: "RxTest", targets: ["RxTest"]),
        .library(name: "RxBlocking", targets: ["RxBlocking"]),
        .library(name: "RxFoundation", targets: ["RxFoundation"]),
        .library(name: "RxLegacy", targets: ["RxLegacy"]),
        .library(name: "RxCollections", targets: ["RxCollections"]),
        .library(name: "HeapTrace", targets: ["HeapTrace"]),
        .library(name: "RxTrace", targets: ["RxTrace"]),
        .library(name: "RxTraceTesting", targets: ["RxTraceTesting"]),
        // Interposes Swift runtime functions process-wide, for tests and tools that link it
        // deliberately.
        .library(name: "RxTraceObjects", targets: ["RxTraceObjects"]),
        .library(name: "RxTraceMetrics", targets: ["RxTraceMetrics"]),
        .library(name: "RxBench", targets: ["RxBench", "RxBenchRaces"]),
        .library(name: "RxBenchCommands", targets: ["RxBenchCommands"]),
        .executable(name: "rxbench", targets: ["RxBenchTool"]),
        .executable(name: "rxbench-races", targets: ["RaceImage"]),
    ],
    traits: [
        .trait(name: "TRACE_RESOURCES", description: "Count every live reactive resource in release builds too."),
        .trait(
            name: "Jemalloc",
            description: "Link jemalloc, so that heap metrics are exact; without it they read unavailable."),
        .trait(
            name: "EXPANDABLE_SHARED_SEQUENCE",
            description: "Make SharedSequence.createUnsafe available, for sharing strategies of one's own."),
        .default(enabledTraits: ["Jemalloc"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // For RxTraceMetrics only.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // For the tests of RxFoundation only: they send requests to its server on the loopback address.
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // 0: modules that import no other module of this package
        .target(name: "CRx", cSettings: exempt),
        .target(name: "CRxTrace", dependencies: ["CRx"], cSettings: exempt),
        .target(name: "CRxBench", cSettings: exempt),
        // Contains only stubs, except in the image that 'rxbench races' compiles.
        .target(name: "CRaces"),
        .target(name: "CObjects", cSettings: exempt),
        .systemLibrary(
            name: "CJemalloc", pkgConfig: "jemalloc", providers: [.apt(["libjemalloc-dev"]), .brew(["jemalloc"])]),

        // 1: modules that import no other Swift module of this package: the core, the search for leaks, and what a file
        // with benchmarks imports
        .target(name: "Rx", dependencies: ["CRx"], swiftSettings: tracing),
        .target(name: "HeapTrace", dependencies: ["CRx", "CRxTrace"]),
        .target(name: "RxBench", dependencies: ["CRxBench"], path: "Sources/RxBench/Definition"),

        // 2: modules that import the core, and the harness and the tests for leaks, which do not import it
        .target(name: "RxTest", dependencies: ["Rx"]),
        .target(name: "RxBlocking", dependencies: ["Rx"]),
        .target(name: "RxFoundation", dependencies: ["Rx"]),
        .target(name: "RxLegacy", dependencies: ["Rx"]),
        .target(name: "RxCollections", dependencies: ["Rx"]),
        .target(name: "RxTrace", dependencies: ["CRx", "CRxTrace", "HeapTrace", "Rx"], swiftSettings: tracing),
        .target(
            name: "RxTraceMetrics",
            dependencies: ["Rx", "RxTrace", .product(name: "CoreMetrics", package: "swift-metrics")],
            swiftSettings: tracing),
        .target(name: "RxTraceObjects", dependencies: ["CObjects", "HeapTrace"]),
        // Follows Swift objects and counts the heap's bytes itself. jemalloc allows it to find holders.
        .target(name: "RxTraceTesting", dependencies: ["HeapTrace", "RxTraceObjects", jemalloc]),
        .target(
            name: "RxBenchEngine", dependencies: ["CRxBench", "RxBench", jemalloc], path: "Sources/RxBench/Engine"),
        .target(
            name: "RxBenchRaces", dependencies: ["CRaces", "CRx", "CRxTrace", "RxBench"],
            path: "Sources/RxBench/Races"),

        // 3: verbs and definitions
        .target(
            name: "RxBenchCommands",
            dependencies: [
                "HeapTrace", "RxBench", "RxBenchEngine", "RxBenchRaces",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/RxBench/Commands",
            resources: [.embedInCode("Report/HTML/report.css"), .embedInCode("Report/HTML/report.js")]),
        .target(name: "OperatorBenchmarks", dependencies: ["Rx", "RxBench"], path: "Benchmarks/Operators"),
        .target(name: "SchedulerBenchmarks", dependencies: ["Rx", "RxBench"], path: "Benchmarks/Schedulers"),
        .target(
            name: "DisposeRaceBenchmarks", dependencies: ["Rx", "RxBench", "RxBenchRaces"],
            path: "Benchmarks/DisposeRaces"),

        // 4: the tool
        .executableTarget(
            name: "RxBenchTool",
            dependencies: [
                "RxBench", "RxBenchCommands", "RxBenchEngine", "OperatorBenchmarks", "SchedulerBenchmarks",
                "DisposeRaceBenchmarks",
            ],
            path: "Sources/RxBench/Tool"),

        // Compiled with instrumentation by 'rxbench races'.
        .executableTarget(
            name: "RaceImage", dependencies: ["Rx", "RxBenchRaces", "DisposeRaceBenchmarks"],
            path: "Benchmarks/RaceImage", swiftSettings: tracing),

        // Tests mirror the path of the tested code.
        .testTarget(name: "CRxTests", dependencies: ["CRx", "CRxTrace"], exclude: ["Sources"]),
        .testTarget(
            name: "RxTests", dependencies: ["Rx", "RxTest", "RxBlocking"],
            exclude: ["Reference/expected.txt"], swiftSettings: tracing),
        // The same sources, as symbolic links, for clients in the two language modes.
        .testTarget(name: "Swift6ClientTests", dependencies: ["Rx"]),
        .testTarget(name: "Swift5ClientTests", dependencies: ["Rx"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(name: "RxTestTests", dependencies: ["Rx", "RxTest", "RxBlocking"], swiftSettings: tracing),
        .testTarget(
            name: "RxFoundationTests",
            dependencies: [
                "Rx", "RxFoundation", "RxTest", "RxBlocking", .product(name: "FlyingFox", package: "FlyingFox"),
            ],
            swiftSettings: tracing),
        .testTarget(name: "RxLegacyTests", dependencies: ["Rx", "RxLegacy"], swiftSettings: tracing),
        .testTarget(
            name: "RxCollectionsTests", dependencies: ["Rx", "RxCollections", "RxTest"], swiftSettings: tracing),
        // Includes programs that the tests pass to the compiler.
        .testTarget(
            name: "CompilerTests", dependencies: ["Rx", "RxFoundation", "RxLegacy"],
            exclude: ["Clients", "OldSpellings"]),
        .testTarget(
            name: "RxTraceTestingTests",
            dependencies: ["HeapTrace", "Rx", "RxTrace", "RxTraceObjects", "RxTraceTesting"],
            swiftSettings: tracing),
        // The sources of Examples/Leaks, which is a separate package.
        .target(
            name: "LeakGallery", dependencies: ["Rx", "RxTrace"], path: "Examples/Leaks/Sources/Leaks/Gallery",
            swiftSettings: tracing),
        .testTarget(
            name: "LeakGalleryTests", dependencies: ["HeapTrace", "Rx", "RxTrace", "LeakGallery", jemalloc],
            swiftSettings: tracing),
        .testTarget(
            name: "HeapTraceTests",
            dependencies: ["CRx", "CRxTrace", "HeapTrace", "Rx", "RxBlocking", "RxTest", "RxTrace", jemalloc],
            swiftSettings: tracing),
        .testTarget(
            name: "RxTraceTests",
            dependencies: ["CRx", "HeapTrace", "Rx", "RxBlocking", "RxTest", "RxTrace", jemalloc],
            swiftSettings: tracing),
        .testTarget(
            name: "RxTraceObjectsTests",
            dependencies: ["HeapTrace", "Rx", "RxTrace", "RxTraceObjects", "LeakGallery"],
            swiftSettings: tracing),
        .testTarget(
            name: "RxTraceMetricsTests",
            dependencies: [
                "Rx", "RxTest", "RxTrace", "RxTraceMetrics", .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: tracing),
        // The sources and tests of Examples/ViewModel and Examples/SearchAsYouType, which are separate packages.
        .target(name: "SignUp", dependencies: ["Rx"], path: "Examples/ViewModel/Sources/SignUp"),
        .testTarget(
            name: "SignUpTests", dependencies: ["Rx", "RxTest", "SignUp"],
            path: "Examples/ViewModel/Tests/SignUpTests", swiftSettings: tracing),
        .target(
            name: "WordSearch",
            dependencies: ["Rx", "RxFoundation", .product(name: "FlyingFox", package: "FlyingFox")],
            path: "Examples/SearchAsYouType/Sources/WordSearch"),
        .executableTarget(
            name: "SearchAsYouType", dependencies: ["Rx", "RxFoundation", "WordSearch"],
            path: "Examples/SearchAsYouType/Sources/SearchAsYouType"),
        .testTarget(
            name: "WordSearchTests",
            dependencies: ["Rx", "RxFoundation", "RxTest", "RxTraceTesting", "SearchAsYouType", "WordSearch"],
            path: "Examples/SearchAsYouType/Tests/WordSearchTests", swiftSettings: tracing),
        .testTarget(name: "RxBenchTests", dependencies: ["RxBench"]),
        .testTarget(name: "RxBenchEngineTests", dependencies: ["RxBench", "RxBenchEngine", "RxTraceObjects"]),
        .testTarget(name: "RxBenchRacesTests", dependencies: ["RxBench", "RxBenchEngine", "RxBenchRaces"]),
        // Known races with their bugs, for the tests of the race detectors.
        .target(
            name: "PlantedRaces", dependencies: ["Rx", "RxBenchRaces", "DisposeRaceBenchmarks"],
            path: "Tests/Fixtures/PlantedRaces"),
        .testTarget(
            name: "DisposeRaceBenchmarksTests",
            dependencies: ["Rx", "RxBench", "RxBenchRaces", "DisposeRaceBenchmarks", "PlantedRaces"]),
        .target(name: "ExampleExtraction", path: "Plugins/Examples/Extraction"),
        .executableTarget(
            name: "ExampleExtractor", dependencies: ["ExampleExtraction"], path: "Plugins/Examples/Extractor"),
        .plugin(
            name: "ExtractExamples", capability: .buildTool(), dependencies: ["ExampleExtractor"],
            path: "Plugins/Examples/Plugin"),
        .target(
            name: "ExampleScenery", dependencies: ["Rx", "RxTest", "RxBench", "RxBenchRaces"],
            path: "Tests/ExampleScenery"),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Rx", "RxTest", "RxBlocking", "RxCollections", "RxFoundation", "RxLegacy", "RxTrace", "RxTraceTesting",
                "RxTraceMetrics", "RxTraceObjects", "RxBench", "RxBenchCommands", "RxBenchEngine", "RxBenchRaces",
                "ExampleExtraction", "ExampleScenery",
            ],
            exclude: ["Planted"], swiftSettings: tracing, plugins: ["ExtractExamples"]),
        .executableTarget(
            name: "RxBenchFixture",
            dependencies: ["Rx", "RxBench", "RxBenchCommands", "RxBenchEngine", "RxBenchRaces"],
            path: "Tests/Fixtures/RxBenchFixture"),
        .target(name: "CRaceFixture", path: "Tests/Fixtures/CRaceFixture"),
        .executableTarget(
            name: "RaceFixture", dependencies: ["CRaceFixture", "CRaces", "RxBench", "RxBenchRaces"],
            path: "Tests/Fixtures/RaceFixture"),
        .testTarget(
            name: "RxBenchCommandsTests",
            dependencies: [
                "HeapTrace", "RxBench", "RxBenchCommands", "RxBenchEngine", "RxBenchFixture", "RxBenchTool",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// 'scripts/test-release' runs the tests of the core and of the modules that import it, and builds no other tests.
if Context.environment["RX_TESTS"] == "core" {
    let others: Set = [
        "CRxTests", "CompilerTests", "RxBenchTests", "RxBenchEngineTests", "RxBenchRacesTests", "RxBenchCommandsTests",
        "DisposeRaceBenchmarksTests", "RxBenchFixture", "RxBenchTool",
        "OperatorBenchmarks", "SchedulerBenchmarks", "DisposeRaceBenchmarks", "PlantedRaces", "RaceImage",
        "RaceFixture", "CRaceFixture",
    ]
    package.targets.removeAll { others.contains($0.name) }
    package.products.removeAll { ["rxbench", "rxbench-races"].contains($0.name) }
}
