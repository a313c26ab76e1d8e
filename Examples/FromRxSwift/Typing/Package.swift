// swift-tools-version:5.5
import PackageDescription

// Another third-party library. It requires a different version at a different address.
let package = Package(
    name: "Typing",
    platforms: [.macOS("15.0")],
    products: [.library(name: "Typing", targets: ["Typing"])],
    dependencies: [.package(name: "RxSwift", url: "https://github.com/ReactiveX/RxSwift", .exact("6.5.0"))],
    targets: [.target(name: "Typing", dependencies: ["RxSwift"])]
)
