// swift-tools-version:5.5
import PackageDescription

// A third-party library: it depends on RxSwift at its original address.
let package = Package(
    name: "Paging",
    platforms: [.macOS("15.0")],
    products: [.library(name: "Paging", targets: ["Paging"])],
    dependencies: [.package(url: "https://github.com/ReactiveX/RxSwift.git", from: "6.0.0")],
    targets: [
        .target(
            name: "Paging",
            dependencies: [
                "RxSwift",
                .product(name: "RxCocoa", package: "RxSwift"),
                .product(name: "RxRelay", package: "RxSwift"),
            ])
    ]
)
