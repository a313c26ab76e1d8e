import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("rxbench init", .serialized) struct InitCommandTests {
    private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let names = [
        ".gitignore", "Package.swift", "README.md", "Sources/OwnSuite-races/main.swift", "Sources/OwnSuite/main.swift",
        "Sources/OwnSuiteWork/Seats.swift", "Sources/OwnSuiteWork/Streams.swift",
    ]

    /// A folder that looks like a checkout of the package.
    private func standIn() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = try folder.write("let package = Package(name: \"rx\")", to: "Package.swift")
        return folder
    }

    /// Runs the tool in `folder`.
    private func run(in folder: TemporaryFolder, _ arguments: String...) throws -> Tool.Result {
        try Tool.run("RxBenchFixture", arguments, [:], in: folder.path)
    }

    @Test func `writes exactly the package under Examples`() throws {
        let folder = try standIn()
        let result = try run(in: folder, "init", "Examples/OwnSuite", "--path", ".")
        #expect(result.code == 0)
        #expect(
            result.output == """
                Examples/OwnSuite/Package.swift
                Examples/OwnSuite/Sources/OwnSuiteWork/Streams.swift
                Examples/OwnSuite/Sources/OwnSuiteWork/Seats.swift
                Examples/OwnSuite/Sources/OwnSuite/main.swift
                Examples/OwnSuite/Sources/OwnSuite-races/main.swift
                Examples/OwnSuite/README.md
                Examples/OwnSuite/.gitignore

                Next:
                  cd 'Examples/OwnSuite'
                  swift run -c release OwnSuite list
                  swift run -c release OwnSuite doctor --quick
                  swift run -c release OwnSuite run --quick
                  swift run -c release OwnSuite races

                The package 'OwnSuite' is written.

                """)
        for name in Self.names {
            let written = try String(contentsOfFile: "\(folder.path)/Examples/OwnSuite/\(name)", encoding: .utf8)
            #expect(
                written
                    == (try String(
                        contentsOf: Self.checkout.appending(path: "Examples/OwnSuite/\(name)"), encoding: .utf8)),
                "\(name)")
        }
        #expect(folder.files == Self.names.map { "Examples/OwnSuite/\($0)" } + ["Package.swift"])
    }

    @Test func `refuses to overwrite anything, and names the file`() throws {
        for name in Self.names {
            let folder = try standIn()
            let file = try folder.write("mine", to: "OwnSuite/\(name)")
            let before = folder.files
            let result = try run(in: folder, "init", "OwnSuite", "--path", ".")
            #expect(result.code == 64)
            #expect(
                result.sentence
                    == """
                    Error: 'OwnSuite/\(name)' exists, and nothing is overwritten. Choose another folder, or move \
                    the file away.
                    """
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
            #expect(folder.files == before)
        }
    }

    @Test func `a link that leads nowhere exists too`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/README.md", withDestinationPath: "/nowhere/at/all")
        let result = try run(
            in: folder, "init", ".", "--name", "OwnSuite", "--url", "https://example.com/rx.git", "--branch", "b")
        #expect(result.sentence.hasPrefix("Error: './README.md' exists,"))
    }

    @Test func `a repository is taken by version, branch or commit, under the name at the end of its URL`() throws {
        let folder = try TemporaryFolder()
        let fork = "https://example.com/streams/rx-fork.git"
        #expect(try run(in: folder, "init", "One", "--url", fork, "--from", "1.0.0").code == 0)
        #expect(try run(in: folder, "init", "Two", "--url", "git@example.com:streams/rx", "--branch", "main").code == 0)
        let one = try String(contentsOfFile: "\(folder.path)/One/Package.swift", encoding: .utf8)
        #expect(one.contains(" url: \"https://example.com/streams/rx-fork.git\", from: \"1.0.0\",\n"))
        #expect(one.contains(".product(name: \"RxBench\", package: \"rx-fork\")"))
        let two = try String(contentsOfFile: "\(folder.path)/Two/Package.swift", encoding: .utf8)
        #expect(two.contains(" url: \"git@example.com:streams/rx\", branch: \"main\",\n"))
        #expect(two.contains(".product(name: \"RxBench\", package: \"rx\")"))
        let commit = String(repeating: "0123456789", count: 4)
        #expect(try run(in: folder, "init", "Three", "--url", "u", "--revision", commit).code == 0)
        let three = try String(contentsOfFile: "\(folder.path)/Three/Package.swift", encoding: .utf8)
        #expect(three.contains("revision: \"\(commit)\""))
    }

    @Test func `without a tagged version the newest commit is taken, and the first version once there is one`() throws {
        let folder = try TemporaryFolder()
        func git(_ arguments: String...) throws -> String {
            let child = try ChildProcess(
                executable: try #require(ChildProcess.find("git")),
                arguments: ["-C", "\(folder.path)/origin", "-c", "user.name=t", "-c", "user.email=t@example.com"]
                    + arguments)
            return String(decoding: try child.wait(timeoutSeconds: 20).output, as: UTF8.self)
        }
        _ = try folder.write("one", to: "origin/file")
        _ = try git("init", "-q")
        _ = try git("add", "-A")
        _ = try git("commit", "-q", "-m", "x")
        let head = try git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
        let url = "file://\(folder.path)/origin"
        #expect(try run(in: folder, "init", "One", "--url", url).code == 0)
        let one = try String(contentsOfFile: "\(folder.path)/One/Package.swift", encoding: .utf8)
        #expect(one.contains("revision: \"\(head)\""))
        _ = try git("tag", "1.2.0")
        #expect(try run(in: folder, "init", "Two", "--url", url).code == 0)
        let two = try String(contentsOfFile: "\(folder.path)/Two/Package.swift", encoding: .utf8)
        #expect(two.contains("from: \"1.0.0\""))
    }

    @Test func `in the folder of a package, it writes a suite of that package's code without Rx`() throws {
        let folder = try standIn()
        _ = try folder.write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "shop", products: [.library(name: "Shop", targets: ["ShopKit"])],
                targets: [.target(name: "ShopKit")])
            """, to: "shop/Package.swift")
        _ = try folder.write(
            """
            import struct Foundation.Data
            /// A struct in a comment { public init() }
            @available(*, deprecated) public struct Old { public init() {} }
            public struct Basket<Item: Hashable> where Item: Sendable { public init() {} }
            public struct Hidden { init() {} }
            public final class Till { public init(name: String) {} ; 
            public convenience init() throws { self.init(name: "{") } }
            #if os(Plan9)
            public struct Elsewhere { public init() {} }
            #endif
            public struct Shelf<Item: Comparable & Hashable> {
                private var items: [Item]
                public init(of items: [Item] = [], named name: String = "a, (b") { self.items = items }
            }
            """, to: "shop/Sources/ShopKit/Shop.swift")
        let result = try Tool.run(
            "RxBenchFixture", ["init", "--path", "../"], [:], in: "\(folder.path)/shop")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.verdict == "The package 'Benchmarks' is written. It measures Shelf of 'Shop'.")
        func written(_ name: String) throws -> String {
            try String(contentsOfFile: "\(folder.path)/shop/Benchmarks/\(name)", encoding: .utf8)
        }
        #expect(try written("Package.swift").contains(".package(name: \"shop\", path: \"..\"),"))
        #expect(try written("Package.swift").contains(" name: \"rx\", path: \"../..\",\n"))
        for name in [
            "Sources/Benchmarks/main.swift", "Sources/Benchmarks-races/main.swift",
            "Tests/BenchmarksTests/LeakTests.swift",
        ] {
            let text = try written(name)
            #expect(text.contains("import ShopKit\n") && text.contains("Shelf<Int>()"), "\(text)")
            #expect(!text.contains("import Rx\n"))
        }
        // A folder of that name may belong to another harness.
        #expect(
            try Tool.run("RxBenchFixture", ["init", "--path", "../"], [:], in: "\(folder.path)/shop").output.hasPrefix(
                "RxBenchmarks/Package.swift\n"))
    }

    @Test func `a package without a type that can be made is told to wait for a call`() throws {
        let folder = try standIn()
        _ = try folder.write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "shop", products: [.library(name: "Shop", targets: ["Shop"])], targets: [.target(name: "Shop")])
            """, to: "shop/Package.swift")
        _ = try folder.write("public enum Kind { case a }\n", to: "shop/Sources/Shop/Shop.swift")
        let result = try Tool.run("RxBenchFixture", ["init", "--path", "../"], [:], in: "\(folder.path)/shop")
        #expect(result.code == 0)
        #expect(
            result.verdict == """
                The package 'Benchmarks' is written. No type of 'Shop' can be made without other types of it, so that \
                nothing is measured yet: put a call into 'Benchmarks/Sources/Benchmarks/main.swift'.
                """)
        func written(_ name: String) throws -> String {
            try String(contentsOfFile: "\(folder.path)/shop/Benchmarks/\(name)", encoding: .utf8)
        }
        // A test that observes nothing must not pass.
        let test = try written("Tests/BenchmarksTests/LeakTests.swift")
        #expect(test.contains("throw XCTSkip(") && !test.contains("expectNoLeaks { _"))
        #expect(try written("Sources/Benchmarks/main.swift").contains("decides: \"Nothing yet: put a call here.\""))
    }

    @Test(arguments: [
        (
            "public struct Token { public init(text: String, at place: Int, kind: Kind = .a) {} }",
            "Token(text: \"text\", at: 1)"
        ),
        ("public struct Token { public init(_ text: String) throws {} }", "try? Token(\"text\")"),
        ("public struct Token { public init(_ text: String) {}\n public init() {} }", "Token()"),
        ("public struct Token { public init(_ kind: Kind) {} }", "ObjectIdentifier(Token.self)"),
        ("public struct Token { public init(_ text: String) async {} }", "ObjectIdentifier(Token.self)"),
        ("public struct Token { public init(_ a: Int) {} }\npublic final class Last { public init() {} }", "Last()"),
        ("@available(System 0.0.1, *)\npublic struct Path { public init() {} }", "Path()"),
        ("@available(macOS 12, *)\npublic struct Path { @available(macOS 12, *) public init() {} }", "Path()"),
        (
            """
            @available(*, deprecated) public struct Old { public init() {} }
            public struct Path { public init() {} }
            """,
            "Path()"
        ),
    ]) func `a type is made with literals where it needs arguments`(source: String, expression: String) throws {
        let types = PublicTypes(module: "Module", files: [source])
        #expect(types.all.first?.expression == expression)
    }

    @Test func `an absolute path stays absolute`() throws {
        let folder = try standIn()
        #expect(try run(in: folder, "init", "OwnSuite", "--path", folder.path).code == 0)
        #expect(
            try String(contentsOfFile: "\(folder.path)/OwnSuite/Package.swift", encoding: .utf8).contains(
                "path: \"\(folder.path)\""))
    }

    @Test func `JSON names the files and the next commands`() throws {
        let folder = try standIn()
        let result = try run(in: folder, "init", ".", "--name", "Streams", "--path", ".", "--json")
        // The folder already has a manifest.
        #expect(result.code == 64)
        let inner = try run(in: folder, "init", "inner/", "--name", "Streams", "--path", ".", "--json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(inner.output.utf8)) as? [String: Any])
        #expect(json["name"] as? String == "Streams")
        #expect((json["files"] as? [String])?.first == "inner/Package.swift")
        #expect((json["next"] as? [String])?.first == "cd 'inner/'")
        #expect(inner.errors == "The package 'Streams' is written.\n")
    }

    @Test(arguments: [
        (
            ["OwnSuite"],
            "Nothing says where the package 'rx' is. Add '--path' with a checkout, or '--url' with a repository."
        ),
        (
            ["OwnSuite", "--path", ".", "--url", "u"],
            "'--path' and '--url' both say where the package 'rx' is. Give one of them."
        ),
        (
            ["OwnSuite", "--path", ".", "--branch", "b"],
            "'--from' and '--branch' belong to '--url'; a checkout is taken as it is."
        ),
        (
            ["OwnSuite", "--url", "a b"],
            "'--url a b' is no URL. Name a repository, as in 'https://example.com/rx.git'."
        ),
        (
            ["OwnSuite", "--url", "u", "--from", "latest"],
            "'--from latest' is no version. Write three numbers, as in '1.0.0'."
        ),
        (
            ["OwnSuite", "--url", "u", "--from", "1.0.0", "--branch", "b"],
            "'--from' and '--branch' are alternatives. Give one of them."
        ),
        (["OwnSuite", "--path", ""], "'' names no folder. Write '.' for the current one."),
        (
            ["OwnSuite", "--path", "nowhere"],
            "'nowhere' holds no Package.swift of the package 'rx'. Name the folder of a checkout with '--path'."
        ),
        (
            ["my-suite", "--path", "."],
            """
            'my-suite' cannot name a Swift module: letters, digits and underscores can, beginning with a letter. \
            Choose one with '--name'.
            """
        ),
        (["rxbench", "--path", "."], "'rxbench' is taken by the module 'RxBench'. Choose another name with '--name'."),
        (
            ["Package.swift/OwnSuite", "--name", "A", "--path", "."],
            "The folder 'Package.swift/OwnSuite' cannot be made or written. Choose another folder."
        ),
    ]) func `bad input is refused with a sentence, and nothing is written`(arguments: [String], sentence: String) throws
    {
        let folder = try standIn()
        let result = try Tool.run("RxBenchFixture", ["init"] + arguments, [:], in: folder.path)
        #expect(result.code == 64)
        #expect(result.sentence.split(separator: "\n").first.map(String.init) == "Error: \(sentence)")
        #expect(result.output == "")
        #expect(folder.files == ["Package.swift"])
    }
}
