/// The files of a new package with a benchmark suite.
struct SuiteTemplate {
    /// The source of the package 'rx'.
    enum Source: Equatable {
        /// A local checkout, given by its path relative to the new package.
        case path(String)
        /// A repository, with the minimum version.
        case version(String, url: String)
        /// A branch of a repository.
        case branch(String, url: String)
        /// A commit of a repository.
        case revision(String, url: String)
    }

    /// The name of the package and of its benchmark executable.
    let name: String
    let source: Source
    /// The package to measure and its path relative to the new package, or `nil` if the suite contains the code it
    /// measures.
    var project: (package: ProjectPackage, path: String)?

    /// The target with the code to measure. It is separate from the executable's target because 'ab' takes the
    /// executable's sources from head on both sides.
    private var library: String { "\(name)Work" }

    /// The paths and contents of the files, in the order in which they are written.
    var files: [(path: String, content: String)] {
        let common = [(path: "README.md", content: readme), (".gitignore", Self.ignored)]
        if let project {
            let subject = project.package.subject
            return [
                ("Package.swift", manifest), ("Sources/\(name)/main.swift", suite(of: subject)),
                ("Sources/\(name)-races/main.swift", races(of: subject)),
                ("Tests/\(name)Tests/LeakTests.swift", leakTests(of: subject)),
            ] + common
        }
        return [
            ("Package.swift", manifest), ("Sources/\(library)/Streams.swift", streams),
            ("Sources/\(library)/Seats.swift", seats), ("Sources/\(name)/main.swift", suite),
            ("Sources/\(name)-races/main.swift", races),
        ] + common
    }

    /// Results stay under version control. Files that commands generate again do not.
    private static let ignored = """
        .build/
        .swiftpm/
        counts/
        comparison.md
        leaks.sarif
        *.xml
        report.html

        """

