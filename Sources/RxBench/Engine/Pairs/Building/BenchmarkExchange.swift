import Foundation

/// The files of benchmarks of which both sides use base's version, because base's code does not compile head's version.
///
/// The code of benchmarks with the same name is therefore the same on both sides. The benchmarks that only head's
/// version has are new.
struct BenchmarkExchange {
    /// The files that differ between the two revisions, and that both sides otherwise use in head's version.
    private let candidates: Set<String>
    private let isOfBenchmarks: (String) -> Bool
    /// The exchanged files, relative to the repository's root.
    private(set) var paths: Set<String> = []

    /// - Parameter isOfBenchmarks: Whether the file at a path belongs to a target that defines benchmarks, and is the
    ///   same on both sides.
    init(of candidates: Set<String>, isOfBenchmarks: @escaping (String) -> Bool) {
        (self.candidates, self.isOfBenchmarks) = (candidates, isOfBenchmarks)
    }

    /// Exchanges the files in which a compiler has found errors. Returns `false` if no exchange can remove the errors.
    ///
    /// If the errors are only in files that are exchanged already, or that do not differ, these files use declarations
    /// of other files, and all files are exchanged.
    ///
    /// - Parameters:
    ///   - output: The output of the compiler.
    ///   - root: The folder that was compiled.
    mutating func add(after output: String, root: String) -> Bool {
        let files = Set(CompilerMessage.errors(in: output).map(\.file))
        guard !files.isEmpty, files.allSatisfy({ $0.hasPrefix(root + "/") }) else { return false }
        let names = Set(files.map { String($0.dropFirst(root.count + 1)) })
        guard names.allSatisfy(isOfBenchmarks) else { return false }
        let found = names.intersection(candidates).subtracting(paths)
        return add(found.isEmpty ? candidates : found)
    }

    /// Exchanges these files. Returns `false` if they are exchanged already.
    mutating func add(_ files: Set<String>) -> Bool {
        let new = files.intersection(candidates).subtracting(paths)
        paths.formUnion(new)
        return !new.isEmpty
    }
}
