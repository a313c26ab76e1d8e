import Foundation

/// What an image does not need of this repository's own harness: verbs, and the traces that they read. Without them a
/// core compiles that is too old for head's verbs, and a change of a verb compiles nothing again.
enum ImageFrame {
    private static let commands = "Sources/RxBench/Commands"
    private static let trace = "Sources/RxTrace"

    /// All that is left of the tool: it serves its suites.
    private static let main = """
        import RxBench

        public enum RxBenchMain {
            public static func run(_ suites: [Suite], probes: @escaping @Sendable () -> [any MetricProbe] = { [] }) -> \
        Never {
                Image.serve(suites, probes: probes)
            }
        }

        """

    /// Takes it out of `tree`; does nothing in other repositories.
    static func reduce(_ tree: SourceTree) throws {
        guard FileManager.default.fileExists(atPath: "\(tree.folder)/\(commands)/RxBenchMain.swift") else { return }
        for (folder, source) in [(commands, main), (trace, "// Images trace nothing.\n")] {
            let path = "\(tree.folder)/\(folder)"
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try AtomicFile.write(Array(source.utf8), to: "\(path)/RxBenchMain.swift")
        }
    }
}
