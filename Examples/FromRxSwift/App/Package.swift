// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "App",
    platforms: [.macOS("15.0")],
    dependencies: [
        // Before: .package(url: "https://github.com/ReactiveX/RxSwift.git", from: "6.0.0"),
        .package(path: "../../../Compatibility/RxSwift"),
        .package(path: "../Paging"),
        .package(path: "../Typing"),
    ],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                "Paging", "Typing",
                .product(name: "RxSwift", package: "RxSwift"),
                .product(name: "RxRelay", package: "RxSwift"),
                .product(name: "RxCocoa", package: "RxSwift"),
            ]),
        .testTarget(
            name: "AppTests",
            dependencies: [
                "Paging",
                .product(name: "RxTest", package: "RxSwift"),
                .product(name: "RxBlocking", package: "RxSwift"),
            ]),
    ]
)
