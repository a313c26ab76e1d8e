// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that one program is built with tracing and without. See scripts/bars/tracing-cost.
let tracing = Context.environment["RX_TRACING"] == "on"

let package = Package(
    name: "tracing-cost",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "rx", path: "../..", traits: tracing ? ["TRACE_RESOURCES"] : [])],
    targets: [.executableTarget(name: "TracingCost", dependencies: [.product(name: "Rx", package: "rx")])],
    swiftLanguageModes: [.v6]
)