    private var manifest: String {
        project.map { manifest(of: $0.package, at: $0.path) } ?? """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v15)],
                traits: [\(Self.trait)],
                dependencies: [
                    \(dependency)
                ],
                targets: [
                    .target(name: "\(library)", dependencies: [.product(name: "Rx", package: "\(identity)")]),
                    .executableTarget(
                        name: "\(name)",
                        dependencies: [
                            "\(library)",
                            .product(name: "Rx", package: "\(identity)"),
                            .product(name: "RxBench", package: "\(identity)"),
                            .product(name: "RxBenchCommands", package: "\(identity)"),
                        ]),
                    // Apart, as '\(name) races' compiles all that this one links with instrumentation.
                    .executableTarget(
                        name: "\(name)-races",
                        dependencies: ["\(library)", .product(name: "RxBench", package: "\(identity)")]),
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    /// The trait that counts live resources in release builds too, if '--traits TRACE_RESOURCES' enables it.
    private static let trait = "\"TRACE_RESOURCES\""
    private static let forwarded = """
        traits: [.defaults, .trait(name: "TRACE_RESOURCES", condition: .when(traits: ["TRACE_RESOURCES"]))]
        """

    private func manifest(of package: ProjectPackage, at path: String) -> String {
        let measured = ".product(name: \(package.product.quoted), package: \(package.name.quoted))"
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name)",
                platforms: [.macOS(.v15)],
                traits: [\(Self.trait)],
                dependencies: [
                    .package(name: \(package.name.quoted), path: \(path.quoted)),
                    \(dependency),
                ],
                targets: [
                    .executableTarget(
                        name: "\(name)",
                        dependencies: [
                            \(measured),
                            .product(name: "RxBench", package: "\(identity)"),
                            .product(name: "RxBenchCommands", package: "\(identity)"),
                        ]),
                    // Apart, as '\(name) races' compiles all that this one links with instrumentation.
                    .executableTarget(
                        name: "\(name)-races",
                        dependencies: [\(measured), .product(name: "RxBench", package: "\(identity)")]),
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: [\(measured), .product(name: "RxTraceTesting", package: "\(identity)")]),
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    /// The decision that a placeholder benchmark or race informs.
    private static let nothingYet = "Nothing yet: put a call here."

    private func suite(of subject: PublicType) -> String {
        let decides = subject.isMade ? "Whether \(subject.name) may be made for every request." : Self.nothingYet
        return """
            import \(subject.module)
            import RxBench
            import RxBenchCommands

            // Each benchmark: a stable ID, the decision that its figures inform, and the work. Set-up is outside the
            // measured closure; 'blackHole' keeps the optimiser from removing the work. Replace the expression by a
            // call that matters to you.
            RxBenchMain.run([
                Suite(
                    "\(name)",
                    [
                        Benchmark(
                            "\(subject.id)", decides: "\(decides)",
                            operations: 1_000
                        ) {
                            Workload { for _ in 0..<1_000 { blackHole(\(subject.expression)) } }
                        }
                    ])
            ])

            """
    }

    private func races(of subject: PublicType) -> String {
        let decides = subject.isMade ? "Whether two threads may share one \(subject.name)." : Self.nothingYet
        return """
            import \(subject.module)
            import RxBench
            import RxBenchRaces
            import Synchronization

            /// The state that two threads share. Replace it by your own state, and let 'work' call your functions.
            final class Shared: @unchecked Sendable {
                let subject = \(subject.expression)
                let done = Atomic<Int>(0)

                func work() {
                    blackHole(subject)
                    done.wrappingAdd(1, ordering: .relaxed)
                }
            }

            // Each race: a stable ID, the decision that it informs, a state made again for each execution, two to four
            // actors that touch it at once, and a grade for the outcome.
            RaceMain.run([
                Race(
                    RaceScenario(
                        "race/\(subject.id)", decides: "\(decides)",
                        makeState: { Shared() },
                        actors: [{ $0.work() }, { $0.work() }],
                        finish: {
                            let done = $0.done.load(ordering: .relaxed)
                            return done == 2 ? .acceptable("both done") : .forbidden("\\(done) done")
                        }))
            ])

            """
    }

    private func leakTests(of subject: PublicType) -> String {
        // An empty test would pass, so the generated test is skipped.
        let effects = subject.isMade ? "" : " throws"
        let body =
            subject.isMade
            ? "expectNoLeaks { _ = \(subject.expression) }"
            : "throw XCTSkip(\"Nothing is looked at yet: write 'expectNoLeaks { … }' here, with a call.\")"
        return """
            import \(subject.module)
            import RxTraceTesting
            import XCTest

            final class LeakTests: XCTestCase {
                /// Runs the round trip again and again, and fails if each run leaves more behind.
                func test\(subject.name)IsReleased()\(effects) {
                    \(body)
                }
            }

            """
    }

    private var dependency: String {
        let place =
            switch source {
            case .path(let path): "name: \"rx\", path: \(path.quoted)"
            case .version(let version, let url): "url: \(url.quoted), from: \(version.quoted)"
            case .branch(let branch, let url): "url: \(url.quoted), branch: \(branch.quoted)"
            case .revision(let commit, let url): "url: \(url.quoted), revision: \(commit.quoted)"
            }
        let inner = String(repeating: " ", count: 12)
        return ".package(\n\(inner)\(place),\n\(inner)\(Self.forwarded))"
    }

    /// The name by which the package manager identifies the dependency. For a repository this is the last component of
    /// its URL.
    private var identity: String {
        switch source {
        case .path: "rx"
        case .version(_, let url), .branch(_, let url), .revision(_, let url): Self.identity(ofURL: url)
        }
    }

    static func identity(ofURL url: String) -> String {
        let end = url.split(separator: "/").last.map(String.init) ?? url
        return end.hasSuffix(".git") ? String(end.dropLast(4)) : end
    }

    private var streams: String {
        """
        import Rx

        // The measured code, or the code that calls it, in a separate target: 'ab' compares this target
        // between two commits, with the benchmarks of the later one.

        /// The even numbers below `count`.
        public func evenNumbers(below count: Int) -> Observable<Int> {
            Observable.range(start: 0, count: count).filter { $0.isMultiple(of: 2) }
        }

        /// Twice each of `numbers`.
        public func doubled(_ numbers: Observable<Int>) -> Observable<Int> { numbers.map { $0 * 2 } }

        """
    }

    private var seats: String {
        """
        import Synchronization

        /// Seats that many threads sell, each seat once.
        public final class Seats: Sendable {
            private let left: Atomic<Int>

            public init(_ count: Int) { left = Atomic(count) }

            /// Sells a seat; `false` if no seat is left.
            public func sell() -> Bool {
                var seen = left.load(ordering: .relaxed)
                while seen > 0 {
                    // A plain store of 'seen - 1' would sell a seat twice: try it, and let 'races' show how.
                    let (isSold, now) = left.compareExchange(expected: seen, desired: seen - 1, ordering: .relaxed)
                    if isSold { return true }
                    seen = now
                }
                return false
            }
        }

        """
    }

    private var races: String {
        """
        import \(library)
        import RxBenchRaces
        import Synchronization

        /// One seat, and a count of those who hold it.
        final class Sale: Sendable {
            let seats = Seats(1)
            let sold = Atomic<Int>(0)

            func sell() { if seats.sell() { sold.wrappingAdd(1, ordering: .relaxed) } }
        }

        // Each race: a stable ID, the decision that it informs, a state made again for each execution, two to four
        // actors that touch it at once, and a grade for the outcome.
        RaceMain.run([
            Race(
                RaceScenario(
                    "race/seats", decides: "Whether a seat may be sold without a lock.",
                    makeState: { Sale() },
                    actors: [{ $0.sell() }, { $0.sell() }],
                    finish: {
                        let sold = $0.sold.load(ordering: .relaxed)
                        return sold == 1 ? .acceptable("sold once") : .forbidden("sold \\(sold) times")
                    }))
        ])

        """
    }

    private var suite: String {
        """
        import \(library)
        import Rx
        import RxBench
        import RxBenchCommands

        // Each benchmark: a stable ID, the decision that its figures inform, and the work. Set-up is outside the
        // measured closure; 'opaque' hides a value from the optimiser, and 'blackHole' keeps it from removing the work.
        RxBenchMain.run([
            Suite(
                "\(name)",
                [
                    Benchmark(
                        "stream/loop", decides: "Nothing. It is the baseline of the pipeline.", operations: 1_000
                    ) {
                        let count = opaque(1_000)
                        return Workload {
                            var sum = 0
                            for number in 0..<count where number.isMultiple(of: 2) { sum = opaque(sum + number) }
                            blackHole(sum)
                        }
                    },
                    Benchmark(
                        "stream/pipeline", decides: "Whether the pipeline can replace the loop.",
                        operations: 1_000,
                        relativeTo: "stream/loop",
                        // For 'explain': the pipeline as it grows, one operator at a time.
                        stages: [
                            Stage("range") {
                                let count = opaque(1_000)
                                return Workload {
                                    _ = Observable.range(start: 0, count: count).subscribe(onNext: { blackHole($0) })
                                }
                            },
                            Stage("filter") {
                                let count = opaque(1_000)
                                return Workload { _ = evenNumbers(below: count).subscribe(onNext: { blackHole($0) }) }
                            },
                        ]
                    ) {
                        let count = opaque(1_000)
                        var sum = 0
                        // Checked after the first iteration and after the last: work that stops being done is no work
                        // that got faster.
                        return Workload(check: { try confirm(sum, is: 249_500) }) {
                            sum = 0
                            _ = evenNumbers(below: count).subscribe(onNext: { sum += $0 })
                            blackHole(sum)
                        }
                    },
                    Benchmark(
                        "stream/subscribe", decides: "Whether a subscription may be made for every request.",
                        operations: 100
                    ) {
                        let numbers = PublishSubject<Int>()
                        let twice = doubled(numbers)
                        return Workload { for _ in 0..<100 { twice.subscribe(onNext: { blackHole($0) }).dispose() } }
                    },
                ])
        ])

        """
    }

    private var readme: String {
        let run = "swift run -c release"
        let isNested = project != nil
        let code = project.map { "of `\($0.package.name)`" } ?? "of the code in `Sources/\(library)`"
        let compared = project.map { "\($0.package.name)" } ?? "Sources/\(library)"
        let explained =
            isNested
            ? "" : "\(run) \(name) explain stream/pipeline    # where its time goes, operator by operator\n"
        let traced = isNested ? "" : "--traits TRACE_RESOURCES "
        let tests = isNested ? "swift test                                # the leak tests in `Tests`\n" : ""
        return """
            # \(name)

            Benchmarks \(code).
            They are in `Sources/\(name)/main.swift`. Run the commands in this folder; the executable has every
            verb of rxbench:

            ```sh
            \(run) \(name) list           # what is measured, and which decision it informs
            \(run) \(name) doctor         # whether this machine is fit to measure
            \(run) \(name) run --quick    # a first look
            \(run) \(name) run            # measures everything and stores the result under results/
            \(run) \(name) compare previous latest    # once two results are stored
            \(explained)\(tests)\(run) \(traced)\(name) leaks    # memory that the runs leave behind
            \(run) \(name) races          # every order in which threads can run Sources/\(name)-races
            \(run) \(name) report         # the latest result as one HTML page
            \(run) \(name) ab main        # whether \(compared) is slower than in main
            ```

            Counts of allocations need jemalloc: `apt-get install libjemalloc-dev pkg-config`, or
            `brew install jemalloc pkgconf`.
            Without it, take `.defaults` out of `traits` in `Package.swift`; these counts then read *unavailable*.

            """
    }
}

extension String {
    /// The string as a Swift string literal.
    fileprivate var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
    }
}

extension PublicType {
    /// The benchmark's ID: the names of the module and the type as lowercase words separated by hyphens.
    fileprivate var id: String { "\(Self.words(module))/\(Self.words(name))" }

    private static func words(_ name: String) -> String {
        // 'HTTPBody' becomes 'http-body'.
        let parts = name.replacing("_", with: "-").replacing(#/(?<low>[a-z0-9])(?<high>[A-Z])/#) {
            "\($0.low)-\($0.high)"
        }.replacing(#/(?<first>[A-Z])(?<second>[A-Z][a-z])/#) { "\($0.first)-\($0.second)" }
        return parts.lowercased().filter { $0.isASCII }.trimmingCharacters(in: ["-"])
    }
}
