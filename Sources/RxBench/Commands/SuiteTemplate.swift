/// The files of a package with a suite of the user's own.
struct SuiteTemplate {
    /// Where the package 'rx' comes from.
    enum Source: Equatable {
        /// A checkout, by its path from the new package.
        case path(String)
        /// A repository, from a version on.
        case version(String, url: String)
        /// A repository's branch.
        case branch(String, url: String)
    }

    /// The name of the package, and of its executable with the benchmarks.
    let name: String
    let source: Source

    /// The target with the code that is measured: not the executable's, as 'ab' takes that one's sources from head on
    /// both sides.
    private var library: String { "\(name)Work" }

    /// Paths within the package with their content, in the order of writing.
    var files: [(path: String, content: String)] {
        [
            ("Package.swift", manifest), ("Sources/\(library)/Streams.swift", streams),
            ("Sources/\(library)/Seats.swift", seats), ("Sources/\(name)/main.swift", suite),
            ("Sources/\(name)-races/main.swift", races), ("README.md", readme), (".gitignore", ".build/\n"),
        ]
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            platforms: [.macOS(.v15)],
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

    private var dependency: String {
        switch source {
        case .path(let path): ".package(name: \"rx\", path: \(path.quoted))"
        case .version(let version, let url): ".package(url: \(url.quoted), from: \(version.quoted))"
        case .branch(let branch, let url): ".package(url: \(url.quoted), branch: \(branch.quoted))"
        }
    }

    /// The name under which the package manager knows the dependency: for a repository, the end of its URL.
    private var identity: String {
        switch source {
        case .path: "rx"
        case .version(_, let url), .branch(_, let url): Self.identity(ofURL: url)
        }
    }

    static func identity(ofURL url: String) -> String {
        let end = url.split(separator: "/").last.map(String.init) ?? url
        return end.hasSuffix(".git") ? String(end.dropLast(4)) : end
    }

    private var streams: String {
        """
        import Rx

        // The code that is measured, or what calls it. It lies in a target of its own: 'ab' compares this target
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

            /// Sells a seat; `false` if there is none left.
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

        // Each race: a stable ID, the decision that it informs, a state made anew for each execution, two to four
        // actors that touch it at once, and a grade for what came out.
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
                        "stream/loop", decides: "Nothing: what the pipeline is measured against.", operations: 1_000
                    ) {
                        let count = opaque(1_000)
                        return Workload {
                            var sum = 0
                            for number in 0..<count where number.isMultiple(of: 2) { sum = opaque(sum + number) }
                            blackHole(sum)
                        }
                    },
                    Benchmark(
                        "stream/pipeline", decides: "Whether the pipeline may stand in the place of the loop.",
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
        """
        # \(name)

        Benchmarks of your own, in `Sources/\(name)/main.swift`, of the code in `Sources/\(library)`. The executable has
        every verb of rxbench:

        ```sh
        swift run -c release \(name) list           # what is measured, and which decision it informs
        swift run -c release \(name) doctor         # whether this machine is fit to measure
        swift run -c release \(name) run --quick    # a first look
        swift run -c release \(name) run            # measures everything and stores the result under results/
        swift run -c release \(name) compare previous latest
        swift run -c release \(name) explain stream/pipeline    # where its time goes, operator by operator
        swift run -c release \(name) leaks          # what repeated runs leave behind
        swift run -c release \(name) races          # every order in which threads can run Sources/\(name)-races
        swift run -c release \(name) report         # the latest result as one HTML page
        swift run -c release \(name) ab main        # whether Sources/\(library) is slower in the working tree than in \
        a commit
        ```

        Counts of allocations need jemalloc: `apt-get install libjemalloc-dev pkg-config`, or `brew install jemalloc \
        pkgconf`.
        Without it, add `traits: []` to the dependency in `Package.swift`; these counts then read *unavailable*.

        Live resources are counted in debug builds, and in release builds with `traits: [.defaults, "TRACE_RESOURCES"]`.

        """
    }
}

extension String {
    /// A string literal of Swift.
    fileprivate var quoted: String {
        "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
    }
}
